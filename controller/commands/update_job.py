"""One update of a device's firmware, without a daemon.

The device's events and the commands that it receives are recorded in the table's journal, as the daemon would
record them. The progress is printed line by line.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from controller.commands.stderr_log import log_to_stderr
from controller.config import Config, DeviceSection
from controller.daemon.daemon import open_journal
from controller.daemon.first_event import started_event
from controller.daemon.seal_check import open_sealer
from controller.journal.journal import Journal
from controller.table.record.codec import to_row
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
from controller.table.state.update_hindrances import update_hindrances
from controller.table.state_machine import apply, is_repeat
from drivers.devices.device import DeviceSettings
from drivers.link.facts import Bookmark, Expected
from drivers.link.reports import LinkEvent
from drivers.messages import CommandBody
from drivers.update.image import FirmwareUpdate
from drivers.update.progress import UpdatePhase, UpdateProgress
from drivers.update.updater import Updater

PERCENT_STEP = 10
"""A line is printed each time this many more percent have been sent."""
PHASE_TEXTS: dict[UpdatePhase, str] = {
    "meeting": "looking for the device",
    "beginning": "it runs {before}; announcing version {version}, {size:,} bytes",
    "sending": "sending",
    "restarting": "sent; it restarts into the new firmware",
    "trying": "the new firmware runs, on trial; looking at its health",
}
PENDING_TEXTS: dict[UpdatePhase, str] = {
    "restarting": "the new firmware is not confirmed: run this again within 120 s, or it reverts",
    "trying": "the new firmware is not confirmed: run this again within 120 s, or it reverts",
}
SUCCESSFUL = frozenset({"confirmed", "runs already"})
"""The results of an update after which the new version runs."""
RUN_AGAIN = "run this again: it goes on where it stopped"


class ProgressPrinter:
    """Prints a line for each new phase, percentage and trouble. It does not repeat a line."""

    def __init__(
        self, device: str, course: UpdateProgress, update: FirmwareUpdate, say: Callable[[str], None]
    ) -> None:
        self._device, self._course, self._update, self._say = device, course, update, say
        self._phase: UpdatePhase | None = None
        self._percent = 0
        self._trouble = ""

    @property
    def next_step(self) -> str:
        """What happens next, or has to be done, if the update is interrupted now."""
        return PENDING_TEXTS.get(self._course.phase, RUN_AGAIN)

    def update(self, trouble: str) -> None:
        """Print what is new. `trouble` is a sentence or empty; it is ignored while the device restarts,
        because a lost connection is expected then."""
        if trouble not in {"", self._trouble} and self._course.phase != "restarting":
            self._trouble = trouble
            self._print(trouble)
        if self._course.ended is None:
            self._print_phase()
            self._print_percent()

    def ended(self, last: FirmwareUpdated) -> None:
        """Print the result."""
        self._print(f"{last.result}: {last.text}")

    def _print_phase(self) -> None:
        if self._course.phase == self._phase:
            return
        self._phase = self._course.phase
        manifest = self._update.manifest
        words = PHASE_TEXTS[self._phase]
        self._print(
            words.format(before=self._course.previous_firmware, version=manifest.version, size=manifest.size)
        )

    def _print_percent(self) -> None:
        percent = 100 * self._course.sent // self._update.manifest.size // PERCENT_STEP * PERCENT_STEP
        if percent > self._percent:
            self._percent = percent
            self._print(f"{percent:3} %")

    def _print(self, text: str) -> None:
        self._say(f"{self._device}: {text}")


class FirmwareJournal:
    """The journal of the table during the update. Methods that write raise JournalError if the journal cannot
    be written; then nothing is sent to the device or committed."""

    def __init__(self, journal: Journal, state: TableState, device: str, clock: Callable[[], float]) -> None:
        self._journal, self._state, self._device, self._clock = journal, state, device, clock

    def open(self, started: Started) -> None:
        """Journal the configuration in force, as at the start of a daemon."""
        self._apply(started)

    def note(self, update: FirmwareUpdated) -> None:
        """Journal the state of the update."""
        self._journal.append([to_row(self._clock(), update)])

    def bookmark(self) -> Bookmark:
        """The bookmark of the device in the table's state."""
        return self._state.devices[self._device].bookmark()

    def record_event(self, event: LinkEvent) -> int | None:
        """Journal an event about the device's log or its actions, unless it is a repetition.

        Returns the number of the newest event on disk, None if this one is not from the device's log.
        """
        if not isinstance(event, DeviceUp | DeviceEvent | EventsMissing | ActionEnded):
            return None
        if not is_repeat(self._state, event):
            self._apply(event)
        return self.bookmark().newest if isinstance(event, DeviceEvent | EventsMissing) else None

    def record_action(self, key: int, record: CommandBody) -> None:
        """Journal an action before it is sent to the device."""
        self._apply(Action(self._device, key, record))

    def _apply(self, event: Input) -> None:
        at = self._clock()
        notes = apply(self._state, event, at)
        self._journal.append([to_row(at, event), *(to_row(at, note) for note in notes)])


class NotClosedError(Exception):
    """The table is not closed, so no update may begin; `reasons` are sentences."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = reasons


@dataclass(frozen=True, slots=True)
class UpdateJob:
    """An update to carry out. All that does not depend on the journal and the device has been checked."""

    device: str
    config: Config
    section: DeviceSection
    key: bytes
    update: FirmwareUpdate
    who: str
    second: str

    def record(self, result: str, before: str = "", text: str = "") -> FirmwareUpdated:
        """The journal's note of the update with this result."""
        version, digest = self.update.manifest.version, self.update.manifest.sha256.hex()
        return FirmwareUpdated(self.device, self.who, self.second, before, version, digest, result, text)


def carry_out(job: UpdateJob, say: Callable[[str], None]) -> FirmwareUpdated:
    """Carry out the update; `say` prints a line of its progress. Returns the journal's last note of it.

    Raises NotClosedError if the table is not closed, JournalError if the journal is in use, damaged or
    cannot be written.
    """
    log_to_stderr()
    with open_journal(job.config) as journal:
        started = started_event(job.config)
        state = recover(journal, started, open_sealer(job.config))
        if reasons := update_hindrances(state, job.device):
            raise NotClosedError(reasons)
        book = FirmwareJournal(journal, state, job.device, time.time)
        book.open(started)
        return _serve(job, UpdateProgress(job.update, time.monotonic()), book, say)


def _serve(
    job: UpdateJob, course: UpdateProgress, book: FirmwareJournal, say: Callable[[str], None]
) -> FirmwareUpdated:
    progress = ProgressPrinter(job.device, course, job.update, say)
    book.note(job.record("begun"))
    try:
        ending = asyncio.run(_updater(job, course, book, progress).run())
        last = job.record(ending.result, course.previous_firmware, ending.text)
    except KeyboardInterrupt:
        last = job.record("interrupted", course.previous_firmware, progress.next_step)
    book.note(last)
    if last.result in SUCCESSFUL:
        progress.ended(last)
    return last


def _updater(
    job: UpdateJob, course: UpdateProgress, book: FirmwareJournal, progress: ProgressPrinter
) -> Updater:
    section = job.section
    return Updater(
        Expected(job.update.manifest.device_class, section.serial, job.device),
        DeviceSettings(section.port, section.serial, section.baud, job.key),
        course,
        job.update.image,
        book,
        time.monotonic,
        progress.update,
    )
