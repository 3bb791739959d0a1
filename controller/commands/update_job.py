"""One update of a device's firmware at a closed table. The progress is printed line by line."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from controller.commands.closed_table import DeviceJournal, DeviceWork, closed_table, follow
from controller.table.record.notes import FirmwareUpdated
from drivers.update.image import FirmwareUpdate
from drivers.update.progress import UpdatePhase, UpdateProgress

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


@dataclass(frozen=True, slots=True)
class UpdateJob:
    """An update to carry out."""

    work: DeviceWork
    update: FirmwareUpdate

    def record(self, result: str, before: str = "", text: str = "") -> FirmwareUpdated:
        """The journal's note of the update with this result."""
        work, manifest = self.work, self.update.manifest
        return FirmwareUpdated(
            work.device,
            work.who,
            work.second,
            before,
            manifest.version,
            manifest.sha256.hex(),
            result,
            text,
        )


def carry_out(job: UpdateJob, say: Callable[[str], None]) -> FirmwareUpdated:
    """Carry out the update; `say` prints a line of its progress. Returns the journal's last note of it.

    Raises what `closed_table` raises.
    """
    with closed_table(job.work) as book:
        return _serve(job, UpdateProgress(job.update, time.monotonic()), book, say)


def _serve(
    job: UpdateJob, course: UpdateProgress, book: DeviceJournal, say: Callable[[str], None]
) -> FirmwareUpdated:
    progress = ProgressPrinter(job.work.device, course, job.update, say)
    book.note(job.record("begun"))
    ending = follow(job.work, course, book, progress.update, job.update.image)
    if ending:
        last = job.record(ending.result, course.previous_firmware, ending.text)
    else:
        last = job.record("interrupted", course.previous_firmware, progress.next_step)
    book.note(last)
    if last.result in SUCCESSFUL:
        progress.ended(last)
    return last
