"""Playing: seats in order, and the hands of a seat in order. A card for a hand that may hit is a hit."""

from collections.abc import Callable
from dataclasses import replace

from controller.cards import Card
from controller.games.layout import Hand, Turn
from controller.money import text
from controller.round import prompts
from controller.round.events import EventRefused, Key
from controller.round.keys import AmountRange, KeyPress
from controller.round.prompts import DrawCard, PlayHand
from controller.round.state import Due, State, hand, put_hands, turn


def due(state: State) -> Due:
    at = active(state)
    held = hand(state, at)
    number = at.hand + 1 if len(state.layout.seats[at.seat].hands) > 1 else None
    total, no_natural = state.game.count(held.cards), _no_natural(state) or None
    if held.awaits:
        return Due(DrawCard(at.seat, number, total, _why(held), no_natural), at.seat)
    choices = prompts.choices_text(_keys(state, at))
    return Due(PlayHand(at.seat, number, total, choices, no_natural), at.seat)


def key_presses(state: State) -> tuple[KeyPress, ...]:
    """What the active hand may choose; nothing while it waits for its card."""
    at = active(state)
    return tuple(KeyPress(key, (at.seat,), _amount(state, at, key)) for key in sorted(_keys(state, at)))


def hits(state: State) -> int:
    """One card if the active hand waits for it or may hit."""
    return int(_draws(state, active(state)))


def hit(state: State, card: Card) -> None:
    at = active(state)
    if not _draws(state, at):
        raise EventRefused(f"no card is due: {due(state).text}")
    put_hands(state, at, hand(state, at).take(card))


def choose(state: State, key: Key) -> None:
    at = active(state)
    if key.seat != at.seat:
        raise EventRefused(f"{key.action} for seat {key.seat}, but it is seat {at.seat}'s turn")
    if key.action not in _keys(state, at):
        raise EventRefused(f"{key.action} is not possible: {due(state).text}")
    if act := KEY_HANDLERS.get(key.action):
        act(state, at, key.cents)
    else:
        put_hands(state, at, hand(state, at).choose(key.action))


def active(state: State) -> Turn:
    at = turn(state)
    if at is None:
        raise AssertionError("nobody is to act, yet the round is playing")
    return at


def _keys(state: State, at: Turn) -> frozenset[str]:
    return frozenset() if hand(state, at).awaits else state.game.choices(state.layout, at)


def _amount(state: State, at: Turn, key: str) -> AmountRange | None:
    """The range of a double. An unknown wager stays unknown, whatever it is doubled for."""
    bet, chip = hand(state, at).bet, state.game.options.chip
    return AmountRange(bet, chip, bet, chip) if key == "double" and bet is not None else None


def _draws(state: State, at: Turn) -> bool:
    return hand(state, at).awaits or "hit" in state.game.choices(state.layout, at)


def _hit(state: State, at: Turn, _cents: int | None) -> None:
    put_hands(state, at, replace(hand(state, at), awaits=True))


def _double(state: State, at: Turn, cents: int | None) -> None:
    """For `cents`, at most the wager; without an amount for the whole wager."""
    held, chip = hand(state, at), state.game.options.chip
    more = held.bet if cents is None else cents
    if cents is not None and held.bet is not None and cents > held.bet:
        raise EventRefused(f"a double for {text(cents)} is not possible; allowed: at most {text(held.bet)}")
    if cents is not None and cents % chip:
        raise EventRefused(f"a double for {text(cents)} is not a multiple of the chip, {text(chip)}")
    bet = None if held.bet is None or more is None else held.bet + more
    put_hands(state, at, replace(held, choice="double", awaits=True, bet=bet))


def _split(state: State, at: Turn, _cents: int | None) -> None:
    """The second card becomes a hand with its own wager, played right after this one."""
    held, seat = hand(state, at), state.layout.seats[at.seat]
    bet, number = state.game.stake(seat.wagers), len(seat.hands)
    one, other = (Hand((card,), awaits=True, bet=bet, split=number) for card in held.cards)
    put_hands(state, at, replace(one, split=held.split or number, wagers=held.wagers), other)
    if opened := state.game.invites_after_split(state.layout, at):
        state.split, state.invited = at, opened


KEY_HANDLERS: dict[str, Callable[[State, Turn, int | None], None]] = {
    "hit": _hit,
    "double": _double,
    "split": _split,
}
"""What keys do. Any other key is only recorded as the hand's choice."""


def _why(held: Hand) -> str:
    if held.choice == "double":
        return "doubles"
    return "is split" if held.split and len(held.cards) == 1 else "hits"


def _no_natural(state: State) -> bool:
    """Whether to say that the peek found no natural: until a hand acts. An open window implies it."""
    if state.invited:
        return False
    dealt = state.game.deal.count("seats")
    seats = state.layout.seats.values()
    fresh = all(len(held.cards) == dealt and not held.choice for seat in seats for held in seat.hands)
    return fresh and state.game.peeks(state.layout)
