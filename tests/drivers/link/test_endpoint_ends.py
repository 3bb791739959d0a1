"""Heartbeats, and what ends a session on either side."""

import pytest

from drivers.link.endpoint import Ended, Timing, Vitals
from drivers.link.frames import WireFrame, encode
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import ByeReason, Channel, Flag, Side
from tests.drivers.link.world import Pair, command, names, sent_by


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
    age = pair.device.heartbeat_age(pair.now)
    assert age is not None
    quiet_since = pair.now - age
    for key in range(29):
        pair.run(0.1)
        pair.host.send(Channel.COMMANDS, command(key))
        pair.flush()
        assert pair.device.late(pair.now) == (pair.now >= quiet_since + 1.5)
    pair.run(quiet_since + 2.999 - pair.now)
    assert pair.device.installed
    pair.run(0.002)
    assert pair.ended(Side.DEVICE) == [Ended("heartbeat", "no heartbeat for 3 s")]
    assert pair.device.heartbeat_age(pair.now) is None
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


def test_an_end_that_slept_closes_before_it_reads_what_waited() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.host.send(Channel.COMMANDS, command(1))
    waited = pair.host.take(pair.now)
    found = list(pair.device.feed(waited, pair.now + 3.1))
    assert [item.reason if isinstance(item, Ended) else item.name for item in found] == ["slept", "stray"]
    [bye] = sent_by(pair.device, pair.now + 3.1)
    assert tsl.Frame.FromString(bye.payload).bye.reason == ByeReason.SLEPT


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


def test_heartbeats_tell_the_peer_s_clock() -> None:
    pair = Pair()
    pair.run(2)
    assert pair.host.clock is not None
    assert pair.host.clock.round_trip_us == pytest.approx(2000, abs=2)
    assert pair.host.clock.offset_us == pytest.approx(0, abs=2)


@pytest.mark.parametrize("began", [0.0, 0.1, 0.3, 1e9 + 0.07])
def test_heartbeats_on_the_grid_leave_together_and_never_late(began: float) -> None:
    timing, now = Timing(on_grid=True), began
    for _ in range(1000):
        due = timing.next_heartbeat(now)
        assert 0 < due - now <= timing.heartbeat
        assert due % timing.heartbeat == 0
        now = due


@pytest.mark.parametrize("behind", [0.0, 1e-9, 0.2])
def test_a_late_heartbeat_on_the_grid_does_not_delay_the_next(behind: float) -> None:
    assert Timing(on_grid=True).next_heartbeat(3.0 + behind) == 3.5
