"""Queries of people: the fields of a form, of a query string or of a command."""

from collections.abc import Mapping
from typing import Final

from controller.calendar import Calendar, Period
from controller.currency import BadAmount, Currency
from controller.currency.formatting import parse_typed, typed_currency
from controller.floor.recall.query import MOST_DIGITS, NEWEST, FloorQuery, SearchPlace
from controller.monitor.past.queries import QueryFields, round_query

Pits = Mapping[str, tuple[str, ...]]
ANY_CURRENCY: Final = Currency("", MOST_DIGITS)
"""How an amount may be typed that is meant in the currency of each table."""


def floor_query(fields: QueryFields, pits: Pits, calendar: Calendar) -> FloorQuery:
    """The fields of a table's own search; `period`, a gaming day or a shift; `table`, `pit`, `game`, `act`;
    and `before`, which the page before gave. An amount `above` is one in the currency of each table; with the
    symbol or the code of a currency, only rounds in that currency are found. Raises ValueError that names the
    field, the value and what is allowed."""
    named = {name: value for name, value in fields.items() if name not in ("before", "above")}
    if period := fields.get("period", "").strip():
        found = _period(period, calendar)
        named |= {"since": str(found.begins), "until": str(found.ends)}
    before = fields.get("before", "")
    above, currency = _amount(fields.get("above", "").strip())
    return FloorQuery(
        tables=tables_of(fields, pits),
        game=fields.get("game", "").strip(),
        act=fields.get("act", "").strip(),
        rounds=round_query(named, calendar.clock),
        before=SearchPlace.parse(before) if before else NEWEST,
        above=above,
        currency=currency,
    )


def tables_of(fields: QueryFields, pits: Pits) -> tuple[str, ...]:
    """The named `table`, or those of the `pit`; empty for all. Raises ValueError."""
    table, pit = fields.get("table", "").strip(), fields.get("pit", "").strip()
    if pit and pit not in pits:
        raise ValueError(
            f"pit = {pit!r}: not allowed; allowed: {', '.join(pits) or 'none, no pits are configured'}"
        )
    if table and pit and table not in pits[pit]:
        raise ValueError(f"table = {table!r}: not in the pit {pit!r}; allowed: {', '.join(pits[pit])}")
    return (table,) if table else pits.get(pit, ())


def _amount(text: str) -> tuple[int | None, str]:
    """The amount in thousandths of a whole unit, None for an empty text; and the code of the currency, if the
    text names one. Raises ValueError."""
    if not text:
        return None, ""
    try:
        currency = typed_currency(text)
        amount = parse_typed(text, currency or ANY_CURRENCY)
    except BadAmount as error:
        raise ValueError(f"above: {error}") from None
    digits = (currency or ANY_CURRENCY).digits
    return amount * 10 ** (MOST_DIGITS - digits), currency.code if currency else ""


def _period(text: str, calendar: Calendar) -> Period:
    try:
        return calendar.named(text)
    except ValueError as error:
        raise ValueError(f"period: {error}") from None
