"""The five kinds of simulated device and how each is built."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from drivers.protocol.codes import DeviceClass
from drivers.sim.bet_sensors import SensorsBody
from drivers.sim.body import TEMPOS, BodyOutput, SimulatedBody, Tempo
from drivers.sim.cards import decks, shuffled
from drivers.sim.dealer_console import ConsoleBody
from drivers.sim.jackpot_display import DisplayBody
from drivers.sim.link.memory import Memory
from drivers.sim.physical_state import PhysicalState
from drivers.sim.shoe import Pack, ShoeBody
from drivers.sim.shuffler import ShufflerBody

BEHIND_CUT: Final = 52
"""Cards behind the cut card of a pack that the shoe shuffled itself."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a simulated device is. `stack`: the shoe's cards in order, instead of shuffled decks."""

    kind: str
    serial: str
    seed: int = 1
    speed: str = "human"
    decks: int = 8
    stack: tuple[str, ...] = ()
    log: Path | None = None

    @property
    def tempo(self) -> Tempo:
        return TEMPOS[self.speed]


@dataclass(frozen=True, slots=True)
class DeviceKind:
    """One class of device."""

    device_class: DeviceClass
    build: Callable[[BodyOutput, Settings, Memory, PhysicalState], SimulatedBody]


def _shoe(outlet: BodyOutput, settings: Settings, memory: Memory, state: PhysicalState) -> SimulatedBody:
    own = Pack(shuffled(decks(settings.decks), settings.seed, -1), BEHIND_CUT, settings.decks)
    pack = Pack(settings.stack, 0, settings.decks) if settings.stack else own
    return ShoeBody(
        outlet, memory=memory, surroundings=state, pack=pack, log=settings.log, tempo=settings.tempo
    )


def _shuffler(outlet: BodyOutput, settings: Settings, _memory: Memory, state: PhysicalState) -> SimulatedBody:
    return ShufflerBody(outlet, state, settings.decks, settings.seed, settings.tempo)


def _sensors(outlet: BodyOutput, settings: Settings, _memory: Memory, state: PhysicalState) -> SimulatedBody:
    return SensorsBody(outlet, state, settings.seed, settings.tempo)


def _display(
    outlet: BodyOutput, _settings: Settings, _memory: Memory, _state: PhysicalState
) -> SimulatedBody:
    return DisplayBody(outlet)


def _console(
    outlet: BodyOutput, _settings: Settings, _memory: Memory, _state: PhysicalState
) -> SimulatedBody:
    return ConsoleBody(outlet)


KINDS: Final[Mapping[str, DeviceKind]] = {
    "shoe": DeviceKind(DeviceClass.SHOE, _shoe),
    "shuffler": DeviceKind(DeviceClass.SHUFFLER, _shuffler),
    "sensors": DeviceKind(DeviceClass.SENSORS, _sensors),
    "display": DeviceKind(DeviceClass.DISPLAY, _display),
    "console": DeviceKind(DeviceClass.CONSOLE, _console),
}
