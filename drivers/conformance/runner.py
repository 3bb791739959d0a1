"""Puts one device through checks, one after another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from drivers.conformance.check import Check, Need
from drivers.conformance.invariants import Watcher
from drivers.conformance.outcome import Finding, Line, NotRun, Outcome
from drivers.conformance.probe import Probe
from drivers.conformance.probe_link import Duties
from drivers.conformance.trace import Entry, Trace
from drivers.errors import Absent

GATE = "handshake.session"
"""Where no session can be opened, checks that need one would all say the same."""
PORT_BACK = 5.0
"""So long a port may be away between two checks."""
KEPT = 200
"""Lines of an exchange that are kept."""


@dataclass(frozen=True, slots=True)
class Report:
    """All outcomes, in the order of the catalogue."""

    outcomes: tuple[Outcome, ...]

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """What the firmware must mend."""
        return tuple(outcome for outcome in self.outcomes if outcome.verdict == "fail")


async def run(
    probe: Probe, checks: Sequence[Check], named: frozenset[str], tell: Callable[[Outcome], None]
) -> Report:
    """Makes all checks that can be made; `named`: those somebody asked for by name. `tell` hears each outcome
    as it is known."""
    outcomes: list[Outcome] = []
    watcher = Watcher()
    barred = ""
    for check in checks:
        barred = barred or _closed(outcomes)
        why = _excused(check, probe, named) or (barred if check.session else "")
        outcome = _unmade(check, why) if why else await _made(probe, check)
        watcher.watch(probe.line, check.name)
        outcomes.append(outcome)
        tell(outcome)
    probe.leave()
    for outcome in watcher.outcomes(sealed=bool(probe.subject.key)):
        outcomes.append(outcome)
        tell(outcome)
    return Report(tuple(outcomes))


def _excused(check: Check, probe: Probe, named: frozenset[str]) -> str:
    unmet = {
        Need.SEALED: not probe.subject.key,
        Need.CLEAR: bool(probe.subject.key),
        Need.TIRELESS: not probe.hand.tireless,
        Need.LONG: check.name not in named,
    }
    return next((need.value for need in check.needs if unmet[need]), "")


def _closed(outcomes: list[Outcome]) -> str:
    gate = [outcome for outcome in outcomes if outcome.check == GATE]
    return f"no session can be opened: see {GATE}" if gate and gate[0].verdict == "fail" else ""


async def _made(probe: Probe, check: Check) -> Outcome:
    outcome = await _tried(probe, check)
    for _ in range(check.tries - 1):
        if outcome.verdict == "fail":
            outcome = await _tried(probe, check)
    return outcome


async def _tried(probe: Probe, check: Check) -> Outcome:
    trace, began = probe.trace, probe.wire.now()
    trace.clear()
    probe.line.duties = Duties()
    probe.line.single_zeros = 0
    try:
        await probe.wire.reopen(PORT_BACK)
    except Absent as error:
        return _unmade(check, str(error))
    try:
        await check.run(probe)
    except NotRun as reason:
        return _unmade(check, str(reason))
    except Finding as finding:
        return _failure(check, str(finding), trace, began, probe.wire.now())
    except Absent as error:
        return _failure(check, f"a device that stays on its port; {error}", trace, began, probe.wire.now())
    return Outcome(check.name, check.section, check.shows, "pass", round(probe.wire.now() - began, 3))


def _unmade(check: Check, why: str) -> Outcome:
    return Outcome(check.name, check.section, check.shows, "not run", why=why)


def _failure(check: Check, why: str, trace: Trace, began: float, ended: float) -> Outcome:
    step = [entry for entry in trace.entries[trace.step :] if not entry.duty]
    return Outcome(
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


def _lines(entries: list[Entry], began: float) -> tuple[Line, ...]:
    return tuple(entry.line(began) for entry in entries[-KEPT:])
