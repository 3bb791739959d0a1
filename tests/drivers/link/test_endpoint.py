"""Two endpoints over good and bad cables, on virtual time."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.link.codec import command_message, event_message
from drivers.link.endpoint import Ended, Endpoint, NoRoomError, Received, Timing, Vitals
from drivers.link.frames import Deframer, WireFrame, encode
from drivers.messages import Buzz, CutCard
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import ByeReason, Channel, Flag, Side
from drivers.protocol.common_pb2 import Bye, EventCommit, Hello
from tests.drivers.link.world import Faults, Pair


def command(key: int) -> tsl.Frame:
    return command_message(key, Buzz(1))


def event(number: int) -> tsl.Frame:
    return event_message(number, 0, b"bootboot", CutCard(number))


def talk(pair: Pair, messages: int, seconds: float) -> tuple[list[int], list[int]]:
    """Both sides say that many messages as fast as the window takes them."""
    said = {Side.HOST: 0, Side.DEVICE: 0}
    end = pair.now + seconds
    while pair.now < end:
        while said[Side.HOST] < messages and pair.host.room:
            said[Side.HOST] += 1
            pair.host.send(Channel.COMMANDS, command(said[Side.HOST]))
        while said[Side.DEVICE] < messages and pair.device.room:
            said[Side.DEVICE] += 1
            pair.device.send(Channel.EVENTS, event(said[Side.DEVICE]))
        pair.flush()
        pair.run(0.05)
        if min(said.values()) == messages and pair.host.idle and pair.device.idle:
            break
    keys = [number(item) for item in pair.said(Side.DEVICE, "command")]
    numbers = [number(item) for item in pair.said(Side.HOST, "event")]
    return keys, numbers


def number(item: Received) -> int:
    message = item.message
    assert isinstance(message, tsl.Command | tsl.Event)
    return message.key if isinstance(message, tsl.Command) else message.number


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    "faults", [Faults(), Faults(drop=0.02, flip=0.01), Faults(drop=0.08, flip=0.04, duplicate=0.1)]
)
def test_every_message_once_and_in_order(faults: Faults, seed: int) -> None:
    pair = Pair(faults, seed)
    keys, numbers = talk(pair, 200, 300)
    assert keys == numbers == list(range(1, 201))
    assert pair.host.installed
    assert pair.device.installed


@given(
    st.builds(Faults, drop=st.floats(0, 0.06), flip=st.floats(0, 0.05), duplicate=st.floats(0, 0.2)),
    st.integers(0, 2**32),
)
@settings(max_examples=25, deadline=None)
def test_never_twice_never_out_of_order(faults: Faults, seed: int) -> None:
    keys, numbers = talk(Pair(faults, seed), 60, 60)
    assert keys == list(range(1, len(keys) + 1))
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("baud", [9600, 115_200])
def test_a_full_window_on_a_slow_line_is_not_resent(baud: int) -> None:
    pair = Pair(timing=Timing(baud=baud), rate=baud / 10)
    pair.run(1)
    keys, _ = talk(pair, 40, 60)
    assert keys == list(range(1, 41))
    assert pair.host.counters.retransmissions == pair.device.counters.retransmissions == 0


def test_sequences_wrap() -> None:
    pair, last = Pair(), 65_600
    pair.run(0.1)
    heard = 0
    for key in range(1, last + 1):
        pair.host.send(Channel.COMMANDS, command(key))
        for item in pair.device.feed(pair.host.take(pair.now), pair.now):
            assert isinstance(item, Received)
            heard += number(item) == key
        pair.device.offer(8)
        pair.device.send(Channel.EVENTS, event(key))
        assert [
            number(item)
            for item in pair.host.feed(pair.device.take(pair.now), pair.now)
            if isinstance(item, Received)
        ] == [key]
    assert heard == last
    assert pair.host.counters.retransmissions == 0


def test_first_frame_is_a_heartbeat_and_one_frame_until_the_peer_speaks() -> None:
    host = Endpoint(Side.HOST, 0.0, Vitals)
    host.install(0.0)
    for key in range(1, 5):
        host.send(Channel.COMMANDS, command(key))
    device = Pair().device
    heard = [item for item in device.feed(host.take(0.0), 100.0) if isinstance(item, Received)]
    assert [item.name for item in heard] == ["heartbeat", "command"]


def test_window_holds_eight_and_two_bulk() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.down.cut = True
    for offset in range(5):
        pair.host.send(Channel.BULK, tsl.Frame(block={"offset": offset}))
    sent = [frame.channel for frame in sent_by(pair.host, pair.now)]
    assert sent == [Channel.BULK] * 2
    for key in range(20):
        pair.host.send(Channel.COMMANDS, command(key))
    assert [frame.channel for frame in sent_by(pair.host, pair.now)] == [Channel.COMMANDS] * 6


def test_channel_0_goes_out_first() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.host.send(Channel.COMMANDS, command(1))
    pair.host.control(tsl.Frame(event_commit=EventCommit(number=3)))
    assert [frame.channel for frame in sent_by(pair.host, pair.now)] == [Channel.CONTROL, Channel.COMMANDS]


def test_acknowledged_within_5_ms_on_an_empty_frame() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.host.send(Channel.COMMANDS, command(1))
    came = pair.host.take(pair.now)
    list(pair.device.feed(came, pair.now))
    assert pair.device.take(pair.now) == b""
    assert pair.device.deadline(pair.now) == pytest.approx(pair.now + 0.005)
    [frame] = sent_by(pair.device, pair.now + 0.005)
    assert (frame.channel, frame.sequence, frame.acknowledgement, frame.payload) == (0, 0, 1, b"")


def test_an_older_frame_is_acknowledged_again_and_a_newer_one_is_missed_once() -> None:
    pair = Pair()
    pair.run(0.1)
    now, credit = pair.now, 8
    first, second, third = (
        encode(WireFrame(0, 2, sequence, 0, credit, command(sequence).SerializeToString()))
        for sequence in range(3)
    )
    assert names(pair.device, second + third, now) == []
    assert [(frame.flags, frame.acknowledgement) for frame in sent_by(pair.device, now)] == [(Flag.NAK, 0)]
    assert names(pair.device, third, now) == []
    assert sent_by(pair.device, now) == []
    assert names(pair.device, first + first + third, now) == ["command"]
    assert [(frame.flags, frame.acknowledgement) for frame in sent_by(pair.device, now)] == [(Flag.NAK, 1)]
    counters = pair.device.counters
    assert (counters.duplicates, counters.out_of_order, counters.naks_out) == (1, 4, 2)
    assert names(pair.device, first, now + 1) == []
    assert [frame.acknowledgement for frame in sent_by(pair.device, now + 1.005)][-1] == 1


def test_a_nak_resends_all_in_order_with_retransmit_and_their_flags() -> None:
    pair = Pair()
    pair.run(0.1)
    for key in range(3):
        pair.host.send(Channel.COMMANDS, command(key), critical=key == 1)
    sent_by(pair.host, pair.now)
    assert names(pair.host, encode(WireFrame(Flag.NAK, 0, 0, 1, 8, b"")), pair.now) == []
    again = [(frame.sequence, frame.flags) for frame in sent_by(pair.host, pair.now)]
    assert again == [(1, Flag.RETRANSMIT | Flag.CRITICAL), (2, Flag.RETRANSMIT)]


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


def test_nine_sends_in_vain_end_the_session_with_bye() -> None:
    pair = Pair(timing=Timing(heartbeat_lost=60))
    pair.run(0.1)
    pair.down.cut = True
    pair.host.send(Channel.COMMANDS, command(7))
    pair.flush()
    before = len(pair.down.frames())
    pair.run(20)
    sends = [frame for frame in pair.down.frames()[before - 1 :] if frame.channel == Channel.COMMANDS]
    assert len(sends) == 9
    assert pair.ended(Side.HOST) == [Ended("link", "a frame was sent 9 times in vain")]
    bye = tsl.Frame.FromString(pair.down.frames()[-1].payload).bye
    assert bye.reason == ByeReason.LINK
    assert not pair.host.installed


def test_bye_ends_the_peer_s_session_too() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.host.end(ByeReason.STOPPING, "enough", pair.now)
    pair.flush()
    pair.run(0.01)
    assert pair.ended(Side.DEVICE) == [Ended("bye", "STOPPING: enough")]
    assert pair.device.counters.resets == {"bye": 1}
    assert pair.host.counters.resets == {"stopping": 1}


def test_heartbeat_age_warns_and_is_lost_at_3_s_whatever_else_is_said() -> None:
    alive = [True]
    pair = Pair(host_vitals=lambda: Vitals(alive=alive[0]))
    pair.run(0.6)
    alive[0] = False
    quiet_since = pair.now - pair.device.heartbeat_age(pair.now)
    for key in range(29):
        pair.run(0.1)
        pair.host.send(Channel.COMMANDS, command(key))
        pair.flush()
        assert pair.device.late(pair.now) == (pair.now >= quiet_since + 1.5)
    pair.run(quiet_since + 2.999 - pair.now)
    assert pair.device.installed
    pair.run(0.002)
    assert pair.ended(Side.DEVICE) == [Ended("heartbeat", "no heartbeat for 3 s")]
    assert (pair.device.counters.late_heartbeats, pair.host.counters.late_heartbeats) == (1, 0)


def test_an_idle_end_wakes_to_count_each_late_heartbeat_once() -> None:
    alive = [True]
    pair = Pair(host_vitals=lambda: Vitals(alive=alive[0]))
    for late in (1, 2):
        alive[0] = False
        pair.run(2.4)
        assert pair.device.counters.late_heartbeats == late
        alive[0] = True
        pair.run(1.0)
        assert not pair.device.late(pair.now)
    assert pair.ended(Side.DEVICE) == []


def test_who_slept_ends_before_reading_what_waited() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.host.send(Channel.COMMANDS, command(1))
    waited = pair.host.take(pair.now)
    found = list(pair.device.feed(waited, pair.now + 3.1))
    assert [item.reason if isinstance(item, Ended) else item.name for item in found] == ["slept", "stray"]
    [bye] = sent_by(pair.device, pair.now + 3.1)
    assert tsl.Frame.FromString(bye.payload).bye.reason == ByeReason.SLEPT


def test_credit_0_stops_the_peer_and_a_rise_is_told_at_once() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.device.offer(0)
    for key in range(30):
        pair.host.send(Channel.COMMANDS, command(key))
    pair.flush()
    pair.run(0.4)
    assert len(pair.said(Side.DEVICE, "command")) == 8
    assert pair.host.counters.retransmissions == 0
    pair.device.offer(3)
    assert pair.device.deadline(pair.now) == pair.now
    assert [frame.credit for frame in sent_by(pair.device, pair.now)] == [3]


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
        (WireFrame(0, 0, 0, 0, 0, b"\x0a\xff"), "handshake"),
    ],
)
def test_dropped_and_counted(frame: WireFrame, counter: str) -> None:
    pair = Pair()
    pair.run(0.1)
    assert names(pair.device, encode(frame), pair.now) == []
    assert getattr(pair.device.counters, counter) == 1


def test_a_critical_unknown_control_message_ends_the_session() -> None:
    later = b"\xba\x3e\x01x"
    pair = Pair()
    pair.run(0.1)
    assert names(pair.device, encode(WireFrame(0, 0, 0, 0, 8, later)), pair.now) == [""]
    [ended] = pair.device.feed(encode(WireFrame(Flag.CRITICAL, 0, 0, 0, 8, later)), pair.now)
    assert isinstance(ended, Ended)
    assert ended.reason == "unsupported"
    [bye] = sent_by(pair.device, pair.now)
    assert tsl.Frame.FromString(bye.payload).bye.reason == ByeReason.UNSUPPORTED


def test_without_a_session_only_handshakes_are_read() -> None:
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
    heard = pair.device.heard
    for bad in (WireFrame(0, 0, 0, 9, 8, b""), WireFrame(Flag.SEALED, 0, 0, 0, 8, b"")):
        list(pair.device.feed(encode(bad), pair.now + 1))
    list(pair.device.feed(b"\0junk\0", pair.now + 1))
    assert pair.device.heard == heard
    list(pair.device.feed(encode(WireFrame(0, 0, 0, 0, 8, b"")), pair.now + 1))
    assert pair.device.heard == pair.now + 1


def test_room_is_bounded() -> None:
    pair = Pair()
    while pair.host.room:
        pair.host.send(Channel.COMMANDS, command(1))
    with pytest.raises(NoRoomError, match="64 messages wait"):
        pair.host.send(Channel.COMMANDS, command(1))
    with pytest.raises(ValueError, match="at most 209"):
        pair.host.send_payload(Channel.COMMANDS, bytes(210))


def test_heartbeats_tell_the_peer_s_clock() -> None:
    pair = Pair()
    pair.run(2)
    assert pair.host.clock is not None
    assert pair.host.clock.round_trip_us == pytest.approx(2000, abs=2)
    assert pair.host.clock.offset_us == pytest.approx(0, abs=2)


@given(st.lists(st.binary(max_size=80), max_size=6), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_no_junk_raises(junk: list[bytes], chance: random.Random) -> None:
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


def sent_by(end: Endpoint, now: float) -> list[WireFrame]:
    return [item for item in Deframer().feed(end.take(now)) if isinstance(item, WireFrame)]


def names(end: Endpoint, data: bytes, now: float) -> list[str]:
    return [item.name if isinstance(item, Received) else item.reason for item in end.feed(data, now)]
