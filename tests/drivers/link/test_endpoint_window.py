"""Window, acknowledgement, NAK and credit as they are on the line."""

import pytest

from drivers.link.endpoint import Endpoint, NoRoomError, Received, Vitals
from drivers.link.frames import WireFrame, encode
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, Flag, Side
from drivers.protocol.common_pb2 import EventCommit
from tests.drivers.link.world import Pair, command, names, sent_by


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
    pair.host.send_control(tsl.Frame(event_commit=EventCommit(number=3)))
    assert [frame.channel for frame in sent_by(pair.host, pair.now)] == [Channel.CONTROL, Channel.COMMANDS]


def test_a_frame_is_acknowledged_within_5_ms() -> None:
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


def test_an_endpoint_queues_64_messages_at_most() -> None:
    pair = Pair()
    while pair.host.room:
        pair.host.send(Channel.COMMANDS, command(1))
    with pytest.raises(NoRoomError, match="64 messages wait"):
        pair.host.send(Channel.COMMANDS, command(1))
    with pytest.raises(ValueError, match="at most 209"):
        pair.host.send_payload(Channel.COMMANDS, bytes(210))


@pytest.mark.parametrize("channel", [Channel.CONTROL, Channel.TELEMETRY])
def test_channels_without_a_window_are_not_numbered(channel: Channel) -> None:
    pair = Pair()
    with pytest.raises(ValueError, match="only channels 1 to 3"):
        pair.host.send(channel, command(1))
