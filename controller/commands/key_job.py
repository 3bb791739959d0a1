"""Another maker's key for one device at a closed table. The progress is printed line by line."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from controller.commands.closed_table import DeviceWork, closed_table, follow
from controller.table.record.notes import MakerKeyReplaced
from drivers.update.key_replacement import KeyPhase, KeyReplacement
from drivers.update.maker_key import SignedMakerKey

PHASE_TEXTS: dict[KeyPhase, str] = {"meeting": "looking for the device", "sending": "sending the key"}
SUCCESSFUL = "replaced"
RUN_AGAIN = "run this again: it says whether the device has the key"


class KeyPrinter:
    """Prints a line for each new phase and trouble. It does not repeat a line."""

    def __init__(self, device: str, course: KeyReplacement, say: Callable[[str], None]) -> None:
        self._device, self._course, self._say = device, course, say
        self._printed: set[str] = set()

    def update(self, trouble: str) -> None:
        """Print what is new. `trouble` is a sentence or empty."""
        phase = "" if self._course.ended else PHASE_TEXTS[self._course.phase]
        for text in (trouble, phase):
            if text and text not in self._printed:
                self._printed.add(text)
                self._say(f"{self._device}: {text}")


@dataclass(frozen=True, slots=True)
class KeyJob:
    """A maker's key to bring to a device."""

    work: DeviceWork
    signed: SignedMakerKey

    def record(self, result: str, text: str = "") -> MakerKeyReplaced:
        """The journal's note with this result."""
        work, signed = self.work, self.signed
        return MakerKeyReplaced(
            work.device, work.who, work.second, signed.generation, signed.key.hex(), result, text
        )


def carry_out(job: KeyJob, say: Callable[[str], None]) -> MakerKeyReplaced:
    """Bring the key to the device; `say` prints a line of the progress. Returns the journal's last note of
    it.

    Raises what `closed_table` raises.
    """
    with closed_table(job.work) as book:
        course = KeyReplacement(job.signed, time.monotonic())
        book.note(job.record("begun"))
        ending = follow(job.work, course, book, KeyPrinter(job.work.device, course, say).update)
        last = job.record(ending.result, ending.text) if ending else job.record("interrupted", RUN_AGAIN)
        book.note(last)
        if last.result == SUCCESSFUL:
            say(f"{job.work.device}: {last.result}: {last.text}")
        return last
