"""The reconciliation of a gaming day as JSON and as CSV sheets."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from controller.currency import Currency
from controller.floor.reconciliation.comparison import ClaimComparison, DayReconciliation, MeterComparison
from controller.jackpot.linked.wire import Tally
from controller.past.export.cells import Cell, money

WAGERS: Final = "linked wagers"
CLAIMS: Final = "linked claims"
HEADINGS: Final[dict[str, tuple[str, ...]]] = {
    WAGERS: (
        "level",
        "table",
        "journal",
        "up to row",
        "currency",
        "wagers in rows",
        "stakes in rows",
        "wagers at the progressive",
        "stakes at the progressive",
        "difference",
        "not yet compared",
    ),
    CLAIMS: (
        "level",
        "table",
        "claim",
        "currency",
        "amount in rows",
        "state in rows",
        "amount at the progressive",
        "state at the progressive",
        "differs",
        "not yet compared",
    ),
}
TOTAL: Final = "total"


def reconciliation_json(found: DayReconciliation | None) -> dict[str, Any] | None:
    """Money in minor units, with `minor_digits` after the decimal point. `rows`: None where nothing can be
    compared. None for a period that is not a day."""
    if found is None:
        return None
    return {
        "differences": len(found.differences),
        "levels": [
            {
                "level": one.level,
                **_currency(one.money),
                "rows": _tally(one.rows),
                "progressive": _tally(one.progressive),
            }
            for one in found.levels
        ],
        "wagers": [
            {
                **_fields(one),
                "rows": _tally(one.rows),
                "progressive": _tally(one.progressive),
                "differs": one.differs,
            }
            for one in found.meters
        ],
        "claims": [{**_fields(one), "differs": one.differs} for one in found.claims],
    }


def _fields(one: MeterComparison | ClaimComparison) -> dict[str, Any]:
    fields = asdict(one)
    del fields["money"]
    return {**fields, **_currency(one.money)}


def _currency(money: Currency) -> dict[str, Any]:
    return {"currency": money.code, "minor_digits": money.digits}


def reconciliation_lines(found: DayReconciliation | None, name: str) -> Iterator[tuple[Cell, ...]]:
    """The lines of one of HEADINGS; none for a period that is not a day."""
    if found is None:
        return
    if name == CLAIMS:
        yield from map(_claim, found.claims)
        return
    yield from map(_wagers, found.meters)
    for one in found.levels:
        yield (one.level, TOTAL, "", None, *_figures(one.rows, one.progressive, one.money), "")


def _wagers(one: MeterComparison) -> tuple[Cell, ...]:
    row = one.row if one.rows is not None else None
    figures = _figures(one.rows, one.progressive, one.money)
    return (one.level, one.table, one.epoch, row, *figures, one.waits)


def _figures(rows: Tally | None, progressive: Tally, currency: Currency) -> tuple[Cell, ...]:
    """With the code of the currency first."""
    counted = progressive.wagers, money(progressive.wagered, currency)
    if rows is None:
        return (currency.code, None, None, *counted, None)
    difference = money(rows.wagered - progressive.wagered, currency)
    return (currency.code, rows.wagers, money(rows.wagered, currency), *counted, difference)


def _claim(one: ClaimComparison) -> tuple[Cell, ...]:
    rows = money(one.row_cents, one.money) if one.row_state else None, one.row_state
    progressive = money(one.cents, one.money) if one.state else None, one.state
    differs = "yes" if one.differs else ""
    return (one.level, one.table, one.claim, one.money.code, *rows, *progressive, differs, one.waits)


def _tally(found: Tally | None) -> dict[str, int] | None:
    return found._asdict() if found is not None else None
