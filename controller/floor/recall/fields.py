"""Queries of people: the fields of a form, of a query string or of a command."""

from collections.abc import Mapping

from controller.calendar import Calendar, Period
from controller.floor.recall.query import NEWEST, FloorQuery, SearchPlace
from controller.monitor.past.queries import QueryFields, round_query

Pits = Mapping[str, tuple[str, ...]]


def floor_query(fields: QueryFields, pits: Pits, calendar: Calendar) -> FloorQuery:
    """The fields of a table's own search; `period`, a gaming day or a shift; `table`, `pit`, `game`, `act`;
    and `before`, which the page before gave. Raises ValueError that names the field, the value and what is
    allowed."""
    named = {name: value for name, value in fields.items() if name != "before"}
    if period := fields.get("period", "").strip():
        found = _period(period, calendar)
        named |= {"since": str(found.begins), "until": str(found.ends)}
    before = fields.get("before", "")
    return FloorQuery(
        tables=tables_of(fields, pits),
        game=fields.get("game", "").strip(),
        act=fields.get("act", "").strip(),
        rounds=round_query(named, calendar.clock),
        before=SearchPlace.parse(before) if before else NEWEST,
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


def _period(text: str, calendar: Calendar) -> Period:
    try:
        return calendar.named(text)
    except ValueError as error:
        raise ValueError(f"period: {error}") from None
