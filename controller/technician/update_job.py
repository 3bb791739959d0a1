"""One update of a device's firmware, between a table's journal and the device."""

import asyncio
import time
from dataclasses import dataclass

import typer

from controller.config import Config
from controller.config_devices import DeviceSection
from controller.daemon import kept, started
from controller.table.closed import hindrances
from controller.table.notes import FirmwareUpdated
from controller.table.recovery import recover
from controller.technician.firmware_book import FirmwareBook
from controller.technician.progress import Progress
from drivers.device import DeviceSettings
from drivers.update.course import Course, Ending
from drivers.update.image_file import Update
from drivers.update.serving import Updater

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
