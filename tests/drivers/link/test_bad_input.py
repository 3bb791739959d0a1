"""Each kind of bad frame has one counter and a defined end, at both ends of sealed links. No bytes raise."""

from collections.abc import Callable
from dataclasses import fields
from itertools import pairwise
from typing import Any

import crc32c
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.link.counters import Counters
from drivers.link.endpoint import Endpoint
from drivers.link.frames import WireFrame, encode
from drivers.link.seal import Sealing
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel
from drivers.protocol.common_pb2 import Bye, EventsLost, NoSession, Result
from tests.drivers.link.rig import Rig
from tests.fixtures.link_pair import START, LinkPair
from tests.fuzz.targets import TARGETS

NOISE = ("cobs", "length", "crc", "version", "too_long")
CHECKS = (
    *NOISE,
    "seal",
    "tag",
    "replays",
    "acknowledgement",
    "channel",
    "sequence",
    "credit",
    "direction",
    "message",
    "unknown",
    "handshake",
    "duplicates",
    "out_of_order",
    "stray",
)
PHASES = ("hello", "proof", "catching up", "running", "over")


class Mouth:
    """Speaks for one end of a running session to the other: `peer` receives, `own` is the end it pretends to
    be."""

    def __init__(self, way: str) -> None:
        self.rig = Rig(START)
        self.stage = LinkPair(self.rig)
        self.stage.reach()
        self.stage.run(0.7)
        ends: dict[str, Endpoint] = {"down": self.stage.host._endpoint, "up": self.rig.link._endpoint}
        self.own, self.peer = ends.pop(way), next(iter(ends.values()))
        self._link = self.rig.link if way == "down" else self.stage.host

    def hear(self, line: bytes) -> dict[str, int]:
        """The peer's counts for these bytes."""
        before = {name: getattr(self.peer.counters, name) for name in CHECKS}
        self._link.feed(line, self.stage.now)
        after = {name: getattr(self.peer.counters, name) for name in CHECKS}
        return {name: after[name] - before[name] for name in CHECKS if after[name] != before[name]}

    def sealed(self, channel: int, payload: bytes, **other: int) -> bytes:
        """A frame with a good seal and, by default, the right header."""
        session = self.own._session
        assert session
        sealing: Sealing | None = session._sealing
        assert sealing
        windowed = channel in (Channel.EVENTS, Channel.COMMANDS, Channel.BULK)
        header = {
            "flags": 0,
            "sequence": session.sender._next if windowed else 0,
            "acknowledgement": session.receiver.expected,
            "credit": 8,
        } | other
        return encode(sealing.seal(WireFrame(channel=channel, payload=payload, **header)))


def clear(payload: bytes, **other: int) -> bytes:
    header = {"flags": 0, "channel": 0, "sequence": 0, "acknowledgement": 0, "credit": 0} | other
    return encode(WireFrame(payload=payload, **header))


def _crc() -> bytes:
    return crc32c.crc32c(b"\x21" + bytes(7)).to_bytes(4, "little")


BYE = tsl.Frame(bye=Bye(reason=1)).SerializeToString()
NO_SESSION = tsl.Frame(no_session=NoSession()).SerializeToString()
WRONG_SIDE = {
    "down": tsl.Frame(events_lost=EventsLost(first=1, last=2)).SerializeToString(),
    "up": tsl.Frame(block=tsl.Frame().block).SerializeToString(),
}
RESULT = tsl.Frame(result=Result(key=1, status=1)).SerializeToString()
BAD: list[tuple[str, Callable[[Mouth], bytes], str]] = [
    ("truncated", lambda mouth: mouth.sealed(0, b"")[:-6] + b"\0", "cobs"),
    ("damaged", lambda _: clear(BYE).replace(b"\x08", b"\x09"), "crc"),
    (
        "of another major version",
        lambda _: b"\0\x02\x21\x01\x01\x01\x01\x01\x01\x05" + _crc() + b"\0",
        "version",
    ),
    ("oversized", lambda _: b"\0" + b"\x01" * 400 + b"\0", "too_long"),
    ("no COBS", lambda _: b"\0\x09\x01\0", "cobs"),
    ("too short", lambda _: b"\0\x05abcd\0", "length"),
    ("clear in a sealed session", lambda _: clear(BYE), "seal"),
    ("clear and empty", lambda _: clear(b""), "seal"),
    ("a seal too short", lambda _: clear(bytes(19), flags=1), "tag"),
    ("forged", lambda _: clear(b"\xff\0\0\0" + bytes(30), flags=1), "tag"),
    ("a counter far back", lambda _: clear(b"\0\0\0\xf0" + bytes(30), flags=1), "replays"),
    (
        "an acknowledgement of nothing",
        lambda mouth: mouth.sealed(0, b"", acknowledgement=999),
        "acknowledgement",
    ),
    ("a foreign channel", lambda mouth: mouth.sealed(9, b"abc"), "channel"),
    ("a sequence where there is none", lambda mouth: mouth.sealed(0, b"", sequence=5), "sequence"),
    ("from the future", lambda mouth: mouth.sealed(2, RESULT, sequence=700), "out_of_order"),
    ("from the past", lambda mouth: mouth.sealed(2, RESULT, sequence=65_000), "duplicates"),
    ("no protobuf", lambda mouth: mouth.sealed(0, b"\xff\xff\xff"), "message"),
    ("a field over its size", lambda mouth: mouth.sealed(0, b"\x3a\x5c\x12\x5a" + b"x" * 90), "message"),
    ("of a later version", lambda mouth: mouth.sealed(4, b"\xea\x3f\x00"), "unknown"),
    ("on another's channel", lambda mouth: mouth.sealed(4, BYE), "direction"),
    ("a handshake with a sequence", lambda _: clear(NO_SESSION, sequence=4), "handshake"),
    ("a handshake of another kind", lambda _: clear(b"\x0a\xff"), "handshake"),
]


