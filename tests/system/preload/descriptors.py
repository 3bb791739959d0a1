"""Controls a process that has `descriptors.c` loaded."""

from pathlib import Path

from tests.system.preload.controls import Controls, compiled


def build(folder: Path) -> Path:
    return compiled(folder, "descriptors.c")


class Descriptors(Controls):
    FIELDS = ("calls", "fail_from", "fail_most")
    VARIABLE = "DRILL_DESCRIPTORS"

    @property
    def calls(self) -> int:
        """How many descriptors the process requested."""
        return self._get("calls")

    def begin(self) -> None:
        """Counts from 0 again; no call is refused."""
        self._set(calls=0, fail_from=0, fail_most=0)

    def fail(self, call: int, *, most: int = 1) -> None:
        """Refuses this call, counted from 1; `most` calls in all, 0: also all that follow."""
        self._set(fail_most=most, fail_from=call)
