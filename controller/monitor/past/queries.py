"""What people ask for in a form or a query, as what is looked for."""

import re
from collections.abc import Mapping
from datetime import datetime, time, timedelta, tzinfo

from controller.past.recall.audit import Asked
from controller.past.recall.query import Wanted, cards_of
from controller.past.recall.stretches import LAST, Span

Query = Mapping[str, str]
FOREVER = 1e12
_MONEY = re.compile(r"([0-9]{1,9})(?:\.([0-9]{2}))?")


def wanted(query: Query, zone: tzinfo | None = None) -> Wanted:
    """Which rounds. Raises ValueError naming the field, the value and what is allowed."""
    return Wanted(
        number=whole(query, "number"),
        span=span(query, zone),
        seat=whole(query, "seat", 9),
        wager=query.get("wager", "").strip().lower(),
        over=_cents(query),
        outcome=query.get("outcome", ""),
        cards=cards_of(query.get("cards", "")),
        dealer=query.get("dealer", "").strip(),
        person=query.get("person", "").strip(),
        before=whole(query, "before") or LAST,
    )


def asked(query: Query, zone: tzinfo | None = None) -> Asked:
    """Which deeds. Raises ValueError."""
    return Asked(
        person=query.get("person", "").strip(),
        sort=query.get("sort", ""),
        text=query.get("text", "").strip(),
        span=span(query, zone),
        before=whole(query, "before") or LAST,
    )


def span(query: Query, zone: tzinfo | None) -> Span:
    """From `since` to `until` in seconds; or a `day`, all of it or from a time to a time, as the table's own
    clock has it. An end that is not after the beginning is of the next day."""
    if not query.get("day"):
        return Span(_seconds(query, "since", 0.0), _seconds(query, "until", FOREVER))
    begin = _moment(query, "from", time(), zone)
    end = _moment(query, "to", time(), zone)
    if end <= begin:
        end = _next_day(end, zone)
    return Span(begin.timestamp(), end.timestamp())


def whole(query: Query, name: str, most: int = LAST) -> int:
    """A whole number from 1 on; 0 where nothing is said."""
    said = query.get(name, "").strip()
    if not said:
        return 0
    if not (said.isascii() and said.isdigit() and len(said) < 17 and 1 <= int(said) <= most):
        up_to = f"1 to {most}" if most < LAST else "a whole number from 1 on"
        raise ValueError(f"{name} = {said!r}: not allowed; allowed: {up_to}")
    return int(said)


def _cents(query: Query) -> int | None:
    """`over` in cents, or `above` in money as people write it."""
    if query.get("over"):
        return whole(query, "over", 10**11)
    said = query.get("above", "").strip().replace(",", "")
    if not said:
        return None
    found = _MONEY.fullmatch(said)
    if not found:
        raise ValueError(f"above = {said!r}: no amount; allowed: as 250 or 12.50")
    return 100 * int(found[1]) + int(found[2] or 0)


def _seconds(query: Query, name: str, absent: float) -> float:
    said = query.get(name, "").strip()
    try:
        return float(said) if said else absent
    except ValueError:
        raise ValueError(f"{name} = {said!r}: not allowed; allowed: seconds of Unix time") from None


def _moment(query: Query, name: str, absent: time, zone: tzinfo | None) -> datetime:
    """A time of the day that is named."""
    said = query.get(name, "").strip()
    try:
        day = datetime.fromisoformat(query["day"].strip()).date()
    except ValueError:
        raise ValueError(f"day = {query['day']!r}: no date; allowed: as 2026-11-20") from None
    try:
        at = time.fromisoformat(said) if said else absent
    except ValueError:
        raise ValueError(f"{name} = {said!r}: no time; allowed: as 18:30") from None
    return datetime.combine(day, at.replace(tzinfo=None), zone).astimezone(zone)


def _next_day(end: datetime, zone: tzinfo | None) -> datetime:
    """A shift goes over midnight."""
    return datetime.combine(end.date() + timedelta(1), end.timetz().replace(tzinfo=None), zone).astimezone(
        zone
    )
