"""Runs checks on one device, one after another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from drivers.conformance.check import Check, Need
from drivers.conformance.invariants import InvariantChecker
from drivers.conformance.outcome import CheckFailed, CheckOutcome, NotRun, TraceLine
from drivers.conformance.probe import Probe
from drivers.conformance.probe_link import Duties
from drivers.conformance.trace import Trace, TraceEntry
from drivers.errors import Absent

SESSION_CHECK = "handshake.session"
"""If this check fails, all checks that need a session would fail in the same way."""
PORT_BACK = 5.0
"""Seconds for which the port may be away between two checks."""
LONGEST_EXCHANGE = 200
"""Lines of an exchange to keep."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All outcomes, in the order of the checks."""

    outcomes: tuple[CheckOutcome, ...]

    @property
    def failed(self) -> tuple[CheckOutcome, ...]:
        """What the firmware must mend."""
        return tuple(outcome for outcome in self.outcomes if outcome.verdict == "fail")


async def run(
    probe: Probe, checks: Sequence[Check], named: frozenset[str], on_outcome: Callable[[CheckOutcome], None]
) -> CheckReport:
    """Runs all checks that can be run. `named`: those requested by name. Calls `on_outcome` with each
    outcome."""
    outcomes: list[CheckOutcome] = []
    watcher = InvariantChecker(probe.subject.profile)
    barred = ""
    for check in checks:
        barred = barred or _session_failure(outcomes)
        why = _skip_reason(check, probe, named) or (barred if check.session else "")
        outcome = _not_run(check, why) if why else await _run_check(probe, check)
        watcher.watch(probe.link, check.name)
        outcomes.append(outcome)
        on_outcome(outcome)
    probe.leave()
    for outcome in watcher.outcomes(sealed=bool(probe.subject.key)):
        outcomes.append(outcome)
        on_outcome(outcome)
    return CheckReport(tuple(outcomes))


def _skip_reason(check: Check, probe: Probe, named: frozenset[str]) -> str:
    unmet = {
        Need.SEALED: not probe.subject.key,
        Need.CLEAR: bool(probe.subject.key),
        Need.TIRELESS: not probe.operator.tireless,
        Need.PROFILE: probe.subject.profile is None,
        Need.LONG: check.name not in named,
    }
    return next((need.value for need in check.needs if unmet[need]), "")


def _session_failure(outcomes: list[CheckOutcome]) -> str:
    gate = [outcome for outcome in outcomes if outcome.check == SESSION_CHECK]
    return f"no session can be opened: see {SESSION_CHECK}" if gate and gate[0].verdict == "fail" else ""


async def _run_check(probe: Probe, check: Check) -> CheckOutcome:
    outcome = await _run_once(probe, check)
    for _ in range(check.tries - 1):
        if outcome.verdict == "fail":
            outcome = await _run_once(probe, check)
    return outcome


async def _run_once(probe: Probe, check: Check) -> CheckOutcome:
    trace, began = probe.trace, probe.wire.now()
    trace.clear()
    probe.link.duties = Duties()
    probe.link.single_zeros = 0
    try:
        await probe.wire.reopen(PORT_BACK)
    except Absent as error:
        return _not_run(check, str(error))
    try:
        await check.run(probe)
    except NotRun as reason:
        return _not_run(check, str(reason))
    except CheckFailed as finding:
        return _failure(check, str(finding), trace, began, probe.wire.now())
    except Absent as error:
        return _failure(check, f"a device that stays on its port; {error}", trace, began, probe.wire.now())
    return CheckOutcome(check.name, check.section, check.shows, "pass", round(probe.wire.now() - began, 3))


def _not_run(check: Check, why: str) -> CheckOutcome:
    return CheckOutcome(check.name, check.section, check.shows, "not run", why=why)


def _failure(check: Check, why: str, trace: Trace, began: float, ended: float) -> CheckOutcome:
    step = [entry for entry in trace.entries[trace.step :] if not entry.duty]
    return CheckOutcome(
        check.name,
        check.section,
        check.shows,
        "fail",
        round(ended - began, 3),
        why,
        check.look_for,
        _lines([entry for entry in step if entry.ours], began),
        _lines([entry for entry in step if not entry.ours], began),
        _lines(trace.entries, began),
    )


def _lines(entries: list[TraceEntry], began: float) -> tuple[TraceLine, ...]:
    return tuple(entry.trace_line(began) for entry in entries[-LONGEST_EXCHANGE:])
