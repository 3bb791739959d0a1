"""How far an update is, as lines for whoever waits for it."""

from collections.abc import Callable

from drivers.update.course import Course, Ending, Phase
from drivers.update.image_file import Update

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
