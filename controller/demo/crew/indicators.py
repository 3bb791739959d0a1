"""What the crew sees on the devices."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from controller.round.prompts import Prompt, parse
from controller.table.apply.claims import without_announcement
from controller.table.view.console import LOAD
from drivers.protocol.codes import LAMPS, SPOTS_PER_SEAT, Lamp

DARK: Final = (Lamp.NO_BETS,) * LAMPS


@dataclass(frozen=True, slots=True)
class LoadShoe:
    """The table wants a new shoe. It is a prompt of the table, not of a round."""


def read_prompt(text: str) -> Prompt | LoadShoe | None:
    """What a prompt asks for; None: nothing that the crew does."""
    return LoadShoe() if text.startswith(LOAD) else parse(text)


@dataclass(slots=True)
class Indicators:
    """The prompt (its text, number and meaning), the lit keys, and the lamps of the spots.

    `text` has no claim at its beginning: whether one is to be confirmed makes no difference to the crew.
    """

    text: str = ""
    number: int = 0
    due: Prompt | LoadShoe | None = None
    keys: frozenset[str] = frozenset()
    lamps: Sequence[int] = DARK

    def notice(self, notice: Mapping[str, Any]) -> None:
        if look := READERS.get(notice["notice"]):
            look(self, notice)

    def lost(self, device: str) -> None:
        """Nothing on this device is visible any more."""
        if device == "console":
            self.text, self.due, self.keys = "", None, frozenset()
        elif device == "sensors":
            self.lamps = DARK

    def open(self, seat: int, spot: int) -> bool:
        """Whether the spot's lamp says that it takes wagers."""
        return self.lamps[SPOTS_PER_SEAT * (seat - 1) + spot] == Lamp.OPEN

    def _set_prompt(self, notice: Mapping[str, Any]) -> None:
        self.text, self.number = without_announcement(notice["text"]), notice["number"]
        self.due = read_prompt(self.text)

    def _set_keys(self, notice: Mapping[str, Any]) -> None:
        self.keys = frozenset(notice["keys"])

    def _set_lamps(self, notice: Mapping[str, Any]) -> None:
        self.lamps = notice["lamps"]


READERS: Final[Mapping[str, Callable[[Indicators, Mapping[str, Any]], None]]] = {
    "prompt": Indicators._set_prompt,
    "keys": Indicators._set_keys,
    "lamps": Indicators._set_lamps,
}
