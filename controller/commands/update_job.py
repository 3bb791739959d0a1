"""One update of a device's firmware, between a table's journal and the device.

How far an update is, as lines for whoever waits for it.

A table's journal while the firmware of one of its devices is updated, with no daemon: what the device
tells and what it is asked for is kept as the daemon keeps it.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import typer

from controller.config.devices import DeviceSection
from controller.config.reading import Config
from controller.daemon.daemon import kept, started
from controller.journal.journal import Journal
from controller.table.record.codec import row
from controller.table.record.events import (
    Action,
    ActionEnded,
    DeviceEvent,
    DeviceUp,
    EventsMissing,
    Input,
    Started,
)
from controller.table.record.notes import FirmwareUpdated
from controller.table.recovery import recover
from controller.table.state.table_state import TableState
from controller.table.state.update_hindrances import hindrances
from controller.table.state_machine import apply, is_repeat
from drivers.devices.device import DeviceSettings
from drivers.link import facts as link
from drivers.messages import CommandBody
from drivers.update.image import Update
from drivers.update.progress import Course, Ending, Phase
from drivers.update.updater import Updater

STEP = 10
"""Percent between two lines."""
PHASES: dict[Phase, str] = {
    "meeting": "looking for the device",
    "beginning": "it runs {before}; announcing version {version}, {size:,} bytes",
    "sending": "sending",
    "restarting": "sent; it restarts into the new firmware",
    "trying": "the new firmware runs, on trial; looking at its health",
}
STANDS: dict[Phase, str] = {
    "restarting": "the new firmware is not confirmed: run this again within 120 s, or it reverts",
    "trying": "the new firmware is not confirmed: run this again within 120 s, or it reverts",
}
RUN_AGAIN = "run this again: it goes on where it stopped"


class Progress:
    """Says a line when there is news, and nothing twice."""

    def __init__(self, device: str, course: Course, update: Update, say: Callable[[str], None]) -> None:
        self._device, self._course, self._update, self._say = device, course, update, say
        self._phase: Phase | None = None
        self._percent = 0
        self._trouble = ""

    @property
    def stands(self) -> str:
        """What becomes of it if nobody does anything now."""
        return STANDS.get(self._course.phase, RUN_AGAIN)

    def told(self, trouble: str) -> None:
        """Something happened; `trouble` is a sentence, or empty. That the device goes to restart is none."""
        if trouble not in {"", self._trouble} and self._course.phase != "restarting":
            self._trouble = trouble
            self._line(trouble)
        if self._course.ended is None:
            self._tell_phase()
            self._tell_percent()

    def ended(self, ending: Ending) -> None:
        """It is over."""
        self._line(f"{ending.result}: {ending.text}")

    def _tell_phase(self) -> None:
        if self._course.phase == self._phase:
            return
        self._phase = self._course.phase
        manifest = self._update.manifest
        words = PHASES[self._phase]
        self._line(words.format(before=self._course.before, version=manifest.version, size=manifest.size))

    def _tell_percent(self) -> None:
        percent = 100 * self._course.sent // self._update.manifest.size // STEP * STEP
        if percent > self._percent:
            self._percent = percent
            self._line(f"{percent:3} %")

    def _line(self, text: str) -> None:
        self._say(f"{self._device}: {text}")


class FirmwareBook:
    """Raises JournalError when the journal cannot be written: nothing is then sent or committed."""

    def __init__(self, journal: Journal, state: TableState, device: str, clock: Callable[[], float]) -> None:
        self._journal, self._state, self._device, self._clock = journal, state, device, clock

    def open(self, started: Started) -> None:
        """The configuration in force, as at the start of a daemon."""
        self._take(started)

    def note(self, update: FirmwareUpdated) -> None:
        """How the update stands."""
        self._journal.append([row(self._clock(), update)])

    def bookmark(self) -> link.Bookmark:
        """What the journal knows of the device."""
        return self._state.devices[self._device].bookmark()

    def told(self, event: link.HostEvent) -> int | None:
        """The device told something."""
        if (report := _REPORTS.get(type(event))) is None:
            return None
        told = report(self._device, event)
        if not is_repeat(self._state, told):
            self._take(told)
        return self.bookmark().newest if isinstance(told, DeviceEvent | EventsMissing) else None

    def order(self, key: int, record: CommandBody) -> None:
        """The device is about to be asked."""
        self._take(Action(self._device, key, record))

    def _take(self, event: Input) -> None:
        at = self._clock()
        notes = apply(self._state, event, at)
        self._journal.append([row(at, event), *(row(at, note) for note in notes)])


def _event(device: str, event: link.EventArrived) -> DeviceEvent:
    return DeviceEvent(
        device,
        event.log,
        event.number,
        event.uptime_us,
        event.boot,
        event.body,
        event.history,
        event.critical,
    )


_REPORTS: dict[type, Callable[[str, Any], Input]] = {
    link.Up: lambda device, up: DeviceUp(device, up.facts, up.relation),
    link.EventArrived: _event,
    link.EventsLost: lambda device, lost: EventsMissing(device, lost.log, lost.first, lost.last),
    link.ActionEnded: lambda device, ended: ActionEnded(device, ended.key, ended.status, ended.text),
}

GOOD = frozenset({"confirmed", "runs already"})


class NotClosedError(Exception):
    """The table is in the middle of something; `reasons` holds a sentence for each."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = reasons


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done, checked as far as that can be without the journal and the device."""

    device: str
    config: Config
    section: DeviceSection
    key: bytes
    update: Update
    who: str
    second: str

    def noted(self, result: str, before: str = "", text: str = "") -> FirmwareUpdated:
        """For the journal."""
        version, digest = self.update.manifest.version, self.update.manifest.sha256.hex()
        return FirmwareUpdated(self.device, self.who, self.second, before, version, digest, result, text)


def carry_out(job: Job) -> str:
    """Does it, and prints how far it is; afterwards what is wrong, empty if nothing is.

    Raises NotClosedError, and JournalError when the journal is in use, damaged or cannot be written.
    """
    with kept(job.config) as journal:
        begun = started(job.config)
        state = recover(journal, begun)
        if reasons := hindrances(state, job.device):
            raise NotClosedError(reasons)
        book = FirmwareBook(journal, state, job.device, time.time)
        book.open(begun)
        return _serve(job, Course(job.update, time.monotonic()), book)


def _serve(job: Job, course: Course, book: FirmwareBook) -> str:
    progress = Progress(job.device, course, job.update, typer.echo)
    book.note(job.noted("begun"))
    try:
        ending = asyncio.run(_updater(job, course, book, progress).run())
    except KeyboardInterrupt:
        book.note(job.noted("interrupted", course.before, progress.stands))
        return f"interrupted; {progress.stands}"
    book.note(job.noted(ending.result, course.before, ending.text))
    return _judged(ending, progress)


def _updater(job: Job, course: Course, book: FirmwareBook, progress: Progress) -> Updater:
    section = job.section
    return Updater(
        DeviceSettings(section.port, section.serial, section.baud, job.key),
        job.update.manifest.device_class,
        course,
        job.update.image,
        book,
        time.monotonic,
        progress.told,
    )


def _judged(ending: Ending, progress: Progress) -> str:
    if ending.result not in GOOD:
        return f"{ending.result}: {ending.text}"
    progress.ended(ending)
    return ""
