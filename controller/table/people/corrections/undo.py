"""Takes back the last key of the round in play: the round is replayed without it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from controller.round import CardOut, Jackpot, Key, Peeked, Revealed
from controller.round.replay import replay
from controller.table.apply import jackpots
from controller.table.errors import NotAllowed
from controller.table.people.corrections.replay import RoundComparison
from controller.table.people.corrections.sentences import changes, key_name, payments, sentences
from controller.table.record.causes import cause
from controller.table.record.events import Supervisor
from controller.table.record.notes import KeyUndone
from controller.table.record.preview import Preview
from controller.table.state.table_state import TableState

LOOKED = "The dealer has looked at the face-down card: players know the answer"
TURNED = "The face-down card was turned: players have seen it, and it counts as face down again"
REOPENED = "Betting is open again"


@dataclass(frozen=True, slots=True)
class KeyUndo:
    """The key, and the comparison of the round with and without it."""

    key: Key
    comparison: RoundComparison

    @property
    def reopens(self) -> bool:
        """Whether the key closed betting."""
        return self.comparison.new.round.phase == "betting"


def preview_undo(state: TableState, _decision: Supervisor) -> Preview:
    """Raises NotAllowed if the key cannot be taken back."""
    undo = _last_key(state)
    differences = () if undo.reopens else changes(undo.comparison)
    return Preview(tuple(_sentences(undo)), differences)


def undo_key(state: TableState, decision: Supervisor) -> None:
    """Raises NotAllowed without having changed anything."""
    undo = _last_key(state)
    sentences_shown, key = tuple(_sentences(undo)), undo.key
    state.notes.append(
        KeyUndone(
            state.number,
            key.action,
            key.seat,
            key.cents,
            decision.who,
            decision.second,
            decision.why,
            sentences_shown,
        )
    )
    if undo.reopens:
        _reopen(state)
        return
    _replay(state, undo)
    for sentence in payments(undo.comparison):
        state.alert(cause("correction"), sentence)


def _last_key(state: TableState) -> KeyUndo:
    """Raises NotAllowed if something has happened since the key, or if its effects cannot be undone."""
    events = tuple(state.round_log.events)
    if not state.underway or not events:
        raise NotAllowed(f"no key of round {state.number} was pressed yet")
    if state.unplaced:
        raise NotAllowed(f"card {state.unplaced[0].count} has come since the last key")
    _check_jackpots(state)
    at = max(place for place, event in enumerate(events) if not isinstance(event, Jackpot))
    key = events[at]
    if not isinstance(key, Key):
        came = "a card" if isinstance(key, CardOut) else "chips"
        raise NotAllowed(f"{came} came after the last key: it stays")
    old = replay(state.round.fresh(), events)
    if at in old.refused:
        raise NotAllowed(f"{key_name(key)} counts no more: a card was put right since")
    new = replay(state.round.fresh(), events[:at])
    return KeyUndo(key, RoundComparison(events, at, False, old, new, new, secret=False))


def _check_jackpots(state: TableState) -> None:
    """Raises NotAllowed if the key closed betting and fed a jackpot, or if a claim of the round is paid.
    Later keys move no jackpot."""
    fed = jackpots.moved_spots(state)
    if fed and not any(isinstance(event, CardOut) for event in state.round_log.events):
        raise NotAllowed(f"the jackpot of {', '.join(fed)} was fed when betting closed: void the round")
    for claim in state.register.of_round(state.number):
        if claim.state == "paid":
            raise NotAllowed(f"claim {claim.number} of this round is paid: its keys stay")


def _sentences(undo: KeyUndo) -> Iterator[str]:
    yield f"{_capitalized(key_name(undo.key))} is taken back"
    if undo.reopens:
        yield REOPENED
        return
    yield from _disclosed(undo.comparison)
    yield from _next_turn(undo.comparison)
    yield from sentences(undo.comparison)


def _disclosed(comparison: RoundComparison) -> Iterator[str]:
    """What players have learned from the key. Taking it back does not make them forget it."""
    followed = [effect.command for effect in comparison.old.commands if effect.at == comparison.at]
    if any(isinstance(command, Revealed) for command in followed):
        yield TURNED
    elif any(isinstance(command, Peeked) for command in followed):
        yield LOOKED


def _next_turn(comparison: RoundComparison) -> Iterator[str]:
    before, after = comparison.old.round.turn, comparison.new.round.turn
    if after is not None and after != before:
        hands = len(comparison.new.round.seats[after.seat].hands)
        yield f"Seat {after.seat}{f', hand {after.hand + 1}' if hands > 1 else ''} plays on"


def _reopen(state: TableState) -> None:
    """Begin the round again with the chips that lie on the spots now. What waited for the end of the round
    holds."""
    state.burn = state.round.cards_due if state.round.phase == "burning" else 0
    state.meters_before, state.linked_before = {}, {}
    state.shoe_wanted = state.shoe_wanted or state.cut_out
    state.begin_round()


def _replay(state: TableState, undo: KeyUndo) -> None:
    comparison, course = undo.comparison, state.round_log
    events = [*comparison.events[: comparison.at]]
    state.replay_round(
        replace(course, events=events, before_shoe=min(course.before_shoe, len(events))),
        comparison.new.accepted,
    )
    played = state.round
    state.round_log.window = played.invited if played.phase == "offering" else None
    state.round_log.acting_seat = played.turn.seat if played.turn else 0
    if (
        comparison.old.hidden is None
        and comparison.new.hidden is not None
        and not course.hole_is_of_older_shoe
    ):
        hole = comparison.events[comparison.new.hidden]
        if isinstance(hole, CardOut):
            state.ledger.hide(hole.card)


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
