"""Inputs and notes as rows of the journal, and inputs back from rows."""

import json
from dataclasses import fields
from typing import cast

from controller.journal.chain import Row
from controller.round import Peeked, Revealed, Settled
from controller.table.record.events import (
    Acknowledged,
    Action,
    ActionEnded,
    Answered,
    Asked,
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
from controller.table.record.records import text, whole
from controller.table.state.snapshot import Snapshot, take, take_all
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
    "asked": Asked,
    "answered": Answered,
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


def row(at: float, record: Input | Note) -> Row:
    """The row that keeps an input or a note."""
    if not isinstance(record, DeviceEvent):
        return Row(at, _KINDS[type(record)], text(record))
    content = {name: getattr(record, name) for name in _EVENT}
    return Row(at, "event", text(content), record.device, record.log, record.number)


def snapshot_row(at: float, state: TableState) -> Row:
    """The row that a later start begins from."""
    return Row(at, SNAPSHOT, text(take(state)))


def opening_row(at: float, state: TableState) -> Row:
    """The row that a file of the journal begins with: a start needs nothing of the files before."""
    return Row(at, SNAPSHOT, text(take_all(state)))


def read_input(row: Row) -> Input:
    """The input that a row of one of the kinds of INPUTS keeps."""
    told = json.loads(row.body)
    if row.kind == "event":
        told |= {"device": row.device, "log": row.log.hex(), "number": row.number}
    return cast("Input", whole(INPUTS[row.kind], told))


def read_record(row: Row) -> Input | Note:
    """The input or the note that a row of one of the kinds of INPUTS or NOTES keeps."""
    if row.kind in INPUTS:
        return read_input(row)
    return cast("Note", whole(NOTES[row.kind], json.loads(row.body)))


def read_ended(row: Row) -> RoundEnded:
    """What a row of kind "round" keeps: the round as it was seen, and its script."""
    return cast("RoundEnded", whole(RoundEnded, json.loads(row.body)))


def read_snapshot(row: Row) -> Snapshot:
    """The snapshot that a row of kind "snapshot" keeps."""
    return cast("Snapshot", whole(Snapshot, json.loads(row.body)))
