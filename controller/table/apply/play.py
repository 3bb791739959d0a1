"""How cards find their places, and what follows from what the round says."""

from dataclasses import replace

from controller.cards import Card
from controller.round import Alert as WagerAlert
from controller.round import CardOut, Command, Revealed, Settled
from controller.table.apply import chips, jackpots
from controller.table.record.causes import Cause, cause
from controller.table.record.notes import RoundEnded
from controller.table.state.card_ledger import Fate
from controller.table.state.table_state import Stray, TableState
from controller.table.view.round_view import round_view

NOT_DUE = "left the shoe, but no card was due"
UNREAD = "could not be read"
TESTED = "left the shoe in test mode"
ON_ITS_WAY = "was on its way when the shoe lost its power"
PERMITTED = frozenset({NOT_DUE, UNREAD, ON_ITS_WAY})
"""Such cards take the next place once they are read."""
ELSE = "name it, or void the round"


def settle_strays(state: TableState) -> None:
    """Give waiting cards their places, for as long as they left regularly and one is due."""
    while state.strays and state.strays[0].regular and state.round.cards_due:
        put(state, take_stray(state))
    if state.strays:
        first = state.strays[0]
        state.suspend(_about(first), f"Card {first.count} {first.why}", lasting=True)


def take_stray(state: TableState) -> str:
    """The card that waits first, no longer waiting; empty where nobody read it."""
    stray = state.strays.popleft()
    state.suspension.lasting.pop(_about(stray), None)
    return stray.card


def read_again(state: TableState, card: str) -> None:
    """The card that waits first went through the shoe once more: it is the same one, not counted again.
    `card` is empty where it could not be read this time either."""
    stray = state.strays[0]
    if state.ledger.before is not None:
        state.ledger.before += 1  # the shoe counted it twice
    if not card:
        state.strays[0] = replace(stray, again=False)
        state.alert(_about(stray), f"Card {stray.count} could not be read again: {ELSE}")
    elif stray.why in PERMITTED:
        state.strays[0] = Stray(stray.count, card, NOT_DUE, regular=True)
    else:
        state.strays[0] = replace(stray, card=card, again=False)
    settle_strays(state)


def put(state: TableState, card: str) -> None:
    """A card takes its place in the round; raises Refused when none is due."""
    hidden, fate = state.round.hidden, _fate(state)
    commands = state.tell(CardOut(Card(card)))
    turned = sum(isinstance(command, Revealed) for command in commands)
    count(state, "" if state.round.hidden + turned > hidden else card, fate)
    follow(state, commands)


def count(state: TableState, card: str, fate: Fate) -> None:
    """A card is out; empty: nobody has seen which."""
    if impossible := state.ledger.leave(card, fate):
        state.suspend(cause("ledger", card), impossible, lasting=True)
    if state.deep:
        state.end_shoe()


def lose(state: TableState, cards: int) -> None:
    """This number of cards left the shoe without an event."""
    state.ledger.lose(cards)
    if state.deep:
        state.end_shoe()


def follow(state: TableState, commands: tuple[Command, ...]) -> None:
    """Note what the round says, and begin the next one when it has ended."""
    jackpots.lock(state)
    for command in commands:
        if isinstance(command, WagerAlert):
            state.alert(cause("wager", state.number), command.text)
            continue
        state.notes.append(command)
        if isinstance(command, Settled) and state.round.phase != "void":
            jackpots.settle(state)
        if isinstance(command, Revealed):
            _turn(state, command.card)
    chips.look(state)
    if state.round.phase in {"over", "void"}:
        end_round(state)


def end_round(state: TableState) -> None:
    """Keep the round, and lay out the next."""
    ended = round_view(state)
    kept = RoundEnded(ended, state.written.script(state.rules.game, state.rules.options))
    state.notes.append(kept)
    state.ended.appendleft(kept)
    state.shift.ends.appendleft(state.shift.at)
    state.number += 1
    state.unmoved = {}
    if ended.outcome == "settled":
        state.bank = state.coming.banks_after(ended.bank or 0)
    state.alerts.clear()
    state.shoe_wanted = state.shoe_wanted or state.cut_out
    state.begin_round()


def _fate(state: TableState) -> Fate:
    """What becomes of the next card."""
    return "burned" if state.round.phase == "burning" else "dealt"


def _turn(state: TableState, card: str) -> None:
    """The face-down card is turned."""
    if state.course.hole_is_older:
        return
    if impossible := state.ledger.turn(card):
        state.suspend(cause("ledger", card), impossible, lasting=True)


def _about(stray: Stray) -> Cause:
    return cause("card", stray.count)
