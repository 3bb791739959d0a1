"""Replay a round, input by input, with the code that runs the table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from controller.games.layout import Hand
from controller.jackpot import Unbalanced
from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.money import text
from controller.past.replay.rounds import EndedRound
from controller.past.replay.words import input_text, is_play, note_texts
from controller.table.errors import NotAllowed, TableError
from controller.table.record.codec import read_input
from controller.table.record.events import Input, RequestAnswered, RequestMade, Started, Supervisor
from controller.table.record.kinds import SNAPSHOT
from controller.table.record.notes import Note
from controller.table.state.snapshot import read_snapshot, restore_snapshot
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply, begin
from controller.table.view.console import prompt
from controller.table.view.lamps import lamps

UNKNOWN = "unknown"
WriteAmount = Callable[[int], str]
"""How amounts are written: plain for commands, in the currency for pages."""
UNPLAYABLE = (KeyError, TypeError, ValueError, Unbalanced, JournalError, TableError)


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One input while wagers were latched, in words and as a record.

    `at`: seconds of Unix time. `due`: what was due before it. `gave`: what the table noted, and what changed
    on it.
    """

    at: float
    due: str
    came: str
    gave: tuple[str, ...]
    event: Input
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class AppliedInput:
    """An input, its step if it is worth one, and the table after it."""

    event: Input
    step: ReplayStep | None
    state: TableState


@dataclass(frozen=True, slots=True)
class InputMoment:
    """The table after one row. `event`: the input in the row, None for the snapshot. `lamps`: 54 values of
    codes.Lamp. `spots`: those of the game."""

    entry: JournalRow
    event: Input | None
    lamps: bytes
    spots: Sequence[str]


def steps(ended_round: EndedRound, money: WriteAmount = text) -> tuple[ReplayStep, ...]:
    """Cards, keys, decisions, and every other input that changed something, from the close of betting to the
    end. Raises JournalError for rows that this version cannot replay."""
    return tuple(applied.step for applied in applied_inputs(ended_round, money) if applied.step)


def applied_inputs(ended_round: EndedRound, money: WriteAmount = text) -> Iterator[AppliedInput]:
    """Every input, one by one. The state changes with the next one. Raises JournalError for rows that this
    version cannot replay."""
    try:
        yield from _applied_inputs(ended_round, money)
    except UNPLAYABLE as error:
        raise JournalError(f"round {ended_round.number} cannot be replayed: {error!r}") from error


def moments(ended_round: EndedRound) -> tuple[InputMoment, ...]:
    """From the snapshot before the round, if there is one, to its last input. Raises JournalError for rows
    that this version cannot replay."""
    try:
        return tuple(_moments(ended_round))
    except UNPLAYABLE as error:
        raise JournalError(f"round {ended_round.number} cannot be replayed: {error!r}") from error


def _moments(ended_round: EndedRound) -> Iterator[InputMoment]:
    state, inputs = _state_before(ended_round.rows)
    if inputs is not ended_round.rows:
        yield InputMoment(ended_round.rows[0], None, lamps(state), state.game.spots)
    for entry in inputs:
        event = read_input(entry.content)
        _apply(state, event, entry.content.at)
        yield InputMoment(entry, event, lamps(state), state.game.spots)


def _applied_inputs(ended_round: EndedRound, money: WriteAmount) -> Iterator[AppliedInput]:
    state, inputs = _state_before(ended_round.rows)
    for entry in inputs:
        event, number, due, before = (
            read_input(entry.content),
            state.number,
            prompt(state)[0],
            _picture(state, money),
        )
        spots = state.game.spots
        notes = _apply(state, event, entry.content.at)
        after = _picture(state, money) if state.number == number else before
        gave = (*_differences(before, after), *note_texts(notes, money))
        latched = before or after or state.number > number
        relevant = number == ended_round.number and latched and (gave or is_play(event))
        step = (
            ReplayStep(entry.content.at, due, input_text(event, spots), gave, event, notes)
            if relevant
            else None
        )
        yield AppliedInput(event, step, state)


def _apply(state: TableState, event: Input, at: float) -> tuple[Note, ...]:
    """What the table noted. A correction of an earlier round is skipped: these rows do not have that round,
    and it did not change this one."""
    try:
        return tuple(apply(state, event, at))
    except NotAllowed:
        if _is_about_ended_round(state, event):
            return ()
        raise


def _is_about_ended_round(state: TableState, event: Input) -> bool:
    """Whether a decision is about a round that had ended before."""
    match event:
        case Supervisor(choice="correct"):
            return bool(event.round)
        case RequestMade(word=Supervisor() as word):
            return bool(word.round)
        case RequestAnswered():
            asked = [one for one in state.shift.requests.open if one.number == event.request]
            return all(one.word is not None and one.word.round for one in asked)
    return False


def _state_before(rows: Sequence[JournalRow]) -> tuple[TableState, Sequence[JournalRow]]:
    if not rows:
        raise JournalError("nothing is kept of what came before its end")
    first = rows[0].content
    if first.kind == SNAPSHOT:
        return restore_snapshot(read_snapshot(first)), rows[1:]
    event = read_input(first)
    if not isinstance(event, Started):
        raise JournalError(f"row {rows[0].row} comes before the first start")
    return begin(event), rows


def _differences(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """What is new or different, and what is gone. A split hand goes on under other names."""
    split = {name for name in before if f"{name}, hand 1" in after}
    gone = (f"{place}: nothing any more" for place in before if place not in after and place not in split)
    return (*(f"{place}: {said}" for place, said in after.items() if before.get(place) != said), *gone)


def _picture(state: TableState, money: WriteAmount) -> dict[str, str]:
    """What lies on the table after betting has closed, in words, by place."""
    if not state.underway:
        return {}

    def amount(cents: int | None) -> str:
        return UNKNOWN if cents is None else money(cents)

    return {**dict(_wagers(state, amount)), **dict(_hands(state, amount)), **dict(_dealer(state))}


WriteAnyAmount = Callable[[int | None], str]


def _wagers(state: TableState, amount: WriteAnyAmount) -> Iterator[tuple[str, str]]:
    for number, seat in state.round.seats.items():
        for spot, cents in seat.wagers.items():
            yield f"seat {number}, {spot}", amount(cents)
        for place, hand in enumerate(seat.hands, 1):
            for spot, cents in hand.wagers.items():
                yield f"{_named(number, place, seat.hands)}, {spot}", amount(cents)


def _hands(state: TableState, amount: WriteAnyAmount) -> Iterator[tuple[str, str]]:
    for number, seat in state.round.seats.items():
        for place, hand in enumerate(seat.hands, 1):
            if hand.cards:
                yield _named(number, place, seat.hands), _hand(state, hand, amount)


def _dealer(state: TableState) -> Iterator[tuple[str, str]]:
    seen = state.round.dealer
    if seen.cards:
        total = "" if seen.total is None else f" = {seen.total}"
        yield "dealer", f"{' '.join(seen.cards)}{total}"


def _named(number: int, place: int, hands: Sequence[Hand]) -> str:
    return f"seat {number}, hand {place}" if len(hands) > 1 else f"seat {number}"


def _hand(state: TableState, hand: Hand, amount: WriteAnyAmount) -> str:
    cards = f"{' '.join(hand.cards)} = {state.game.count(hand.cards)}"
    bet = f"{amount(hand.bet)} on it" if hand.choice == "double" else ""
    return ", ".join(filter(None, (cards, state.game.label(hand), bet)))
