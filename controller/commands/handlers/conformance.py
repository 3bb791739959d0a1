"""What `tableside device conformance` does."""

import asyncio
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from controller.commands.arguments import print_json
from controller.commands.exit_codes import failed, usage
from controller.process.faults import FAILED
from drivers.conformance import report as pages
from drivers.conformance.check import Check
from drivers.conformance.checks import CHECKS, checks_of
from drivers.conformance.operator import ControlSocketOperator, DeviceOperator, NoOperator, TerminalOperator
from drivers.conformance.outcome import CheckOutcome
from drivers.conformance.probe import Probe
from drivers.conformance.profile import DeviceProfile, read_profile
from drivers.conformance.runner import CheckReport, run
from drivers.conformance.subject import DeviceUnderTest
from drivers.conformance.wire import PortWire
from drivers.errors import Absent
from drivers.key_files import KeyFault, read_key
from drivers.ports.opening import open_port
from drivers.protocol.codes import DeviceClass

STYLES = {"pass": "green", "fail": "bold red", "not run": "yellow"}
CLASSES = {member.name.lower(): member for member in DeviceClass}


def handle(
    port: str,
    *,
    device_class: str,
    serial: str,
    profile: Path | None,
    key: Path | None,
    seal: str,
    baud: int,
    control: Path | None,
    only: list[str] | None,
    unattended: bool,
    as_json: bool,
) -> None:
    declared = _profile(profile)
    device_class = _class_word(device_class, declared)
    subject = replace(_subject(device_class, serial, key, seal, baud), profile=declared)
    checks, named = _chosen(subject.device_class, only or [])
    show = OutcomePrinter(quiet=as_json)
    try:
        report = asyncio.run(_examine(port, subject, checks, named, _operator(control, unattended), show))
    except (Absent, OSError) as error:
        raise failed(str(error)) from None
    if as_json:
        print_json(pages.as_json(report, port, subject))
    else:
        show.end(report, subject)
    if report.failed:
        raise typer.Exit(FAILED)


class OutcomePrinter:
    """Prints each outcome when it is known, and the failures with hints at the end."""

    def __init__(self, *, quiet: bool) -> None:
        self._console = Console(soft_wrap=True, highlight=False, markup=False, emoji=False)
        self._quiet = quiet

    def show_outcome(self, outcome: CheckOutcome) -> None:
        """Print one outcome, unless `quiet`."""
        if not self._quiet:
            self._console.print(pages.summary(outcome), style=STYLES[outcome.verdict])

    def end(self, report: CheckReport, subject: DeviceUnderTest) -> None:
        """Print the failures in detail, the totals, and what to mend first."""
        for outcome in report.failed:
            self._console.print()
            for line in pages.details(outcome):
                self._console.print(line)
        if report.failed and self._console.is_terminal:
            self._console.print(_table(report.failed))
        self._console.print()
        for line in pages.ending(report, subject):
            self._console.print(line)


def _table(failed_ones: tuple[CheckOutcome, ...]) -> Table:
    table = Table("check", "section", "expected", "look for")
    for outcome in failed_ones:
        table.add_row(outcome.check, outcome.section, outcome.why, outcome.look_for)
    return table


def _profile(file: Path | None) -> DeviceProfile | None:
    if file is None:
        return None
    try:
        return read_profile(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise failed(f"profile {file}: {error}") from None


def _class_word(word: str, profile: DeviceProfile | None) -> str:
    declared = "" if profile is None else profile.device_class.name.lower()
    if word and declared and word != declared:
        raise usage(f"--class {word!r} is not the class of the profile, {declared}")
    return word or declared


def _subject(device_class: str, serial: str, key: Path | None, seal: str, baud: int) -> DeviceUnderTest:
    if device_class not in CLASSES:
        raise usage(f"--class {device_class!r} is not allowed; allowed: {', '.join(CLASSES)}")
    if seal not in ("", "none"):
        raise usage(f"--seal {seal!r} is not allowed; allowed: none, or --key FILE")
    if (key is None) != (seal == "none"):
        raise usage("a device has a key or none: give --key FILE or --seal none, and not both")
    try:
        return DeviceUnderTest(CLASSES[device_class], serial, read_key(key) if key else b"", baud)
    except KeyFault as error:
        raise failed(str(error)) from None


def _chosen(device_class: DeviceClass, only: list[str]) -> tuple[list[Check], frozenset[str]]:
    """The checks to run, and the names and groups in `only`. Raises typer.Exit after printing an error if one
    of them is unknown."""
    known = checks_of(device_class)
    for word in only:
        if not any(_matches(word, check) for check in known):
            every = any(_matches(word, check) for check in CHECKS)
            other = "belongs to another class" if every else "is not a check or a group of them"
            groups = ", ".join(dict.fromkeys(check.name.split(".")[0] for check in known))
            raise usage(f"--only {word!r} {other}; groups are: {groups}")
    chosen = [check for check in known if not only or any(_matches(word, check) for word in only)]
    return chosen, frozenset(only)


def _matches(word: str, check: Check) -> bool:
    return word in (check.name, check.name.split(".")[0])


def _operator(control: Path | None, unattended: bool) -> DeviceOperator:
    if control is not None:
        return ControlSocketOperator(control)
    if unattended or not sys.stdin.isatty():
        return NoOperator()
    return TerminalOperator(lambda text: asyncio.to_thread(input, text))


async def _examine(
    port: str,
    subject: DeviceUnderTest,
    checks: list[Check],
    named: frozenset[str],
    hand: DeviceOperator,
    show: OutcomePrinter,
) -> CheckReport:
    """Run the checks on a device. Raises Absent or OSError if the port or the control socket cannot be
    opened."""
    wire = PortWire(lambda: open_port(port, subject.baud))
    async with AsyncExitStack() as stack:
        if isinstance(hand, ControlSocketOperator):
            stack.push_async_callback(hand.close)
            await hand.open()
        stack.push_async_callback(wire.close)
        await wire.open()
        return await run(Probe(wire, subject, hand), checks, named, show.show_outcome)
