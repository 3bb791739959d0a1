"""Entering and leaving test mode, and what a person may say meanwhile."""

from controller.money import text
from controller.table.apply.device_events import chips_lie
from controller.table.errors import NotAllowed
from controller.table.record.causes import cause
from controller.table.record.events import (
    Acknowledged,
    DealerOn,
    Decision,
    Input,
    LampTest,
    Supervisor,
    TestMode,
)
from controller.table.record.notes import Suspended
from controller.table.state.table_state import TableState
from controller.table.state.test_session import PATTERNS, Testing, lying

DIFFERENT = "Chips are not as they were before the test. Seat {seat}, {spot}: {before} before, {now} now"
ANY_TIME = (TestMode, LampTest, DealerOn, Acknowledged)
"""Words that touch neither round, shoe nor meter."""


def bar(state: TableState, event: Input) -> None:
    """Raises NotAllowed for what a person may not say while the table is tested."""
    if state.testing is None or not isinstance(event, Decision) or isinstance(event, ANY_TIME):
        return
    if isinstance(event, Supervisor) and event.choice == "entry":
        return
    raise NotAllowed(f"the table is in test mode ({state.testing.told}): leave it first")


def switch(state: TableState, said: TestMode) -> None:
    """A technician enters, or somebody leaves; raises NotAllowed where that is so already."""
    if said.on:
        _enter(state, said)
    else:
        _leave(state)


def light(state: TableState, said: LampTest) -> None:
    """The next picture of a lamp test, and what was seen of the one before; raises NotAllowed."""
    if state.testing is None:
        raise NotAllowed("lamps are tested in test mode: enter it first")
    pattern = next((known for known in PATTERNS if known == said.pattern), None)
    if pattern is None:
        raise NotAllowed(f"pattern = {said.pattern!r}: not allowed; allowed: {', '.join(PATTERNS)}")
    testing = state.testing
    if said.seen:
        testing = testing.touched(f"{said.who} saw {testing.seen or 'no lamp test'}: {said.seen}")
    state.suspension.testing = testing.show(pattern)


def _enter(state: TableState, said: TestMode) -> None:
    if state.testing:
        raise NotAllowed(f"the table is in test mode already: {state.testing.told}")
    state.suspension.testing = Testing(
        said.who, state.shift.at, lying(state.chips), seats=state.rules.seats, spots=state.game.spots
    )
    state.alarm(cause("test"), Suspended(state.suspension.reasons[0]))


def _leave(state: TableState) -> None:
    if state.testing is None:
        raise NotAllowed("the table is not in test mode")
    now = {(each.seat, each.spot): each.cents for each in state.testing.lies}
    state.suspension.testing = None
    for seat, place in sorted(state.chips.keys() | now.keys()):
        before, lies = state.chips.get((seat, place)), now.get((seat, place))
        if before != lies:
            told = DIFFERENT.format(
                seat=seat, spot=_spot(state, place), before=_worth(before), now=_worth(lies)
            )
            state.alert(cause("chips"), told)
            chips_lie(state, seat, place, lies)


def _spot(state: TableState, place: int) -> str:
    return state.game.spots[place] if place < len(state.game.spots) else f"spot {place}"


def _worth(cents: int | None) -> str:
    if cents is None:
        return "nothing"
    return text(cents) if cents else "chips of unknown worth"
