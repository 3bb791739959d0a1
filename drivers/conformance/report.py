"""The report, for a firmware engineer who has only it and firmware-protocol/README.md."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from drivers.conformance.causes import first_to_mend
from drivers.conformance.outcome import CheckOutcome, TraceLine
from drivers.conformance.runner import CheckReport
from drivers.conformance.subject import DeviceUnderTest

SPECIFICATION = "firmware-protocol/README.md"
MOST_SHOWN = 16
"""Lines of an exchange to print. JSON has up to 200."""
INDENT = " " * 12


def summary(outcome: CheckOutcome) -> str:
    """One line; with the reason if it did not pass."""
    name = f"{outcome.verdict:8} {outcome.check:28} {outcome.section:4}"
    return f"{name} {outcome.shows if outcome.verdict == 'pass' else outcome.why}"


def details(outcome: CheckOutcome) -> Iterator[str]:
    """Everything about a failure."""
    yield f"{outcome.check}: section {outcome.section} of {SPECIFICATION}"
    yield f"  rule      {outcome.shows}"
    yield f"  expected  {outcome.why}"
    yield f"  look for  {outcome.look_for}"
    yield from _lines("sent", outcome.sent, "nothing besides heartbeats and acknowledgements")
    yield from _lines("came", outcome.came, "nothing")
    if outcome.exchange != outcome.came:
        yield from _lines("exchange", outcome.exchange, "nothing")


def total(report: CheckReport) -> str:
    count = Counter(outcome.verdict for outcome in report.outcomes)
    return f"{count['pass']} passed, {count['fail']} failed, {count['not run']} not run"


def ending(report: CheckReport, subject: DeviceUnderTest) -> Iterator[str]:
    """The last lines: the profile, the totals, and what to mend first."""
    if subject.profile is not None:
        yield subject.profile.words()
    yield total(report)
    if advice := first_to_mend(report.failed):
        yield advice


def as_json(report: CheckReport, port: str, subject: DeviceUnderTest) -> dict[str, Any]:
    return {
        "port": port,
        "class": subject.device_class.name.lower(),
        "serial": subject.serial,
        "seal": subject.seal.name.lower(),
        "profile": None if subject.profile is None else asdict(subject.profile),
        "total": total(report),
        "first_to_mend": first_to_mend(report.failed),
        "checks": [asdict(outcome) for outcome in report.outcomes],
    }


def _lines(title: str, lines: tuple[TraceLine, ...], none: str) -> Iterator[str]:
    label = f"  {title:8}  "
    if not lines:
        yield f"{label}{none}"
        return
    if len(lines) > MOST_SHOWN:
        yield f"{label}.. {len(lines) - MOST_SHOWN} more before these"
        label = INDENT
    for line in lines[-MOST_SHOWN:]:
        way = "->" if line.way == "sent" else "<-"
        yield f"{label}{line.at:8.4f} s {way} {line.says}"
        yield f"{INDENT}           {line.hex}"
        label = INDENT
