"""The last key of the round in play is taken back: the round is told anew without it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from controller.round import CardOut, Jackpot, Key, Peeked, Revealed
from controller.round.replay import retell
from controller.table.apply import jackpots
from controller.table.errors import NotAllowed
from controller.table.people.corrections.replay import Remade
from controller.table.people.corrections.sentences import changes, named, payments, sentences
from controller.table.record.causes import cause
from controller.table.record.events import Supervisor
from controller.table.record.notes import KeyUndone
from controller.table.record.preview import Preview
from controller.table.state.table_state import TableState

LOOKED = "The dealer has looked at the face-down card: players know the answer"
TURNED = "The face-down card was turned: players have seen it, and it counts as face down again"
REOPENED = "Betting is open again"


@dataclass(frozen=True, slots=True)
class Undone:
    """A key of the round in play, which is told with it and without it."""

    key: Key
    remade: Remade

    @property
    def reopens(self) -> bool:
        """Whether it closed the betting."""
        return self.remade.new.round.phase == "betting"


def preview(state: TableState, _said: Supervisor) -> Preview:
    """What it would be without the key; raises NotAllowed where that cannot be taken back."""
    undone = _last(state)
    beside = () if undone.reopens else changes(undone.remade)
    return Preview(tuple(_told(undone)), beside)


def take_back(state: TableState, said: Supervisor) -> None:
    """Take the key back. Raises NotAllowed without having changed anything."""
    undone = _last(state)
    told, key = tuple(_told(undone)), undone.key
    state.notes.append(
        KeyUndone(state.number, key.action, key.seat, key.cents, said.who, said.second, said.why, told)
    )
    if undone.reopens:
        _reopen(state)
        return
    _retell(state, undone)
    for sentence in payments(undone.remade):
        state.alert(cause("correction"), sentence)


def _last(state: TableState) -> Undone:
    """Raises NotAllowed where something has come since, or was done that stays done."""
    events = tuple(state.course.events)
    if not state.underway or not events:
        raise NotAllowed(f"no key of round {state.number} was pressed yet")
    if state.strays:
        raise NotAllowed(f"card {state.strays[0].count} has come since the last key")
    _check_jackpots(state)
    at = max(place for place, event in enumerate(events) if not isinstance(event, Jackpot))
    key = events[at]
    if not isinstance(key, Key):
        came = "a card" if isinstance(key, CardOut) else "chips"
        raise NotAllowed(f"{came} came after the last key: it stays")
    old = retell(state.round.anew(), events)
    if at in old.passed:
        raise NotAllowed(f"{named(key)} counts no more: a card was put right since")
    new = retell(state.round.anew(), events[:at])
    return Undone(key, Remade(events, at, False, old, new, new, secret=False))


def _check_jackpots(state: TableState) -> None:
    """What is wagered when betting closes has fed them; later keys move none."""
    fed = jackpots.moved(state)
    if fed and not any(isinstance(event, CardOut) for event in state.course.events):
        raise NotAllowed(f"the jackpot of {', '.join(fed)} was fed when betting closed: void the round")
    for claim in state.register.of_round(state.number):
        if claim.state == "paid":
            raise NotAllowed(f"claim {claim.number} of this round is paid: its keys stay")


def _told(undone: Undone) -> Iterator[str]:
    yield f"{_first_up(named(undone.key))} is taken back"
    if undone.reopens:
        yield REOPENED
        return
    yield from _seen(undone.remade)
    yield from _plays_on(undone.remade)
    yield from sentences(undone.remade)


def _seen(remade: Remade) -> Iterator[str]:
    """What players know since the key, and what taking it back does not make them forget."""
    followed = [said.command for said in remade.old.said if said.at == remade.at]
    if any(isinstance(command, Revealed) for command in followed):
        yield TURNED
    elif any(isinstance(command, Peeked) for command in followed):
        yield LOOKED


def _plays_on(remade: Remade) -> Iterator[str]:
    before, after = remade.old.round.turn, remade.new.round.turn
    if after is not None and after != before:
        hands = len(remade.new.round.seats[after.seat].hands)
        yield f"Seat {after.seat}{f', hand {after.hand + 1}' if hands > 1 else ''} plays on"


def _reopen(state: TableState) -> None:
    """With what lies on the spots now; what waited for the round to end has waited long enough."""
    state.burn = state.round.cards_due if state.round.phase == "burning" else 0
    state.unmoved = {}
    state.shoe_wanted = state.shoe_wanted or state.cut_out
    state.begin_round()


def _retell(state: TableState, undone: Undone) -> None:
    remade, course = undone.remade, state.course
    events = [*remade.events[: remade.at]]
    state.retell(replace(course, events=events, older=min(course.older, len(events))), remade.new.took)
    played = state.round
    state.course.window = played.invited if played.phase == "offering" else None
    state.course.acting = played.turn.seat if played.turn else 0
    if remade.old.hidden is None and remade.new.hidden is not None and not course.hole_is_older:
        hole = remade.events[remade.new.hidden]
        if isinstance(hole, CardOut):
            state.ledger.hide(hole.card)


def _first_up(said: str) -> str:
    return said[:1].upper() + said[1:]
