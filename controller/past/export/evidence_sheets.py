"""What sensors saw, what lamps showed, and who confirmed what: sheets of one round."""

from collections.abc import Iterable, Iterator, Sequence

from controller.journal.chain import Entry
from controller.past.export.cells import Cell, line, money
from controller.past.export.chapters import body
from controller.past.export.lines import stamp
from controller.past.replay.steps import Moment
from controller.table.record.events import DeviceEvent
from controller.table.view.round_view import LAMP_NAMES
from drivers.messages import SensorFault, Wager
from drivers.protocol.codes import LAMPS, SPOTS_PER_SEAT, Lamp

SENSED = ("row", "time", "device_us", "boot", "event", "seat", "spot", "edge", "amount", "history")
LIT = ("row", "time", "seat", "spot", "lamp")
CONFIRMED = ("row", "time", "device_us", "who", "second", "what", "seat", "amount", "why")
SIGNED = ("dealer", "supervisor", "second", "payer", "voided_by", "why")
CLAIMED = ("row", "time", "claim", "spot", "seat", "hit", "amount", "state", *SIGNED)


def sensed(moments: Iterable[Moment]) -> bytes:
    """Each edge, with the time of the device in microseconds since its start, and the table's."""
    return _sheet(SENSED, (cells for moment in moments for cells in _edge(moment)))


def lit(moments: Sequence[Moment]) -> bytes:
    """Each change of a lamp from the row on that led to it, and what was lit before."""
    return _sheet(LIT, _changes(moments))


def confirmed(rows: Iterable[Entry]) -> bytes:
    """The dealer's keys, a supervisor's words, and what the table refused."""
    return _sheet(CONFIRMED, (cells for entry in rows for cells in _word(entry)))


def claimed(rows: Iterable[Entry]) -> bytes:
    """The claims of the round's jackpots after each step, those after the round too."""
    return _sheet(CLAIMED, map(_claim, rows))


def _sheet(headings: tuple[str, ...], lines: Iterable[tuple[Cell, ...]]) -> bytes:
    return b"".join((line(headings), *map(line, lines)))


def _edge(moment: Moment) -> Iterator[tuple[Cell, ...]]:
    event = moment.event
    if event is None:
        yield from _lying(moment)
    elif isinstance(event, DeviceEvent) and isinstance(event.body, Wager | SensorFault):
        edge, cents = _seen(event.body)
        yield (
            *_begins(moment), event.uptime_us, event.boot.hex(), event.number, event.body.seat,
            _spot(moment.spots, event.body.spot), edge, money(cents or None),
            "history" if event.history else "",
        )  # fmt: skip


def _lying(moment: Moment) -> Iterator[tuple[Cell, ...]]:
    """What lay there already, as the snapshot has it."""
    for chips in body(moment.entry)["chips"]:
        spot, cents = _spot(moment.spots, chips["spot"]), money(chips["cents"] or None)
        yield *_begins(moment), None, None, None, chips["seat"], spot, "lay", cents, ""


def _seen(reported: Wager | SensorFault) -> tuple[str, int]:
    if isinstance(reported, Wager):
        return "chips" if reported.present else "none", reported.cents
    return "faulty" if reported.on else "well", 0


def _changes(moments: Sequence[Moment]) -> Iterator[tuple[Cell, ...]]:
    shown = bytes(LAMPS)
    for moment in moments:
        for place, (was, lamp) in enumerate(zip(shown, moment.lamps, strict=True)):
            if lamp != was:
                seat, spot = divmod(place, SPOTS_PER_SEAT)
                yield *_begins(moment), seat + 1, _spot(moment.spots, spot), LAMP_NAMES[Lamp(lamp)]
        shown = moment.lamps


def _word(entry: Entry) -> Iterator[tuple[Cell, ...]]:
    row, told = entry.content, body(entry)
    begins = entry.row, stamp(row.at)
    if row.kind == "event" and isinstance(told["body"], dict) and (key := told["body"].get("key")):
        cents = money(key["cents"] or None)
        yield *begins, told["uptime_us"], "dealer", None, key["action"], key["seat"] or None, cents, None
    elif row.kind == "refusal":
        yield *begins, None, "table", None, f"refused: {told['action']}", told["seat"], None, told["reason"]
    elif "who" in told and row.kind in SAID:
        what = " ".join(str(told[name]) for name in SAID[row.kind] if told.get(name) not in (None, ""))
        yield (
            *begins,
            None,
            told["who"],
            told.get("second"),
            what,
            told.get("seat") or None,
            None,
            told["why"],
        )


def _claim(entry: Entry) -> tuple[Cell, ...]:
    claim = body(entry)["claim"]
    return (
        entry.row, stamp(entry.content.at), claim["number"], claim["spot"], claim["seat"], claim["hit"],
        money(claim["cents"]), claim["state"], *(claim[name] for name in SIGNED),
    )  # fmt: skip


SAID = {
    "supervisor": ("choice", "old", "card", "device", "licence"),
    "claim step": ("step", "claim"),
    "meter correction": ("spot", "cents"),
    "asked": ("about",),
    "answered": ("request", "grant"),
    "key undone": ("action",),
}
"""Kinds of rows that keep a person's word, and what it is made of."""


def _begins(moment: Moment) -> tuple[int, str]:
    return moment.entry.row, stamp(moment.entry.content.at)


def _spot(spots: Sequence[str], place: int) -> str:
    return spots[place] if place < len(spots) else str(place)
