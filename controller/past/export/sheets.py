"""The sheets of `tableside journal export`, for accounting and surveillance."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields

from controller.currency import currency_in_use
from controller.jackpot import Books
from controller.journal.chain import JournalRow
from controller.past.export.cells import Cell, money
from controller.past.export.chapters import body_of
from controller.past.export.lines import iso_time
from controller.past.replay.rounds import CORRECTED
from controller.past.significant import significant_event

BOOKS = tuple(field.name for field in fields(Books))
"""The columns of the books after a movement, in units of 1/10,000 of a cent."""


@dataclass(frozen=True, slots=True)
class ExportSheet:
    """`lines` gives the lines for a row of the journal and the number of its round."""

    headings: tuple[str, ...]
    lines: Callable[[int, JournalRow], Iterator[tuple[Cell, ...]]]


def _settlements(number: int, entry: JournalRow) -> Iterator[tuple[Cell, ...]]:
    """Each wager of an ended round; after a correction, all of them once more."""
    if entry.content.kind not in ("round", CORRECTED):
        return
    record = body_of(entry)
    ended = record.get("ended") if entry.content.kind == CORRECTED else record
    if ended is None:
        return  # the round had not ended, and has yet to
    outcome = CORRECTED if ended is not record else ended["round"]["outcome"]
    for line in ended["round"]["lines"]:
        yield (
            number,
            iso_time(entry.content.at),
            outcome,
            line["seat"],
            line["hand"],
            line["wager"],
            money(line["amount"]),
            line["outcome"],
            line["pays"],
            money(line["paid"]),
            line["reason"],
            currency_in_use().code,
        )


def _meters(number: int, entry: JournalRow) -> Iterator[tuple[Cell, ...]]:
    if entry.content.kind != "meter":
        return
    record = body_of(entry)
    books = record.get("books") or {}
    yield (
        entry.row,
        iso_time(entry.content.at),
        number,
        record["spot"],
        record["kind"],
        money(record["before"]),
        money(record["after"]),
        record["why"],
        record.get("who", ""),
        record.get("second", ""),
        *(books.get(name) for name in BOOKS),
        currency_in_use().code,
    )


def _alerts(number: int, entry: JournalRow) -> Iterator[tuple[Cell, ...]]:
    if event := significant_event(entry.content):
        yield entry.row, iso_time(entry.content.at), number, event.code, event.device, event.text


SHEETS: Mapping[str, ExportSheet] = {
    "settlements": ExportSheet(
        (
            "round",
            "time",
            "ended",
            "seat",
            "hand",
            "wager",
            "amount",
            "outcome",
            "pays",
            "paid",
            "reason",
            "currency",
        ),
        _settlements,
    ),
    "meters": ExportSheet(
        (
            "row",
            "time",
            "round",
            "spot",
            "kind",
            "before",
            "after",
            "why",
            "who",
            "second",
            *BOOKS,
            "currency",
        ),
        _meters,
    ),
    "alerts": ExportSheet(("row", "time", "round", "code", "device", "text"), _alerts),
}