@pytest.mark.parametrize("way", ["down", "up"])
@pytest.mark.parametrize(("kind", "made", "counter"), BAD, ids=[kind for kind, _, _ in BAD])
def test_a_bad_frame_counts_once_and_ends_nothing(
    way: str, kind: str, made: Callable[[Mouth], bytes], counter: str
) -> None:
    mouth = Mouth(way)
    assert mouth.hear(made(mouth)) == {counter: 1}, kind
    assert mouth.peer.installed
    mouth.stage.run(2)
    assert mouth.stage.host.phase == "running"


@pytest.mark.parametrize("way", ["down", "up"])
def test_what_the_other_side_says_is_not_for_us(way: str) -> None:
    mouth = Mouth(way)
    channel = Channel.EVENTS if way == "down" else Channel.BULK
    assert mouth.hear(mouth.sealed(channel, WRONG_SIDE[way])) == {"direction": 1}
    assert mouth.hear(mouth.sealed(channel, b"")) == {"duplicates": 1}


def test_a_device_is_told_of_no_session_by_nobody() -> None:
    mouth = Mouth("down")
    assert mouth.hear(clear(NO_SESSION)) == {"handshake": 1}


def test_a_session_without_an_end_in_sight_is_a_stray() -> None:
    mouth = Mouth("down")
    frame = mouth.sealed(0, b"")
    mouth.rig.boot(mouth.stage.now)
    counters = mouth.rig.link.counters
    mouth.rig.link.feed(frame, mouth.stage.now)
    assert (counters.frames_in, counters.stray) == (1, 1)


def test_each_counter_of_a_check_is_one_that_the_link_has() -> None:
    assert set(CHECKS) <= {field.name for field in fields(Counters)}
    assert {counter for _, _, counter in BAD} | {"credit", "stray"} == set(CHECKS)


def frames() -> st.SearchStrategy[bytes]:
    return st.builds(
        lambda flags, channel, sequence, expected, credit, payload: encode(
            WireFrame(flags, channel, sequence, expected, credit, payload)
        ),
        st.integers(0, 15),
        st.sampled_from([0, 0, 0, 1, 2, 3, 4, 77]),
        st.sampled_from([0, 0, 1, 65_535]),
        st.sampled_from([0, 0, 1, 65_535]),
        st.sampled_from([0, 8, 255]),
        st.binary(max_size=229) | st.binary(max_size=40).map(lambda rest: b"\x0a\x22" + rest),
    )


LINES = st.lists(frames() | st.binary(max_size=300), max_size=12).map(b"\0".join)


@pytest.mark.parametrize("phase", PHASES)
@settings(max_examples=25)
@given(down=LINES, up=LINES, cuts=st.lists(st.integers(0, 3000), max_size=6))
def test_any_bytes_in_any_phase_are_counted_and_forgotten(
    phase: str, down: bytes, up: bytes, cuts: list[int]
) -> None:
    rig = Rig(START)
    stage = LinkPair(rig)
    stage.reach("running" if phase == "over" else phase)
    if phase == "over":
        stage.host.close(stage.now)
    for link, line in ((rig.link, down), (stage.host, up)):
        before = _sums(link.counters)
        ends = sorted({0, len(line), *(cut % (len(line) + 1) for cut in cuts)})
        for first, last in pairwise(ends):
            link.feed(line[first:last], stage.now)
        link.feed(b"\0", stage.now)
        runs = sum(bool(run) for run in line.split(b"\0"))
        came, size, failed = (now - then for now, then in zip(_sums(link.counters), before, strict=True))
        assert (came, size) == (runs, len(line) + 1)
        assert failed <= runs
    stage.retry = True
    stage.run(4)
    stage.reach(seconds=20)


def _sums(counters: Counters) -> tuple[int, int, int]:
    noise = sum(getattr(counters, name) for name in NOISE)
    failed: list[Any] = [getattr(counters, name) for name in CHECKS]
    return counters.frames_in + noise, counters.bytes_in, sum(failed)


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=40)
@given(data=st.binary(max_size=400))
def test_any_tape_of_any_target_keeps_the_promises(name: str, data: bytes) -> None:
    assert TARGETS[name].run(data)
