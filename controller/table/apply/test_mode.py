"""Entering and leaving test mode, and what a person may decide meanwhile."""

from controller.money import text
from controller.table.apply.device_events import set_chips
from controller.table.errors import NotAllowed
from controller.table.record.causes import cause
from controller.table.record.choices import CHOICES
from controller.table.record.events import (
    Acknowledged,
    DealerOn,
    Decision,
    Input,
    LampReported,
    LampTest,
    Supervisor,
    TestMode,
)
from controller.table.record.notes import Suspended
from controller.table.state.table_state import TableState
from controller.table.state.test_session import PATTERNS, DeviceTest, lying_chips

DIFFERENT = (
    "Chips are not as they were before the test. Seat {seat}, {spot}: {amount_before} before, "
    "{amount_now} now"
)
FAULTY_LAMPS = "Lamps that are faulty: {lamps}. Have them mended"
ALLOWED_DECISIONS = (TestMode, LampTest, LampReported, DealerOn, Acknowledged)
"""Decisions that affect neither round, shoe nor meter."""


def check_allowed(state: TableState, event: Input) -> None:
    """Raises NotAllowed for a decision that is not allowed in test mode."""
    if state.testing is None or not isinstance(event, Decision) or isinstance(event, ALLOWED_DECISIONS):
        return
    if isinstance(event, Supervisor) and CHOICES[event.choice].only_recorded:
        return
    raise NotAllowed(f"the table is in test mode ({state.testing.label}): leave it first")


def switch_test_mode(state: TableState, decision: TestMode) -> None:
    """A technician enters test mode, or a person leaves it. Raises NotAllowed if that is already so."""
    if decision.on:
        _enter(state, decision)
    else:
        _leave(state)


def apply_lamp_test(state: TableState, decision: LampTest) -> None:
    """The next picture of a lamp test, and what was seen of the one before; raises NotAllowed."""
    if state.testing is None:
        raise NotAllowed("lamps are tested in test mode: enter it first")
    pattern = next((known for known in PATTERNS if known == decision.pattern), None)
    if pattern is None:
        raise NotAllowed(f"pattern = {decision.pattern!r}: not allowed; allowed: {', '.join(PATTERNS)}")
    testing = state.testing
    if decision.seen:
        testing = testing.with_echo(
            f"{decision.who} saw {testing.lamps_text or 'no lamp test'}: {decision.seen}"
        )
    state.suspension.testing = testing.with_pattern(pattern)


def apply_lamp_report(state: TableState, report: LampReported) -> None:
    """A lamp does not show what it should, or does so again; raises NotAllowed."""
    if state.testing is None:
        raise NotAllowed("lamps are reported in test mode: enter it first")
    if not 1 <= report.seat <= state.rules.seats:
        raise NotAllowed(f"seat = {report.seat}: not allowed; allowed: 1 to {state.rules.seats}")
    if report.spot not in state.game.spots:
        raise NotAllowed(f"spot = {report.spot!r}: not allowed; allowed: {', '.join(state.game.spots)}")
    state.suspension.testing = state.testing.with_lamp(report.seat, report.spot, works=report.works)


def _enter(state: TableState, decision: TestMode) -> None:
    if state.testing:
        raise NotAllowed(f"the table is in test mode already: {state.testing.label}")
    state.suspension.testing = DeviceTest(
        decision.who,
        state.shift.at,
        lying_chips(state.chips),
        seats=state.rules.seats,
        spots=state.game.spots,
    )
    state.raise_alarm(cause("test"), Suspended(state.suspension.reasons[0]))


def _leave(state: TableState) -> None:
    if state.testing is None:
        raise NotAllowed("the table is not in test mode")
    if state.testing.faulty_lamps:
        lamps = "; ".join(f"seat {lamp.seat}, {lamp.spot}" for lamp in state.testing.faulty_lamps)
        state.alert(cause("lamp"), FAULTY_LAMPS.format(lamps=lamps))
    now = {(each.seat, each.spot): each.cents for each in state.testing.lies}
    state.suspension.testing = None
    for seat, place in sorted(state.chips.keys() | now.keys()):
        before, lies = state.chips.get((seat, place)), now.get((seat, place))
        if before != lies:
            difference = DIFFERENT.format(
                seat=seat,
                spot=_spot(state, place),
                amount_before=_amount(before),
                amount_now=_amount(lies),
            )
            state.alert(cause("chips"), difference)
            set_chips(state, seat, place, lies)


def _spot(state: TableState, place: int) -> str:
    return state.game.spots[place] if place < len(state.game.spots) else f"spot {place}"


def _amount(cents: int | None) -> str:
    if cents is None:
        return "nothing"
    return text(cents) if cents else "chips of unknown worth"
