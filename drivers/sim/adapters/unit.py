"""A simulated commercial shoe without a port, and its cable."""

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from drivers.sim.adapters.angel_eye import AngelEyeFirmware
from drivers.sim.adapters.bee_tek import BeeTekFirmware
from drivers.sim.adapters.body import OpenShoeBody, PlainShoeBody
from drivers.sim.body import SimulatedBody
from drivers.sim.cable import Cable, Faults
from drivers.sim.cards import decks, shuffled
from drivers.sim.kinds import BEHIND_CUT
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import Verb
from drivers.sim.shoe import Pack
from drivers.sim.unit import DeviceEnd, Unit


class PlainCable(Cable):
    """A cable for lines without frames: faults hit what one `put` sends."""

    def put(self, data: bytes, now: float) -> None:
        if self.faults.none or not data:
            self._send(data, now)
        else:
            self._carry(data, now)


class PlainEnd(DeviceEnd, Protocol):
    """The firmware of a commercial shoe."""

    verbs: Mapping[str, Verb]

    def pieces(self, now: float) -> Iterator[bytes]:
        """Everything that is to be written now, message by message."""


Firmware = Callable[[PlainShoeBody, PhysicalState, float], PlainEnd]
FIRMWARE: Mapping[str, tuple[type[PlainShoeBody], Firmware]] = {
    "angel-eye-2ex": (PlainShoeBody, AngelEyeFirmware),
    "bee-tek": (OpenShoeBody, BeeTekFirmware),
}


class PlainUnit(Unit):
    """A commercial shoe without a port. `settings.kind` is its make."""

    _body: PlainShoeBody
    _state: PhysicalState

    def transmit(self, now: float) -> bytes:
        """Bytes that reach the host now. Faults hit whole messages."""
        self._now = now
        if self._end is not None and self.running:
            for piece in self._end.pieces(now):
                self.toward_host.put(piece, now)
        return super().transmit(now)

    def _cable(self, seed: str, faults: Faults, baud: int) -> Cable:
        return PlainCable(seed, faults, baud)

    def _build(self, surroundings: PhysicalState) -> SimulatedBody:
        settings, self._state = self.settings, surroundings
        own = Pack(shuffled(decks(settings.decks), settings.seed, -1), BEHIND_CUT, settings.decks)
        pack = Pack(settings.stack, 0, settings.decks) if settings.stack else own
        self._body = FIRMWARE[settings.kind][0](
            self,
            memory=self.memory,
            surroundings=surroundings,
            pack=pack,
            log=settings.log,
            tempo=settings.tempo,
        )
        return self._body

    def _start(self, now: float) -> DeviceEnd:
        self._end: PlainEnd | None = FIRMWARE[self.settings.kind][1](self._body, self._state, now)
        self._verbs.update(self._end.verbs)
        return self._end
