"""What an endpoint drops, counts or reads without a session."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.link.endpoint import Endpoint, NoRoomError, Vitals
from drivers.link.frames import WireFrame, encode
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, Flag, Side
from drivers.protocol.common_pb2 import Bye, Hello
from tests.drivers.link.world import Pair, command, event, names, sent_by


@pytest.mark.parametrize("acknowledgement", [4, 8, 65_535, 32_768])
def test_an_acknowledgement_of_what_was_never_sent_drops_the_frame(acknowledgement: int) -> None:
    pair = Pair()
    pair.run(0.1)
    for key in range(3):
        pair.host.send(Channel.COMMANDS, command(key))
    sent_by(pair.host, pair.now)
    bad = WireFrame(0, 1, 0, acknowledgement, 8, event(1).SerializeToString())
    assert names(pair.host, encode(bad), pair.now) == []
    assert pair.host.counters.acknowledgement == 1
    assert not pair.host.idle


def test_what_may_not_be_said_here_uses_its_sequence_up() -> None:
    pair = Pair()
    pair.run(0.1)
    wrong_way = encode(WireFrame(0, 2, 0, 0, 8, tsl.Frame(result={"key": 1}).SerializeToString()))
    wrong_channel = encode(WireFrame(0, 3, 1, 0, 8, command(2).SerializeToString()))
    unreadable = encode(WireFrame(0, 2, 2, 0, 8, b"\xff"))
    right = encode(WireFrame(0, 2, 3, 0, 8, command(3).SerializeToString()))
    assert names(pair.device, wrong_way + wrong_channel + unreadable + right, pair.now) == ["", "command"]
    assert (pair.device.counters.direction, pair.device.counters.message) == (2, 1)


@pytest.mark.parametrize(
    ("frame", "counter"),
    [
        (WireFrame(Flag.SEALED, 2, 0, 0, 8, command(1).SerializeToString()), "seal"),
        (WireFrame(0, 5, 0, 0, 8, command(1).SerializeToString()), "channel"),
        (WireFrame(0, 0, 1, 0, 8, b""), "sequence"),
        (WireFrame(0, 4, 1, 0, 8, b""), "sequence"),
        (WireFrame(0, 0, 0, 0, 1, tsl.Frame(hello=Hello(side=1)).SerializeToString()), "handshake"),
        (WireFrame(0, 0, 0, 0, 0, b"\x12\xff"), "handshake"),
    ],
)
def test_a_bad_frame_is_dropped_and_counted(frame: WireFrame, counter: str) -> None:
    pair = Pair()
    pair.run(0.1)
    assert names(pair.device, encode(frame), pair.now) == []
    assert getattr(pair.device.counters, counter) == 1


def test_a_hello_that_cannot_be_read_is_counted_and_comes_up_as_such() -> None:
    pair = Pair()
    unreadable = encode(WireFrame(0, 0, 0, 0, 0, b"\x0a\xff"))
    assert names(pair.device, unreadable, pair.now) == ["unreadable hello"]
    assert pair.device.counters.handshake == 1


def test_only_handshakes_are_read_without_a_session() -> None:
    device = Endpoint(Side.DEVICE, 0.0, Vitals)
    hello = tsl.Frame(hello=Hello(side=1, nonce=bytes(16)))
    heartbeat = encode(WireFrame(0, 0, 0, 0, 8, tsl.Frame(bye=Bye(reason=1)).SerializeToString()))
    assert names(device, encode(WireFrame(0, 0, 0, 0, 0, hello.SerializeToString())) + heartbeat, 0.0) == [
        "hello",
        "stray",
    ]
    assert device.take(10.0) == b""
    assert device.deadline(10.0) == float("inf")
    with pytest.raises(NoRoomError, match="no session"):
        device.send(Channel.EVENTS, event(1))


def test_only_what_passes_the_checks_of_a_session_is_heard() -> None:
    pair = Pair()
    pair.run(0.1)
    heard = pair.device.last_received
    for bad in (WireFrame(0, 0, 0, 9, 8, b""), WireFrame(Flag.SEALED, 0, 0, 0, 8, b"")):
        list(pair.device.feed(encode(bad), pair.now + 1))
    list(pair.device.feed(b"\0junk\0", pair.now + 1))
    assert pair.device.last_received == heard
    list(pair.device.feed(encode(WireFrame(0, 0, 0, 0, 8, b"")), pair.now + 1))
    assert pair.device.last_received == pair.now + 1


@given(st.lists(st.binary(max_size=80), max_size=6), st.randoms(use_true_random=False))
def test_junk_never_raises_at_an_endpoint(junk: list[bytes], chance: random.Random) -> None:
    pair = Pair()
    pair.run(0.1)
    frames = [
        WireFrame(
            chance.randrange(16), chance.randrange(6), chance.randrange(3), 0, chance.randrange(20), payload
        )
        for payload in junk
    ]
    list(pair.device.feed(b"".join(map(encode, frames)) + b"".join(junk), pair.now))
    pair.device.tick(pair.now)
    pair.device.take(pair.now)
