"""A whole table as processes, with blocking hands at its five devices and eyes on its page."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.demo.scene import Scene
from controller.demo.stage import KINDS
from controller.monitor.client import TableAbsentError, fetch
from controller.table.view import DeviceView, TableView
from drivers.protocol.codes import LAMPS, SPOTS_PER_SEAT, Lamp
from tests.system.hand import Hand
from tests.system.stage import QuickStage
from tests.waiting import PATIENCE, PAUSE

LONG = 600.0
"""Seconds, ended by hand."""


class House:
    """The stage of the demonstration, with a loop of its own that runs only to start and end processes."""

    def __init__(self, folder: Path, scene: Scene | None = None) -> None:
        self.stage = QuickStage(folder, scene or Scene())
        self.hands: dict[str, Hand] = {}
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)

    def __enter__(self) -> Self:
        self._runner.run(self.stage.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.run(self.stage.__aexit__(kind, error, trace))
        self._runner.close()

    @contextmanager
    def staffed(self) -> Iterator[Self]:
        """With a hand at each device."""
        self.hands = {kind: Hand(self.stage.control(kind)) for kind in KINDS}
        try:
            yield self
        finally:
            for hand in self.hands.values():
                hand.close()

    def start_daemon(self) -> None:
        """Start it, and wait until it is ready."""
        self._runner.run(self.stage.start_daemon())

    def stop_daemon(self) -> None:
        """End it in order."""
        self._runner.run(self.stage.stop_daemon())

    def kill_daemon(self) -> None:
        """`kill -9`: it has no last word."""
        self._runner.run(self.stage.kill_daemon())

    def kill_device(self, kind: str) -> None:
        """`kill -9` a simulated device: no last word, and no port any more."""
        self.hands.pop(kind).close()
        self._runner.run(self.stage.kill_device(kind))

    def start_device(self, kind: str) -> None:
        """Switch it on again; its memory is what it was."""
        self._runner.run(self.stage.start_device(kind))
        self.hands[kind] = Hand(self.stage.control(kind))

    def view(self) -> TableView:
        """The table as anyone may see it."""
        return fetch("127.0.0.1", self.stage.web_port, timeout=PATIENCE)

    def page(self, path: str = "/") -> str:
        """What stands on the page."""
        with self._got(path) as answer:
            return answer.read().decode()

    @contextmanager
    def following(self) -> Iterator[Iterator[str]]:
        """The lines of the page's stream of events, as they come."""
        with self._got("/events") as answer:
            yield (line.decode() for line in answer)

    @contextmanager
    def unplugged(self, kind: str) -> Iterator[None]:
        """Without the cable of this device, from when the table knows."""
        self.hands[kind].ask("hang-up", seconds=LONG)
        try:
            self.until(lambda view: f"Missing: the {kind}" in view.suspended)
            yield
        finally:
            self.hands[kind].ask("hang-up", seconds=0)

    def permitted(self) -> None:
        """Returns when the shoe, too, has heard that the next card is due."""
        shoe = self.hands["shoe"]
        self.until(lambda view: shoe.last("permit")["up_to"] > view.shoe.cards_out)

    def pull(self) -> None:
        """A card leaves the shoe, as soon as it lets one out."""
        self.permitted()
        self.hands["shoe"].ask("pull")

    def sessions(self) -> dict[str, int]:
        """How many there were with each device since the daemon began."""
        return {device.name: device.counters["sessions"] for device in self.view().devices}

    def steady(self) -> bool:
        """Whether the machine never stood still: no session ended, no heartbeat was late."""
        every = [device.counters for device in self.view().devices]
        return {(counters["sessions"], counters["late_heartbeats"]) for counters in every} == {(1, 0)}

    def log(self) -> str:
        """All that the daemon wrote."""
        return (self.stage.folder / "daemon.log").read_text()

    def until(self, condition: Callable[[TableView], object], limit: float = PATIENCE) -> TableView:
        """The first view for which it holds; fails with the last one after `limit` seconds."""
        end = time.monotonic() + limit
        while True:
            try:
                view = self.view()
            except TableAbsentError:
                assert time.monotonic() < end, self.stage.last_words("daemon")
            else:
                if condition(view):
                    return view
                assert time.monotonic() < end, f"not after {limit:g} s: {gist(view)}"
            time.sleep(PAUSE)

    @contextmanager
    def _got(self, path: str) -> Iterator[HTTPResponse]:
        connection = HTTPConnection("127.0.0.1", self.stage.web_port, timeout=PATIENCE)
        try:
            connection.request("GET", path)
            yield connection.getresponse()
        finally:
            connection.close()

    def settled(self) -> TableView:
        """The view once every device shows what it says."""
        return self.until(lambda view: not self.wrong(view))

    def recovered(self) -> TableView:
        """The view once nothing is wrong any more, and every device shows what it says."""
        self.until(lambda view: not view.suspended)
        return self.settled()

    def wrong(self, view: TableView) -> list[str]:
        """What the devices show otherwise than the view."""
        console, sensors, display = (self.hands[kind] for kind in ("console", "sensors", "display"))
        lamps = bytes(sensors.last("lamps")["lamps"])
        prompt, picture = console.last("prompt"), display.last("display")
        lines = {str(number): line for number, line in enumerate(view.display)}
        pairs = {
            "running": ({device.state for device in view.devices}, {"running"}),
            "lamps": (lamps, pattern(view)),
            "prompt": ((prompt["text"], prompt["seat"]), (view.prompt, view.prompt_seat)),
            "keys": (tuple(console.last("keys")["keys"]), view.keys),
            "lines": (picture["lines"], lines),
            "link-lost mark": (picture["lost"], False),
        }
        return [f"{name}: {shown}, not {said}" for name, (shown, said) in pairs.items() if shown != said]


def gist(view: TableView) -> dict[str, object]:
    """What a failure must tell."""
    devices = {device.name: f"{device.state} {device.detail}" for device in view.devices}
    return {
        "round": view.round, "phase": view.phase, "prompt": view.prompt, "suspended": view.suspended,
        "alerts": view.alerts, "devices": devices,
    }  # fmt: skip


def device(view: TableView, name: str) -> DeviceView:
    """One device of a view."""
    return next(device for device in view.devices if device.name == name)


def pattern(view: TableView) -> bytes:
    """All 54 lamps of a view."""
    lamps = bytearray(LAMPS)
    for seat in view.seats:
        for place, spot in enumerate(seat.spots):
            lamps[SPOTS_PER_SEAT * (seat.seat - 1) + place] = Lamp[spot.lamp.upper().replace(" ", "_")]
    return bytes(lamps)
