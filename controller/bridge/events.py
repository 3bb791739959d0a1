"""What happens at a table, as events for other systems: which rows of the journal are events, and how they
are written.

A row is one event at most. Rows reach this module only when they may leave the house (`head` of the table
socket), so no event names a card that lies face down or was not dealt. Version 1 of the format is in
docs/bridge.md: fields may be added to it, and none is changed or removed.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from controller.config.bridge import EventName
from controller.journal.chain import JournalRow
from controller.past.significant import event_of, is_play
from controller.table.record.codec import read_record
from controller.table.record.events import DeviceEvent, LevelChanged, ShareWon
from controller.table.record.kinds import BY_NAME
from controller.table.record.notes import ClaimMoved, MeterMoved, RoundCorrected, RoundEnded

VERSION: Final = 1
Content = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TableName:
    """`table`: what other systems call it; `name`: what people at the table read. `currency`: the code of the
    currency of its amounts; empty if the table does not say."""

    table: str
    name: str
    currency: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """`row` and `hash` are those of the journal that `journal` tells from every other one; `at` is in seconds
    of Unix time. `id` differs for each two events, and is the same whenever this one is sent."""

    id: str
    kind: EventName
    journal: str
    row: int
    hash: str
    at: float
    content: Content

    def payload(self, table: TableName) -> bytes:
        """As receivers get it: JSON in ASCII."""
        fields = {
            "v": VERSION,
            "id": self.id,
            "event": self.kind,
            **asdict(table),
            "journal": self.journal,
            "row": self.row,
            "hash": self.hash,
            "at": self.at,
            self.kind: self.content,
        }
        return json.dumps(fields, separators=(",", ":")).encode("ascii")


def event_of_row(journal: str, entry: JournalRow) -> Event | None:
    """The event in a row, None if it is none. Raises what `read_record` raises."""
    row = entry.content
    kind = BY_NAME.get(row.kind)
    if kind is None or is_play(row):
        return None
    if kind.record in CONTENTS:
        name, content_of = CONTENTS[kind.record]
        content = content_of(read_record(row))
    elif kind.code or kind.record is DeviceEvent:
        name, content = "alert", _alert(entry)
    else:
        return None
    if content is None:
        return None
    return Event(f"{journal}-{entry.row}", name, journal, entry.row, entry.hash.hex(), row.at, content)


def _round(ended: RoundEnded) -> Content:
    return {"change": "ended", **asdict(ended.round)}


def _corrected(corrected: RoundCorrected) -> Content | None:
    """A correction in the round in play has no event of its own: the round is not over."""
    return {"change": "corrected", **asdict(corrected.ended.round)} if corrected.ended else None


def _meter(moved: MeterMoved) -> Content:
    return {"change": moved.kind, "spot": moved.spot, "before": moved.before, "after": moved.after}


def _claim(moved: ClaimMoved) -> Content:
    claim = moved.claim
    return {
        "change": "claim",
        "spot": claim.spot,
        "level": claim.level,
        "claim": claim.number,
        "state": claim.state,
        "round": claim.round,
        "seat": claim.seat,
        "hit": claim.hit,
        "share": claim.share,
        "cents": claim.amount,
    }


def _level(changed: LevelChanged) -> Content:
    return {"change": "level", "level": changed.level, "state": changed.state, "cents": changed.cents}


def _share(won: ShareWon) -> Content:
    return {"change": "share", "claim": won.claim, "cents": won.cents, "order": list(won.order)}


def _alert(entry: JournalRow) -> Content | None:
    found = event_of(read_record(entry.content))
    return asdict(found) if found else None


CONTENTS: Final[Mapping[type, tuple[EventName, Callable[[Any], Content | None]]]] = {
    RoundEnded: ("round", _round),
    RoundCorrected: ("round", _corrected),
    MeterMoved: ("jackpot", _meter),
    ClaimMoved: ("jackpot", _claim),
    LevelChanged: ("jackpot", _level),
    ShareWon: ("jackpot", _share),
}
"""By type of record. Every other significant event (controller/past/significant.py) is an alert."""
