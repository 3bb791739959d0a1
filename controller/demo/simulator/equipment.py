"""What can be seen of the five simulated devices, from their notices."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from controller.demo.crew.indicators import Indicators
from controller.demo.simulator.chips import Stake
from drivers.protocol.codes import LAMPS


@dataclass(slots=True)
class DeviceCondition:
    """`connected`: the simulated device runs as a process; `in_session`: the table has it in its charge."""

    connected: bool = False
    plugged: bool = True
    powered: bool = True
    in_session: bool = False
    jammed: bool = False
    open: bool = False
    """The lid, of a device that has one."""


@dataclass(slots=True)
class Equipment:
    """All devices of the table. The notices of each come in order."""

    devices: Mapping[str, DeviceCondition]
    indicators: Indicators = field(default_factory=Indicators)
    """The prompt, the lit keys and the lamps."""
    prompt_text: str = ""
    """With the announcement of a claim."""
    prompt_seat: int = 0
    stakes: Sequence[Stake] = (None,) * LAMPS
    cards_out: int = 0
    """The shoe's count."""
    permitted: int = 0
    """The count up to which the shoe releases cards."""
    cards_left: int = 0
    shuffler: tuple[str, int] = "idle", 0
    """Its phase, and how many percent of it are done."""
    inside: int = 0
    """Cards in the shuffler."""
    tray: int = 0
    """Cards in its tray."""
    lines: Sequence[str] = ()
    """The lines of the players' display."""
    levels: Sequence[tuple[int, str]] = ()
    """The cents and the state of each jackpot on the display."""

    @property
    def cards_due(self) -> int:
        """Cards that the shoe may release now."""
        return max(0, self.permitted - self.cards_out)

    def notice(self, device: str, notice: Mapping[str, Any]) -> None:
        condition = self.devices[device]
        condition.connected = True
        self.indicators.notice(notice)
        if read := CONDITIONS.get(notice["notice"]):
            read(condition, notice)
        elif see := READERS.get(notice["notice"]):
            see(self, notice)

    def lost(self, device: str) -> None:
        """The process of a device ended."""
        condition = self.devices[device]
        condition.connected = condition.in_session = False
        self.indicators.lost(device)
        if device == "console":
            self.prompt_text = ""

    def _set_prompt(self, notice: Mapping[str, Any]) -> None:
        self.prompt_text, self.prompt_seat = notice["text"], notice["seat"]

    def _set_stakes(self, notice: Mapping[str, Any]) -> None:
        self.stakes = notice["stakes"]

    def _set_shoe(self, notice: Mapping[str, Any]) -> None:
        self.cards_out, self.cards_left = notice["count"], notice["left"]

    def _set_permit(self, notice: Mapping[str, Any]) -> None:
        self.permitted = notice["up_to"]

    def _count_card(self, notice: Mapping[str, Any]) -> None:
        self.cards_out = notice["count"]
        self.cards_left -= 1

    def _set_loaded(self, notice: Mapping[str, Any]) -> None:
        self.cards_left = notice["cards"]

    def _set_shuffler(self, notice: Mapping[str, Any]) -> None:
        self.shuffler = notice["state"], notice["percent"]

    def _set_contents(self, notice: Mapping[str, Any]) -> None:
        self.inside, self.tray = notice["inside"], notice["tray"]

    def _set_display(self, notice: Mapping[str, Any]) -> None:
        self.lines = [line for _, line in sorted(notice["lines"].items())]
        self.levels = [(cents, state) for _, (cents, state) in sorted(notice["levels"].items())]


def _set_session(device: DeviceCondition, notice: Mapping[str, Any]) -> None:
    device.in_session = notice["armed"]


def _set_cable(device: DeviceCondition, notice: Mapping[str, Any]) -> None:
    device.plugged = notice["plugged"]


def _set_power(device: DeviceCondition, notice: Mapping[str, Any]) -> None:
    device.powered = notice["on"]


def _set_jam(device: DeviceCondition, notice: Mapping[str, Any]) -> None:
    device.jammed = notice["on"]


def _set_cover(device: DeviceCondition, notice: Mapping[str, Any]) -> None:
    device.open = notice["open"]


CONDITIONS: Final[Mapping[str, Callable[[DeviceCondition, Mapping[str, Any]], None]]] = {
    "session": _set_session,
    "cable": _set_cable,
    "power": _set_power,
    "jam": _set_jam,
    "cover": _set_cover,
}
READERS: Final[Mapping[str, Callable[[Equipment, Mapping[str, Any]], None]]] = {
    "prompt": Equipment._set_prompt,
    "stakes": Equipment._set_stakes,
    "shoe": Equipment._set_shoe,
    "permit": Equipment._set_permit,
    "card": Equipment._count_card,
    "interrupted": Equipment._count_card,
    "loaded": Equipment._set_loaded,
    "shuffler": Equipment._set_shuffler,
    "contents": Equipment._set_contents,
    "display": Equipment._set_display,
}
