"""The crew of the demonstration at a table in virtual time: dealer and players who play by themselves."""

from collections.abc import Mapping
from typing import Any, Final

from controller.demo.crew.device_requests import DeviceRequest
from controller.demo.crew.play import CrewMachine
from controller.demo.crew.playbook import playbook
from controller.demo.settings import DemoSettings
from drivers.sim.requests import RequestError
from tests.system.drill.world import KINDS, World

THINK: Final = 0.01
"""Seconds between seeing something and acting."""


NO_POWER: Final = 0.5
"""Seconds in which somebody has put the plug in again."""


class Crowd:
    """Does one thing after the other; `acts` counts them."""

    def __init__(self, scene: DemoSettings, world: World) -> None:
        self.play = CrewMachine(playbook(scene.rules), scene.seed)
        self.acts, self.acted_at = 0, world.now
        self.trips = False
        """The next card that is pulled is on its way when the shoe loses its power."""
        self._world = world
        world.notice, world.act = self._notice, self._act
        for kind in KINDS:
            self.come_back(kind)

    @property
    def rounds(self) -> int:
        """The number of rounds that are over."""
        return len(self.play.rounds)

    def lose(self, kind: str) -> None:
        """A device is out of sight."""
        self.play.disconnected(kind)
        self._think()

    def come_back(self, kind: str) -> None:
        """It is in sight again."""
        for notice in self._world.see(kind).values():
            self._notice(kind, notice)

    def leave(self) -> None:
        """Does nothing more."""
        self._world.act = _nothing

    def impatient(self) -> None:
        """Repeats its last act."""
        self.play.retry()
        self._think()

    def _notice(self, _kind: str, notice: Mapping[str, Any]) -> None:
        self.play.notice(notice)
        self._think()

    def _think(self) -> None:
        self._world.due = min(self._world.due, self._world.now + THINK)

    def _act(self) -> None:
        ask = self.play.next()
        if ask is None:
            return
        self.acts, self.acted_at = self.acts + 1, self._world.now
        self.play.sent(ask)
        try:
            answer = self._world.ask(ask.device, **ask.request)
        except RequestError:
            self.play.refused(ask)
        else:
            self.play.completed(ask, answer)
            self._think()
            self._trip(ask)

    def _trip(self, ask: DeviceRequest) -> None:
        if self.trips and (ask.device, ask.request["do"]) == ("shoe", "pull"):
            self.trips = False
            self._world.ask("shoe", "reboot", seconds=NO_POWER)


def _nothing() -> None:
    """The acts of a crew that has left."""
