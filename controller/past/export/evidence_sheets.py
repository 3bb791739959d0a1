"""The sheets in the evidence of a round: sensors, lamps, confirmations, claims."""

from collections.abc import Iterable, Iterator, Sequence

from controller.journal.chain import JournalRow
from controller.past.export.cells import Cell, csv_line, money
from controller.past.export.chapters import body_of
from controller.past.export.lines import iso_time
from controller.past.replay.steps import InputMoment
from controller.past.seals import checked_seals
from controller.table.record.events import DeviceEvent
from controller.table.view.round_view import LAMP_NAMES
from drivers.messages import SensorFault, Wager
from drivers.protocol.codes import LAMPS, SPOTS_PER_SEAT, Lamp

SENSOR_HEADINGS = ("row", "time", "device_us", "boot", "event", "seat", "spot", "edge", "amount", "history")
LAMP_HEADINGS = ("row", "time", "seat", "spot", "lamp")
CONFIRMATION_HEADINGS = ("row", "time", "device_us", "who", "second", "what", "seat", "amount", "why")
SEAL_HEADINGS = ("row", "sealed", "what", "opened_row", "opened", "card", "same")
CLAIM_SIGNATURES = ("dealer", "supervisor", "second", "payer", "voided_by", "why")
CLAIM_HEADINGS = ("row", "time", "claim", "spot", "seat", "hit", "amount", "state", *CLAIM_SIGNATURES)


def sensor_sheet(moments: Iterable[InputMoment]) -> bytes:
    """Each edge of a sensor, with the table's time and the device's, in microseconds since the device
    started."""
    return _sheet(SENSOR_HEADINGS, (cells for moment in moments for cells in _sensor_lines(moment)))


def lamp_sheet(moments: Sequence[InputMoment]) -> bytes:
    """Each change of a lamp, with the row that caused it; the lamps that were lit at the beginning come
    first."""
    return _sheet(LAMP_HEADINGS, _lamp_changes(moments))


def confirmation_sheet(rows: Iterable[JournalRow]) -> bytes:
    """Keys of the dealer, decisions of supervisors, and refused keys."""
    return _sheet(CONFIRMATION_HEADINGS, (cells for entry in rows for cells in _confirmation(entry)))


def claim_sheet(rows: Iterable[JournalRow]) -> bytes:
    """Each claim of the round after each of its steps, also after the end of the round."""
    return _sheet(CLAIM_HEADINGS, map(_claim_line, rows))


def seal_sheet(rows: Iterable[JournalRow]) -> bytes:
    """Each card that was sealed and opened in the round, and whether it was the same one; empty if none
    was."""
    seals = checked_seals(rows)
    lines = (
        (
            seal.row,
            iso_time(seal.sealed),
            "hole card" if seal.hole else "waited",
            seal.opened_row,
            iso_time(seal.opened),
            seal.card,
            "yes" if seal.same else "no",
        )
        for seal in seals
    )
    return _sheet(SEAL_HEADINGS, lines) if seals else b""


def _sheet(headings: tuple[str, ...], lines: Iterable[tuple[Cell, ...]]) -> bytes:
    return b"".join((csv_line(headings), *map(csv_line, lines)))


def _sensor_lines(moment: InputMoment) -> Iterator[tuple[Cell, ...]]:
    event = moment.event
    if event is None:
        yield from _chips_at_start(moment)
    elif isinstance(event, DeviceEvent) and isinstance(event.body, Wager | SensorFault):
        edge, cents = _edge_and_amount(event.body)
        yield (
            *_row_and_time(moment),
            event.uptime_us,
            event.boot.hex(),
            event.number,
            event.body.seat,
            _spot(moment.spots, event.body.spot),
            edge,
            money(cents or None),
            "history" if event.history else "",
        )


def _chips_at_start(moment: InputMoment) -> Iterator[tuple[Cell, ...]]:
    """The chips that were there at the snapshot."""
    for chips in body_of(moment.entry)["chips"]:
        spot, cents = _spot(moment.spots, chips["spot"]), money(chips["cents"] or None)
        yield *_row_and_time(moment), None, None, None, chips["seat"], spot, "lay", cents, ""


def _edge_and_amount(reported: Wager | SensorFault) -> tuple[str, int]:
    if isinstance(reported, Wager):
        return "chips" if reported.present else "none", reported.cents
    return "faulty" if reported.on else "well", 0


def _lamp_changes(moments: Sequence[InputMoment]) -> Iterator[tuple[Cell, ...]]:
    shown = bytes(LAMPS)
    for moment in moments:
        for place, (was, lamp) in enumerate(zip(shown, moment.lamps, strict=True)):
            if lamp != was:
                seat, spot = divmod(place, SPOTS_PER_SEAT)
                yield *_row_and_time(moment), seat + 1, _spot(moment.spots, spot), LAMP_NAMES[Lamp(lamp)]
        shown = moment.lamps


def _confirmation(entry: JournalRow) -> Iterator[tuple[Cell, ...]]:
    row, record = entry.content, body_of(entry)
    begins = entry.row, iso_time(row.at)
    if row.kind == "event" and isinstance(record["body"], dict) and (key := record["body"].get("key")):
        cents = money(key["cents"] or None)
        yield *begins, record["uptime_us"], "dealer", None, key["action"], key["seat"] or None, cents, None
    elif row.kind == "refusal":
        yield (
            *begins,
            None,
            "table",
            None,
            f"refused: {record['action']}",
            record["seat"],
            None,
            record["reason"],
        )
    elif "who" in record and row.kind in DECISION_FIELDS:
        what = " ".join(
            str(record[name]) for name in DECISION_FIELDS[row.kind] if record.get(name) not in (None, "")
        )
        yield (
            *begins,
            None,
            record["who"],
            record.get("second"),
            what,
            record.get("seat") or None,
            None,
            record["why"],
        )


def _claim_line(entry: JournalRow) -> tuple[Cell, ...]:
    claim = body_of(entry)["claim"]
    return (
        entry.row,
        iso_time(entry.content.at),
        claim["number"],
        claim["spot"],
        claim["seat"],
        claim["hit"],
        money(claim["cents"]),
        claim["state"],
        *(claim[name] for name in CLAIM_SIGNATURES),
    )


DECISION_FIELDS = {
    "supervisor": ("choice", "old", "card", "device", "licence"),
    "claim step": ("step", "claim"),
    "meter correction": ("spot", "cents"),
    "asked": ("about",),
    "answered": ("request", "grant"),
    "key undone": ("action",),
}
"""The fields that describe a decision, by kind of row."""


def _row_and_time(moment: InputMoment) -> tuple[int, str]:
    return moment.entry.row, iso_time(moment.entry.content.at)


def _spot(spots: Sequence[str], place: int) -> str:
    return spots[place] if place < len(spots) else str(place)
