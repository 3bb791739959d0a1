"""Parse the fields of a form or a query string."""

from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta, tzinfo
from time import time as unix_time

from controller.currency import BadAmount, currency_in_use
from controller.currency.formatting import parse_typed
from controller.journal.history import AFTER_LAST_ROW, TimeSpan
from controller.past.recall.audit import AuditQuery
from controller.past.recall.query import RoundQuery, cards_of

QueryFields = Mapping[str, str]
LATEST_TIME = 1e12
MOST_MINUTES = 7 * 24 * 60


def round_query(query: QueryFields, zone: tzinfo | None = None) -> RoundQuery:
    """Raises ValueError that names the field, the value and what is allowed."""
    return RoundQuery(
        number=whole_number(query, "number"),
        span=time_span(query, zone),
        seat=whole_number(query, "seat", 9),
        wager=query.get("wager", "").strip().lower(),
        over=_cents(query),
        outcome=query.get("outcome", ""),
        cards=cards_of(query.get("cards", "")),
        dealer=query.get("dealer", "").strip(),
        person=query.get("person", "").strip(),
        before=whole_number(query, "before") or AFTER_LAST_ROW,
    )


def audit_query(query: QueryFields, zone: tzinfo | None = None) -> AuditQuery:
    """Raises ValueError."""
    return AuditQuery(
        person=query.get("person", "").strip(),
        sort=query.get("sort", ""),
        text=query.get("text", "").strip(),
        span=time_span(query, zone),
        before=whole_number(query, "before") or AFTER_LAST_ROW,
    )


def time_span(query: QueryFields, zone: tzinfo | None, now: Callable[[], float] = unix_time) -> TimeSpan:
    """The `last` so many minutes; `since` to `until` in seconds of Unix time; or a `day`, whole or `from` a
    time `to` a time, by the clock of the computer. An end that is not after the beginning is on the next day.
    Raises ValueError."""
    if minutes := whole_number(query, "last", MOST_MINUTES):
        return TimeSpan(now() - 60.0 * minutes, LATEST_TIME)
    if not query.get("day"):
        return TimeSpan(_seconds(query, "since", 0.0), _seconds(query, "until", LATEST_TIME))
    begin = _moment(query, "from", time(), zone)
    end = _moment(query, "to", time(), zone)
    if end <= begin:
        end = _next_day(end, zone)
    return TimeSpan(begin.timestamp(), end.timestamp())


def whole_number(query: QueryFields, name: str, most: int = AFTER_LAST_ROW) -> int:
    """A whole number from 1 on; 0 if the field is empty. Raises ValueError."""
    value = query.get(name, "").strip()
    if not value:
        return 0
    if not (value.isascii() and value.isdigit() and len(value) < 17 and 1 <= int(value) <= most):
        up_to = f"1 to {most}" if most < AFTER_LAST_ROW else "a whole number from 1 on"
        raise ValueError(f"{name} = {value!r}: not allowed; allowed: {up_to}")
    return int(value)


def _cents(query: QueryFields) -> int | None:
    """`over` in minor units, or `above` as an amount of money."""
    if query.get("over"):
        return whole_number(query, "over", 10**11)
    value = query.get("above", "").strip()
    if not value:
        return None
    try:
        return parse_typed(value, currency_in_use())
    except BadAmount as error:
        raise ValueError(f"above: {error}") from None


def _seconds(query: QueryFields, name: str, absent: float) -> float:
    value = query.get(name, "").strip()
    try:
        return float(value) if value else absent
    except ValueError:
        raise ValueError(f"{name} = {value!r}: not allowed; allowed: seconds of Unix time") from None


def _moment(query: QueryFields, name: str, absent: time, zone: tzinfo | None) -> datetime:
    """A time on the named day."""
    value = query.get(name, "").strip()
    try:
        day = datetime.fromisoformat(query["day"].strip()).date()
    except ValueError:
        raise ValueError(f"day = {query['day']!r}: no date; allowed: as 2026-11-20") from None
    try:
        at = time.fromisoformat(value) if value else absent
    except ValueError:
        raise ValueError(f"{name} = {value!r}: no time; allowed: as 18:30") from None
    return datetime.combine(day, at.replace(tzinfo=None), zone).astimezone(zone)


def _next_day(end: datetime, zone: tzinfo | None) -> datetime:
    """A shift may go past midnight."""
    return datetime.combine(end.date() + timedelta(1), end.timetz().replace(tzinfo=None), zone).astimezone(
        zone
    )
