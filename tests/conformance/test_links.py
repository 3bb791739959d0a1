"""Each end of the link follows the scripts of its reliability."""

from collections.abc import Callable
from typing import Any

import pytest

from drivers.link.endpoint import Ended, Endpoint, Received, Vitals
from drivers.link.frames import WireFrame, encode
from drivers.link.key_schedule import SessionKeys
from drivers.link.seal import Sealing
from drivers.protocol.codes import Channel, Flag, Side

from . import bench
from .bench import StepResult, play
from .firmware import FirmwareLink, Program
from .vectors import Vector, built, load, name_of, shown

SIDES = {"host": Side.HOST, "device": Side.DEVICE}
PEERS = {Side.HOST: Side.DEVICE, Side.DEVICE: Side.HOST}
NOT_TAKEN = ("", "stray", "heartbeat")
LINK_FILES = ("receiving", "sending", "sealed-link")


@pytest.mark.parametrize("vector", load(*LINK_FILES), ids=name_of)
@pytest.mark.parametrize("language", ["python", "c"])
def test_a_link_end_follows_each_script_of_the_vectors(
    vector: Vector, language: str, firmware: Program
) -> None:
    play(vector, MAKERS[language](vector, firmware))


class OpenLink:
    """An endpoint in a session without heartbeats, which say nothing here."""

    def __init__(self, vector: Vector) -> None:
        side, keys = SIDES[vector["side"]], _keys(vector)
        self._peer = Sealing(keys, PEERS[side]) if keys else None
        self._endpoint = Endpoint(side, 0.0, lambda: Vitals(alive=False), sealed=keys is not None)
        self._endpoint.install(0.0, Sealing(keys, side) if keys else None)
        self.take = self._endpoint.take
        self.deadline = self._endpoint.deadline

    def do(self, wish: Vector, now: float) -> None:
        for name, value in wish.items():
            getattr(self, f"_{name}")(value, now)

    def feed(self, data: bytes, now: float, happened: StepResult) -> None:
        _note(self._endpoint.feed(data, now), happened)

    def tick(self, now: float, happened: StepResult) -> None:
        _note(self._endpoint.tick(now), happened)

    def _send(self, wish: Vector, _now: float) -> None:
        channel = Channel(wish["channel"])
        self._endpoint.send(channel, built(wish["message"]), critical=wish["critical"])

    def _control(self, message: Vector, _now: float) -> None:
        self._endpoint.send_control(built(message))

    def _repeat(self, frames: Vector, now: float) -> None:
        payload = bytes.fromhex(frames["payload"])
        for sequence in range(frames["count"]):
            frame = WireFrame(Flag.CRITICAL, frames["channel"], sequence, 0, 8, payload)
            heard = self._peer.seal(frame) if self._peer else frame
            assert len(list(self._endpoint.feed(encode(heard), now))) == 1

    def _acknowledged(self, vector: Vector, now: float) -> None:
        for number in range(vector["count"]):
            self._endpoint.send(Channel(vector["channel"]), built(vector["message"]))
            assert self._endpoint.take(now)
            quiet = WireFrame(0, Channel.CONTROL, 0, number + 1, 8, b"")
            assert list(self._endpoint.feed(encode(quiet), now)) == []


def _keys(vector: Vector) -> SessionKeys | None:
    stated = vector.get("keys", {})
    return SessionKeys(**{name: bytes.fromhex(key) for name, key in stated.items()}) if stated else None


def _note(found: Any, happened: StepResult) -> None:
    for item in found:
        if isinstance(item, Ended):
            happened.ended.append(item.reason)
        elif isinstance(item, Received) and item.name not in NOT_TAKEN:
            happened.taken.append({item.name: shown(item.message)})


MAKERS: dict[str, Callable[[Vector, Program], bench.Side]] = {
    "python": lambda vector, _program: OpenLink(vector),
    "c": FirmwareLink,
}
