"""What is to be seen on the devices, by those who stand around the table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from controller.demo.crew.prompts import CLAIM
from drivers.protocol.codes import LAMPS, SPOTS_PER_SEAT, Lamp

DARK: Final = (Lamp.NO_BETS,) * LAMPS


@dataclass(slots=True)
class Indicators:
    """The prompt and its number, the lit keys, the lamps of the spots."""

    prompt: str = ""
    number: int = 0
    keys: frozenset[str] = frozenset()
    lamps: Sequence[int] = DARK

    def notice(self, notice: Mapping[str, Any]) -> None:
        """Look at what is told to be seen."""
        if look := READERS.get(notice["notice"]):
            look(self, notice)

    def lost(self, device: str) -> None:
        """Nothing is to be seen there any more."""
        if device == "console":
            self.prompt, self.keys = "", frozenset()
        elif device == "sensors":
            self.lamps = DARK

    def open(self, seat: int, spot: int) -> bool:
        """The spot's lamp invites."""
        return self.lamps[SPOTS_PER_SEAT * (seat - 1) + spot] == Lamp.OPEN

    def _set_prompt(self, notice: Mapping[str, Any]) -> None:
        self.prompt, self.number = CLAIM.sub("", notice["text"]), notice["number"]

    def _set_keys(self, notice: Mapping[str, Any]) -> None:
        self.keys = frozenset(notice["keys"])

    def _set_lamps(self, notice: Mapping[str, Any]) -> None:
        self.lamps = notice["lamps"]


READERS: Final[Mapping[str, Callable[[Indicators, Mapping[str, Any]], None]]] = {
    "prompt": Indicators._set_prompt,
    "keys": Indicators._set_keys,
    "lamps": Indicators._set_lamps,
}
