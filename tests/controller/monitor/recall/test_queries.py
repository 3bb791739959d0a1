"""Filled-in search forms become queries."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from controller.currency import named_currency, using
from controller.journal.history import TimeSpan
from controller.monitor.past.queries import LATEST_TIME, audit_query, round_query, time_span
from controller.past.recall.audit import AuditQuery
from controller.past.recall.query import RoundQuery

PARIS = ZoneInfo("Europe/Paris")


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def test_an_empty_form_looks_for_everything() -> None:
    assert round_query({"wager": " ", "number": "", "over": ""}) == RoundQuery()
    assert audit_query({}) == AuditQuery()


@pytest.mark.parametrize(
    ("day", "begin", "end", "since", "until"),
    [
        ("2026-11-20", "", "", "2026-11-19T23:00", "2026-11-20T23:00"),
        ("2026-11-20", "18:30", "20:00", "2026-11-20T17:30", "2026-11-20T19:00"),
        ("2026-11-20", "22:00", "04:00", "2026-11-20T21:00", "2026-11-21T03:00"),
        ("2026-11-20", "22:00", "", "2026-11-20T21:00", "2026-11-20T23:00"),
        ("2026-03-29", "", "", "2026-03-28T23:00", "2026-03-29T22:00"),
        ("2026-10-25", "", "", "2026-10-24T22:00", "2026-10-25T23:00"),
    ],
)
def test_days_and_times_are_the_tables(day: str, begin: str, end: str, since: str, until: str) -> None:
    found = round_query({"day": day, "from": begin, "to": end}, PARIS)
    assert found.span == TimeSpan(at(since), at(until))


def test_a_span_may_be_given_in_seconds() -> None:
    assert round_query({"since": "12.5", "until": "99"}).span == TimeSpan(12.5, 99.0)


def test_the_last_minutes_are_those_until_now() -> None:
    assert time_span({"last": "15"}, None, now=lambda: 10_000.0) == TimeSpan(9_100.0, LATEST_TIME)


@pytest.mark.parametrize(
    ("currency", "above", "minor"),
    [
        ("", "250", 25_000),
        ("", "12.50", 1250),
        ("", "1,500", 150_000),
        ("USD", "$25", 2_500),
        ("USD", " $1,250.50 ", 125_050),
        ("USD", "25 USD", 2_500),
        ("JPY", "¥1,250", 1_250),
        ("KWD", "KWD 1.250", 1_250),
    ],
)
def test_money_is_read_as_people_write_it(currency: str, above: str, minor: int) -> None:
    with using(named_currency(currency)):
        assert round_query({"above": above}).over == minor


@pytest.mark.parametrize(
    ("currency", "above", "allowed"),
    [
        ("USD", "2,50", 'USD with at most 2 decimals, as "5" or "2.50"'),
        ("USD", "€5", "USD with at most 2 decimals"),
        ("USD", "2.505", "USD with at most 2 decimals"),
        ("JPY", "12.50", 'whole JPY, as "5"'),
        ("", "-5", "units with at most 2 decimals"),
    ],
)
def test_what_is_no_money_is_refused_with_what_is(currency: str, above: str, allowed: str) -> None:
    with using(named_currency(currency)), pytest.raises(ValueError, match="above: ") as refused:
        round_query({"above": above})
    assert f"{above!r} is not an amount; allowed: {allowed}" in str(refused.value)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"last": "0"}, "last = '0': not allowed; allowed: 1 to 10080"),
        ({"seat": "10"}, "seat = '10': not allowed; allowed: 1 to 9"),
        ({"number": "x"}, "number = 'x': not allowed; allowed: a whole number from 1 on"),
        ({"number": "٣"}, "not allowed"),
        ({"day": "20.11."}, "day = '20.11.': no date; allowed: as 2026-11-20"),
        ({"day": "2026-11-20", "from": "8pm"}, "from = '8pm': no time; allowed: as 18:30"),
        ({"since": "soon"}, "since = 'soon': not allowed; allowed: seconds of Unix time"),
        ({"before": "-1"}, "before = '-1': not allowed"),
    ],
)
def test_what_is_not_allowed_is_named(query: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says.replace("(", r"\(")):
        round_query(query)
