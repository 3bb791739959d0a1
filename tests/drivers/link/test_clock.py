"""The peer's clock from heartbeats: offset and round trip, in microseconds."""

import pytest

from drivers.link.session import PeerClock
from drivers.protocol.common_pb2 import Heartbeat

AHEAD = 5_000_000
"""How much earlier the peer started."""


def beat(now_us: int, echo_us: int = 0, held_us: int = 0) -> Heartbeat:
    return Heartbeat(now_us=now_us, echo_us=echo_us, held_us=held_us)


def stamped(clock: PeerClock, now_us: int) -> tuple[int, int, int]:
    heartbeat = Heartbeat()
    clock.stamp(heartbeat, now_us)
    return heartbeat.now_us, heartbeat.echo_us, heartbeat.held_us


def answered(clock: PeerClock, at: int, there: int, held: int, back: int) -> None:
    """Ours leaves at `at` and takes `there`, the peer holds it, its answer takes `back`."""
    came = at + there + held + back
    clock.measure(beat(at + there + held + AHEAD, at, held), came)


def test_the_first_heartbeat_has_nothing_to_echo() -> None:
    assert stamped(PeerClock(), 700) == (700, 0, 0)


def test_a_heartbeat_echoes_the_peer_s_last_and_how_long_ago_it_came() -> None:
    clock = PeerClock()
    clock.measure(beat(9_000), 1_000)
    clock.measure(beat(9_500), 1_600)
    assert stamped(clock, 2_000) == (2_000, 9_500, 400)
    assert stamped(clock, 2_100) == (2_100, 9_500, 500)


def test_a_heartbeat_without_an_echo_measures_nothing() -> None:
    clock = PeerClock()
    clock.measure(beat(9_000), 1_000)
    assert (clock.offset_us, clock.round_trip_us, clock.last_round_trip_us) == (None, None, 0)


def test_the_time_at_the_peer_is_no_part_of_the_round_trip() -> None:
    clock = PeerClock()
    answered(clock, at=1_000, there=300, held=80_000, back=300)
    assert (clock.offset_us, clock.round_trip_us, clock.last_round_trip_us) == (AHEAD, 600, 600)


@pytest.mark.parametrize("worse", [(900, 300), (300, 900), (50_000, 50_000)])
def test_the_shortest_round_trip_keeps_the_offset(worse: tuple[int, int]) -> None:
    clock = PeerClock()
    there, back = worse
    answered(clock, at=1_000, there=there, held=10, back=back)
    answered(clock, at=600_000, there=200, held=10, back=200)
    assert (clock.offset_us, clock.round_trip_us) == (AHEAD, 400)
    answered(clock, at=1_200_000, there=there, held=10, back=back)
    assert (clock.offset_us, clock.round_trip_us) == (AHEAD, 400)
    assert clock.last_round_trip_us == there + back


def test_an_uneven_way_errs_by_half_the_difference() -> None:
    clock = PeerClock()
    answered(clock, at=1_000, there=100, held=0, back=700)
    assert clock.offset_us == AHEAD - 300


def test_an_echo_from_the_future_measures_nothing() -> None:
    clock = PeerClock()
    clock.measure(beat(9_000, echo_us=1_000, held_us=500), 1_400)
    assert (clock.offset_us, clock.round_trip_us) == (None, None)
