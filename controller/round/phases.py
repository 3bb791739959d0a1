"""What each phase of a round asks for and accepts. A new phase needs one entry here and its transitions in
machine.py."""

from collections.abc import Callable
from dataclasses import dataclass

from controller.cards import Card
from controller.games.layout import Turn
from controller.round import betting, dealing, insuring, offering, paying, playing
from controller.round.events import EventRefused, Key, Wager
from controller.round.keys import KeyPress
from controller.round.prompts import Peek, RoundOver, RoundVoid
from controller.round.state import Due, State, turn


def _no_cards(_state: State) -> int:
    return 0


def _one_card(_state: State) -> int:
    return 1


def _no_target(_state: State) -> Turn | None:
    return None


def _no_key_presses(_state: State) -> tuple[KeyPress, ...]:
    return ()


def _no_card(state: State, _card: Card) -> None:
    raise EventRefused(f"no card is due: {PHASES[state.phase].due(state).text}")


def _no_key(state: State, key: Key) -> None:
    raise EventRefused(f"{key.action} is not possible: {PHASES[state.phase].due(state).text}")


def _let_be(_state: State, _wager: Wager) -> None:
    """Chips may come and go while wagers are paid."""


@dataclass(frozen=True, slots=True)
class Phase:
    """What is due in a phase, how many cards and which keys, and how each kind of event is handled.

    The handlers raise EventRefused before they change anything.
    """

    due: Callable[[State], Due]
    cards: Callable[[State], int] = _no_cards
    card: Callable[[State, Card], None] = _no_card
    key_presses: Callable[[State], tuple[KeyPress, ...]] = _no_key_presses
    key: Callable[[State, Key], None] = _no_key
    wager: Callable[[State, Wager], None] = betting.check_latched
    card_target: Callable[[State], Turn | None] = _no_target
    """The hand that gets the next card, if one is due."""
    dealer_face_up: bool = False
    """Whether all of the dealer's cards are face up."""


PHASES: dict[str, Phase] = {
    "betting": Phase(betting.due, key_presses=betting.key_presses, key=betting.close, wager=betting.place),
    "burning": Phase(dealing.burn_due, dealing.burns, dealing.burn),
    "dealing": Phase(dealing.deal_due, dealing.deals, dealing.deal, card_target=dealing.card_target),
    "insuring": Phase(insuring.due, key_presses=insuring.key_presses, key=insuring.handle_key),
    "peeking": Phase(lambda _: Due(Peek())),
    "offering": Phase(
        offering.due,
        offering.cards,
        offering.card,
        offering.key_presses,
        offering.choose,
        offering.place,
        turn,
    ),
    "playing": Phase(
        playing.due, playing.hits, playing.hit, playing.key_presses, playing.choose, card_target=turn
    ),
    "drawing": Phase(
        paying.draw_due, _one_card, paying.draw, card_target=paying.card_target, dealer_face_up=True
    ),
    "paying": Phase(
        paying.due, key_presses=paying.key_presses, key=paying.pay, wager=_let_be, dealer_face_up=True
    ),
    "over": Phase(lambda _: Due(RoundOver()), wager=_let_be, dealer_face_up=True),
    "void": Phase(lambda _: Due(RoundVoid()), wager=_let_be, dealer_face_up=True),
}
