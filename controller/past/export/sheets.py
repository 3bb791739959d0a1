"""Sheets for accounting and for the surveillance room: what each line of them is made of."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields

from controller.jackpot import Books
from controller.journal.chain import Entry
from controller.past.export.cells import Cell, money
from controller.past.export.chapters import body
from controller.past.export.lines import stamp
from controller.past.replay.rounds import CORRECTED
from controller.table.record.codec import read_record
from controller.table.record.events import DeviceEvent
from controller.table.record.significant import KEPT, REPORTED, Kind

BOOKS = tuple(field.name for field in fields(Books))
"""What a jackpot's books say after a movement, in units of 1/10,000 of a cent."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Headings, and the lines that a row of the journal, of the round of that number, comes to."""

    headings: tuple[str, ...]
    lines: Callable[[int, Entry], Iterator[tuple[Cell, ...]]]


def _settlements(number: int, entry: Entry) -> Iterator[tuple[Cell, ...]]:
    """Each wager of an ended round; of one that was corrected later once more, as it says since then."""
    if entry.content.kind not in ("round", CORRECTED):
        return
    told = body(entry)
    ended = told.get("ended") if entry.content.kind == CORRECTED else told
    if ended is None:
        return  # the round had not ended, and has yet to
    outcome = CORRECTED if ended is not told else ended["round"]["outcome"]
    for line in ended["round"]["lines"]:
        yield (
            number, stamp(entry.content.at), outcome, line["seat"], line["hand"], line["wager"],
            money(line["amount"]), line["outcome"], line["pays"], money(line["paid"]), line["reason"],
        )  # fmt: skip


def _meters(number: int, entry: Entry) -> Iterator[tuple[Cell, ...]]:
    """Each movement of a jackpot's meter."""
    if entry.content.kind != "meter":
        return
    told = body(entry)
    books = told.get("books") or {}
    yield (
        entry.row, stamp(entry.content.at), number, told["spot"], told["kind"], money(told["before"]),
        money(told["after"]), told["why"], told.get("who", ""), told.get("second", ""),
        *(books.get(name) for name in BOOKS),
    )  # fmt: skip


def _alerts(number: int, entry: Entry) -> Iterator[tuple[Cell, ...]]:
    """Each significant event."""
    kind = _significant(entry)
    if kind is None:
        return
    record = read_record(entry.content)
    text = kind.says(record.body if isinstance(record, DeviceEvent) else record)
    if text:
        device = getattr(record, "device", "")
        yield entry.row, stamp(entry.content.at), number, kind.code, device, text


def _significant(entry: Entry) -> Kind | None:
    if entry.content.kind != "event":
        return KEPT.get(entry.content.kind)
    message = body(entry)["body"]
    return REPORTED.get(next(iter(message))) if isinstance(message, dict) else None


SHEETS: Mapping[str, Sheet] = {
    "settlements": Sheet(
        ("round", "time", "ended", "seat", "hand", "wager", "amount", "outcome", "pays", "paid", "reason"),
        _settlements,
    ),
    "meters": Sheet(
        ("row", "time", "round", "spot", "kind", "before", "after", "why", "who", "second", *BOOKS), _meters
    ),
    "alerts": Sheet(("row", "time", "round", "code", "device", "text"), _alerts),
}
