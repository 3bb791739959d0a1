"""Plays a script to one side of the link, on the script's clock, and compares what the side does with the
script."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Protocol

from drivers.link import codec
from drivers.link.frames import WireFrame
from drivers.protocol.codes import Channel, Flag
from drivers.sim.link.handshake import STEPS

from .listener import Ear
from .vectors import Vector, contains, shown, trimmed

SHORTEST = 0.001
"""The time step, in seconds, while a side has something due at once."""


@dataclass(slots=True)
class StepResult:
    """What one side sent and reported in one step."""

    frames: list[WireFrame] = field(default_factory=list)
    taken: list[Vector] = field(default_factory=list)
    reports: list[Vector] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    restarts: bool = False


def steps_of(vector: Vector) -> int:
    """How many steps of X25519 one tick does, so that a device computes as long as the script says; 0: at
    once. While it computes, a tick comes each SHORTEST."""
    seconds = vector.get("computing", 0)
    return round(STEPS * SHORTEST / seconds) if seconds else 0


class Side(Protocol):
    """One side of the link under test."""

    def do(self, wish: Vector, now: float) -> None:
        """A request of its own program."""

    def feed(self, data: bytes, now: float, happened: StepResult) -> None:
        """Bytes arrive."""

    def tick(self, now: float, happened: StepResult) -> None:
        """Time goes on."""

    def take(self, now: float) -> bytes:
        """What it writes."""

    def deadline(self, now: float) -> float:
        """When it wants to run."""


def play(vector: Vector, side: Side) -> None:
    """Plays the whole script; each step's expectations are checked when the next step begins."""
    steps = [*vector["steps"], {"at": vector["steps"][-1]["at"]}]
    ear = Ear(vector["side"], vector.get("keys"))
    for step, after in pairwise(steps):
        until = step["at"] if "slept" in after else after["at"]
        happened = _step(side, ear, step, float(until))
        for key, check in CHECKS.items():
            if key in step:
                check(happened, step[key])
        assert happened.ended == ([step["ended"]] if "ended" in step else [])


def loud(happened: StepResult) -> list[Vector]:
    """The frames that were sent, except acknowledgements, NAKs and heartbeats, in the form of the vectors."""
    stated = [_stated(frame) for frame in happened.frames if frame.channel or frame.payload]
    return [frame for frame in stated if "heartbeat" not in frame["message"]]


def _step(side: Side, ear: Ear, step: Vector, until: float) -> StepResult:
    happened, now = StepResult(), float(step["at"])
    if "keys" in step:
        ear.install(step["keys"])
    side.do(step.get("do", {}), now)
    side.do({name: step[name] for name in ("repeat", "acknowledged") if name in step}, now)
    if "in" in step:
        side.feed(bytes.fromhex(step["in"]), now, happened)
    _take(side, ear, now, happened)
    while (now := max(side.deadline(now), now + SHORTEST)) < until:
        side.tick(now, happened)
        _take(side, ear, now, happened)
    return happened


def _take(side: Side, ear: Ear, now: float, happened: StepResult) -> None:
    happened.frames.extend(ear.hear(side.take(now)))


def _stated(frame: WireFrame) -> Vector:
    read = codec.parse(frame.payload)
    assert not isinstance(read, codec.Unreadable)
    name, message = read
    numbers = {"flags": frame.flags, "channel": frame.channel, "sequence": frame.sequence}
    return {**numbers, "payload": frame.payload.hex(), "message": {name: shown(message)}}


def _sent(result: StepResult, expected: list[Vector]) -> None:
    _same_list(loud(result), expected)


def _check_reports(result: StepResult, expected: list[Vector]) -> None:
    _same_list(result.reports, expected)


def _same_list(found: list[Vector], expected: list[Vector]) -> None:
    """Both lists have the same length, and each item has every field stated of it."""
    pairs = list(zip(found, expected, strict=False))
    assert [whole for whole, part in pairs if not contains(whole, part)] == []
    assert found[len(pairs) :] == expected[len(pairs) :] == []


def _beats(happened: StepResult, expected: Vector) -> None:
    stated = [_stated(frame)["message"] for frame in happened.frames if frame.payload]
    beats = [message["heartbeat"] for message in stated if "heartbeat" in message]
    assert len(beats) == expected["count"]
    assert contains(beats[-1], expected["last"])


def _taken(happened: StepResult, expected: list[Vector]) -> None:
    assert happened.taken == [trimmed(message) for message in expected]


def _answered(happened: StepResult, expected: int) -> None:
    assert [frame.acknowledgement for frame in happened.frames[-1:]] == [expected]


def _complained(happened: StepResult, expected: list[int]) -> None:
    naks = [frame for frame in happened.frames if frame.flags & Flag.NAK]
    assert [frame.acknowledgement for frame in naks] == expected
    assert all(frame.channel == Channel.CONTROL and not frame.payload for frame in naks)


def _never(happened: StepResult, unwanted: list[str]) -> None:
    commands = [frame["message"].get("command", {}) for frame in loud(happened)]
    assert [name for command in commands for name in command if name in unwanted] == []


def _on_channel(happened: StepResult, channel: Channel) -> list[Vector]:
    """What was sent on one channel, without repeats, and whether each message is CRITICAL."""
    return [
        {**frame["message"], "payload": frame["payload"], "critical": bool(frame["flags"] & Flag.CRITICAL)}
        for frame in loud(happened)
        if frame["channel"] == channel and not frame["flags"] & Flag.RETRANSMIT
    ]


def _said(happened: StepResult, expected: list[Vector]) -> None:
    found = [frame for frame in loud(happened) if frame["channel"] == Channel.CONTROL]
    _same_list(found, expected)


def _events(happened: StepResult, expected: list[Vector]) -> None:
    _same_list(_on_channel(happened, Channel.EVENTS), expected)


def _results(happened: StepResult, expected: list[Vector]) -> None:
    results = [{"critical": False, "result": result} for result in expected]
    _same_list(_on_channel(happened, Channel.COMMANDS), results)


def _wanted(happened: StepResult, expected: list[int]) -> None:
    assert _asked(happened) == expected


def _unwanted(happened: StepResult, offsets: list[int]) -> None:
    assert not {*_asked(happened)} & {*offsets}


def _asked(happened: StepResult) -> list[int]:
    """The offsets that a device asked for, without repeats."""
    asked = [
        frame["block_wanted"] for frame in _on_channel(happened, Channel.BULK) if "block_wanted" in frame
    ]
    return [wanted.get("offset", 0) for wanted in asked]


def _restarts(happened: StepResult, expected: bool) -> None:
    assert happened.restarts is expected


CHECKS: dict[str, Callable[[StepResult, Any], None]] = {
    "out": _sent,
    "told": _check_reports,
    "taken": _taken,
    "acknowledgement": _answered,
    "naks": _complained,
    "never": _never,
    "beats": _beats,
    "says": _said,
    "events": _events,
    "results": _results,
    "wanted": _wanted,
    "unwanted": _unwanted,
    "restarts": _restarts,
}
