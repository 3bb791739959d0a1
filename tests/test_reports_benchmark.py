"""The `make bench` rig that times reports does what it says."""

from benchmarks import reports


def test_a_played_day_is_reported() -> None:
    measured = reports.measure(5)
    assert measured.rounds == 5
    assert min(measured.day, measured.listed, measured.kilobytes) > 0
