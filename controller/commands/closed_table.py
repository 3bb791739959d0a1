"""Work on one device of a closed table, without a daemon.

The device's events and the commands that it receives are recorded in the table's journal, as the daemon would
record them.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
from controller.table.record.notes import Note
from controller.table.recovery import recover
from controller.table.state.table_state import TableState
from controller.table.state.update_hindrances import update_hindrances
from controller.table.state_machine import apply, is_repeat
from drivers.devices.device import DeviceSettings
from drivers.link.facts import Bookmark, Expected
from drivers.link.reports import LinkEvent
from drivers.messages import CommandBody
from drivers.protocol.codes import DeviceClass
from drivers.update.course import UpdateCourse, UpdateEnd
from drivers.update.updater import Updater


class NotClosedError(Exception):
    """The table is not closed, so no work may begin; `reasons` are sentences."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = reasons


@dataclass(frozen=True, slots=True)
class DeviceWork:
    """Who works on which device. All that does not depend on the journal and the device has been checked."""

    device: str
    device_class: DeviceClass
    config: Config
    section: DeviceSection
    key: bytes
    who: str
    second: str


class DeviceJournal:
    """The journal of the table during the work. Methods that write raise JournalError if the journal cannot
    be written; then nothing is sent to the device or committed."""

    def __init__(self, journal: Journal, state: TableState, device: str, clock: Callable[[], float]) -> None:
        self._journal, self._state, self._device, self._clock = journal, state, device, clock

    def open(self, started: Started) -> None:
        """Journal the configuration in force, as at the start of a daemon."""
        self._apply(started)

    def note(self, note: Note) -> None:
        """Journal how far the work is."""
        self._journal.append([to_row(self._clock(), note)])

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


@contextmanager
def closed_table(work: DeviceWork) -> Iterator[DeviceJournal]:
    """The journal of a table that is closed, opened for this work.

    Raises NotClosedError if the table is not closed, JournalError if the journal is in use, damaged or
    cannot be written.
    """
    log_to_stderr()
    with open_journal(work.config) as journal:
        started = started_event(work.config)
        state = recover(journal, started, open_sealer(work.config))
        if reasons := update_hindrances(state, work.device):
            raise NotClosedError(reasons)
        book = DeviceJournal(journal, state, work.device, time.time)
        book.open(started)
        yield book


def follow(
    work: DeviceWork,
    course: UpdateCourse,
    book: DeviceJournal,
    on_progress: Callable[[str], None],
    image: bytes = b"",
) -> UpdateEnd | None:
    """Carry the work out, with the image that the device may ask for. None: the person interrupted it."""
    section = work.section
    updater = Updater(
        Expected(work.device_class, section.serial, work.device),
        DeviceSettings(section.port, section.serial, section.baud, work.key),
        course,
        image,
        book,
        time.monotonic,
        on_progress,
    )
    try:
        return asyncio.run(updater.run())
    except KeyboardInterrupt:
        return None
