"""Inputs and notes as rows of the journal, and inputs back from rows."""

import json
from dataclasses import fields
from typing import cast

from controller.journal.chain import RowContent
from controller.round import Peeked, Revealed, Settled
from controller.table.record.events import (
    Acknowledged,
    Action,
    ActionEnded,
    CardsMissing,
    ClaimStep,
    CommandRefused,
    ConsoleKey,
    DealerOn,
    DeviceEvent,
    DeviceLost,
    DeviceRunning,
    DeviceUp,
    DiskSpace,
    EventsMissing,
    Input,
    LampTest,
    MeterCorrection,
    Noticed,
    RequestAnswered,
    RequestMade,
    Started,
    Supervisor,
    TestMode,
)
from controller.table.record.notes import (
    Accessed,
    Alert,
    ClaimMoved,
    Cleared,
    ClockStepped,
    DeckChecked,
    FirmwareUpdated,
    KeyUndone,
    MeterMoved,
    Note,
    Permitted,
    Refusal,
    RequestMoved,
    Resumed,
    Retired,
    RoundCorrected,
    RoundEnded,
    SelfTested,
    ShoeEnded,
    Suspended,
)
from controller.table.record.records import from_json, to_json
from controller.table.state.snapshot import Snapshot, take_opening_snapshot, take_snapshot
from controller.table.state.table_state import TableState

INPUTS: dict[str, type[Input]] = {
    "started": Started,
    "device up": DeviceUp,
    "device running": DeviceRunning,
    "device lost": DeviceLost,
    "event": DeviceEvent,
    "events missing": EventsMissing,
    "cards missing": CardsMissing,
    "action": Action,
    "action ended": ActionEnded,
    "command refused": CommandRefused,
    "supervisor": Supervisor,
    "claim step": ClaimStep,
    "meter correction": MeterCorrection,
    "disk": DiskSpace,
    "noticed": Noticed,
    "console key": ConsoleKey,
    "dealer": DealerOn,
    "acknowledged": Acknowledged,
    "asked": RequestMade,
    "answered": RequestAnswered,
    "test mode": TestMode,
    "lamp test": LampTest,
}
NOTES: dict[str, type[Note]] = {
    "alert": Alert,
    "refusal": Refusal,
    "suspended": Suspended,
    "resumed": Resumed,
    "permit": Permitted,
    "settlement": Settled,
    "revealed": Revealed,
    "peek": Peeked,
    "meter": MeterMoved,
    "claim": ClaimMoved,
    "round": RoundEnded,
    "corrected": RoundCorrected,
    "key undone": KeyUndone,
    "request": RequestMoved,
    "shoe ended": ShoeEnded,
    "deck checked": DeckChecked,
    "cleared": Cleared,
    "firmware": FirmwareUpdated,
    "clock": ClockStepped,
    "self-test": SelfTested,
    "retired": Retired,
    "access": Accessed,
}
SNAPSHOT = "snapshot"

_KINDS: dict[type, str] = {record: kind for kind, record in (*INPUTS.items(), *NOTES.items())}
_COLUMNS = ("device", "log", "number")
"""What has a column of its own."""
_EVENT = tuple(field.name for field in fields(DeviceEvent) if field.name not in _COLUMNS)


def to_row(at: float, record: Input | Note) -> RowContent:
    """The row that keeps an input or a note."""
    if not isinstance(record, DeviceEvent):
        return RowContent(at, _KINDS[type(record)], to_json(record))
    content = {name: getattr(record, name) for name in _EVENT}
    return RowContent(at, "event", to_json(content), record.device, record.log, record.number)


def snapshot_row(at: float, state: TableState) -> RowContent:
    """The row that a later start begins from."""
    return RowContent(at, SNAPSHOT, to_json(take_snapshot(state)))


def opening_row(at: float, state: TableState) -> RowContent:
    """The row that a file of the journal begins with: a start needs nothing of the files before."""
    return RowContent(at, SNAPSHOT, to_json(take_opening_snapshot(state)))


def read_input(row: RowContent) -> Input:
    """The input that a row of one of the kinds of INPUTS keeps."""
    content = json.loads(row.body)
    if row.kind == "event":
        content |= {"device": row.device, "log": row.log.hex(), "number": row.number}
    return cast("Input", from_json(INPUTS[row.kind], content))


def read_record(row: RowContent) -> Input | Note:
    """The input or the note that a row of one of the kinds of INPUTS or NOTES keeps."""
    if row.kind in INPUTS:
        return read_input(row)
    return cast("Note", from_json(NOTES[row.kind], json.loads(row.body)))


def read_ended(row: RowContent) -> RoundEnded:
    """What a row of kind "round" keeps: the round as it was seen, and its script."""
    return cast("RoundEnded", from_json(RoundEnded, json.loads(row.body)))


def read_snapshot(row: RowContent) -> Snapshot:
    """The snapshot that a row of kind "snapshot" keeps."""
    return cast("Snapshot", from_json(Snapshot, json.loads(row.body)))
