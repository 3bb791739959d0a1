"""Gaming days and shifts, also on days on which the clocks change."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.calendar import Calendar, Period, UnknownPeriod

BERLIN = Calendar(zone="Europe/Berlin")
NIGHT = Calendar("02:30", ("02:30", "14:00"), "Europe/Berlin")
"""A day that begins where clocks change."""
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu")
DAYS = st.dates(date(2000, 1, 2), date(2099, 12, 30))


def hours(period: Period) -> float:
    return (period.ends - period.begins) / 3600


@pytest.mark.parametrize(
    ("day", "long", "shifts"),
    [
        (date(2026, 3, 28), 23, [8, 8, 7]),
        (date(2026, 3, 29), 24, [8, 8, 8]),
        (date(2026, 10, 24), 25, [8, 8, 9]),
    ],
)
def test_days_with_a_clock_change_have_23_or_25_hours(day: date, long: int, shifts: list[int]) -> None:
    assert hours(BERLIN.day(day)) == long
    assert [hours(shift) for shift in BERLIN.shifts_of(day)] == shifts


def test_a_begin_that_the_clock_skips_is_the_jump() -> None:
    jump = datetime(2026, 3, 29, 1, tzinfo=UTC).timestamp()
    assert NIGHT.day(date(2026, 3, 29)).begins == jump
    assert NIGHT.day(date(2026, 3, 28)).ends == jump


def test_a_day_that_begins_at_a_repeated_hour_takes_the_first() -> None:
    assert NIGHT.day(date(2026, 10, 25)).begins == datetime(2026, 10, 25, 0, 30, tzinfo=UTC).timestamp()


@given(DAYS, st.sampled_from(ZONES), st.sampled_from(["00:00", "02:30", "06:00", "23:59"]))
def test_days_follow_each_other_and_their_shifts_are_they(day: date, zone: str, begins: str) -> None:
    calendar = Calendar(begins, (begins, "12:00"), zone)
    today, tomorrow = calendar.day(day), calendar.day(date.fromordinal(day.toordinal() + 1))
    shifts = calendar.shifts_of(day)
    assert today.ends == tomorrow.begins
    assert (shifts[0].begins, shifts[-1].ends) == (today.begins, today.ends)
    assert [one.ends for one in shifts[:-1]] == [one.begins for one in shifts[1:]]
    assert 22 <= hours(today) <= 26


@given(st.floats(9.5e8, 4e9), st.sampled_from(ZONES))
def test_each_stamp_is_in_the_day_that_is_its(at: float, zone: str) -> None:
    calendar = Calendar(zone=zone)
    assert calendar.day(calendar.day_of(at)).holds(at)


@given(DAYS, st.sampled_from(ZONES))
def test_keys_name_their_periods(day: date, zone: str) -> None:
    calendar = Calendar("06:00", ("06:00", "14:00", "22:00", "02:00"), zone)
    for period in (calendar.day(day), *calendar.shifts_of(day)):
        assert calendar.named(period.key) == period


def test_counts_are_kept_by_day_and_shift() -> None:
    at = BERLIN.day(date(2026, 11, 19)).begins
    found = BERLIN.periods(iter([at, at + 1, at + 9 * 3600, at + 25 * 3600, at - 1, at]))
    assert list(found) == [date(2026, 11, 20), date(2026, 11, 19), date(2026, 11, 18)]
    assert found[date(2026, 11, 19)] == {
        "2026-11-19": 4,
        "2026-11-19T06:00": 3,
        "2026-11-19T14:00": 1,
        "2026-11-19T22:00": 0,
    }


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("2026-11-31", "allowed: a gaming day"),
        ("", "allowed: a gaming day"),
        ("x y z", "allowed"),
        ("2026-11-19 15:00", "allowed: 06:00, 14:00, 22:00"),
        ("2026-11-19 1400", "allowed"),
        ("2026-11-19 14:00 x", "no shift"),
    ],
)
def test_what_names_no_period_is_refused(written: str, says: str) -> None:
    with pytest.raises(UnknownPeriod, match=says):
        BERLIN.named(written)


@pytest.mark.parametrize(
    ("calendar", "says"),
    [
        (("6:00", ("06:00",), "UTC"), "is not a time of day"),
        (("25:00", ("25:00",), "UTC"), "hour must be"),
        (("06:00", ("06:00",), "Mars/Olympus"), "is not a time zone"),
        (("06:00", ("06:00",), "../x"), "not a time zone"),
        (("06:00", ("14:00",), "UTC"), "the first one at 06:00"),
        (("06:00", (), "UTC"), "allowed: the first"),
        (("06:00", ("06:00", "22:00", "14:00"), "UTC"), "each later"),
        (("06:00", ("06:00", "06:00"), "UTC"), "each later"),
    ],
)
def test_an_impossible_calendar_is_refused(calendar: tuple[str, tuple[str, ...], str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Calendar(*calendar)


def test_a_stretch_ends_after_it_begins_and_is_not_too_long() -> None:
    with pytest.raises(UnknownPeriod, match="a later end"):
        BERLIN.between(1e9, 1e9)
    with pytest.raises(UnknownPeriod, match="at most 400 days"):
        BERLIN.between(1e9, 1e9 + 401 * 86400)


def test_an_instant_is_a_date_or_a_local_or_utc_time() -> None:
    day = BERLIN.day(date(2026, 11, 19))
    assert (BERLIN.instant("2026-11-19"), BERLIN.instant("2026-11-19", end=True)) == (day.begins, day.ends)
    assert BERLIN.instant("2026-11-19T07:00") == day.begins + 3600
    assert BERLIN.instant("2026-11-19T06:00+00:00") == day.begins + 3600
    with pytest.raises(UnknownPeriod, match="allowed: a date"):
        BERLIN.instant("yesterday")


@given(st.text(), st.sampled_from(ZONES))
def test_whatever_is_written_names_a_period_or_is_refused(written: str, zone: str) -> None:
    try:
        found = Calendar(zone=zone).named(written)
    except UnknownPeriod:
        return
    assert hours(found) > 0


@given(st.dates(), st.sampled_from(ZONES))
def test_the_ends_of_time_are_refused_or_shown(day: date, zone: str) -> None:
    calendar = Calendar(zone=zone)
    try:
        found = calendar.named(day.isoformat())
    except UnknownPeriod:
        return
    assert calendar.format_time(found.begins).endswith("06:00")
