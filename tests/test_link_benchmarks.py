"""The `make bench` rig that times a sealed link does what it says."""

from benchmarks import link


def test_cards_come_out_as_they_went_in() -> None:
    assert all(0 < seconds < 1 for seconds in link.cards(20))


async def test_round_trips_are_taken_beside_echoes() -> None:
    times, echoes = await link.round_trips(3)
    assert len(times) == len(echoes) == 3
    assert all(0 < seconds < 5 for seconds in (*times, *echoes))


async def test_a_lossy_line_full_of_events_is_told_of() -> None:
    line, share = await link.sustain(0.3)
    assert line.events == 300
    assert line.latency_p50 <= line.latency_p99
    assert share > 0
