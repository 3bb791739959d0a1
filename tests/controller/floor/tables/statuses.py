"""Statuses and tiles to test with."""

from typing import Any

from controller.floor.tables.tile import Tile
from controller.property.status import NO_PACE, NO_SHIFT, StatusRequest, TableStatus, UplinkStatus

EPOCH, OTHER = "0123456789abcdef", "fedcba9876543210"


def status(at: float, **fields: Any) -> TableStatus:
    """A table that waits for wagers; `fields` replaces what else it says."""
    plain: dict[str, Any] = {
        "epoch": EPOCH,
        "row": 0,
        "hash": "",
        "state": "betting",
        "game": "Easy Jack",
        "round": 1,
        "players": 0,
        "pace": NO_PACE,
        "shift": NO_SHIFT,
        "software": "1.0",
    }
    return TableStatus.model_validate(plain | {"at": at} | fields)


def uplink(at: float, core: str = "down", alarm: str = "") -> UplinkStatus:
    return UplinkStatus.model_validate({"epoch": EPOCH, "core": core, "alarm": alarm, "at": at})


def request(number: int, since: float) -> StatusRequest:
    return StatusRequest(number=number, nonce="n", kind="help", by="Ada", since=since, needs=1, text="help")


def tile(table: str, place: int = 0, **fields: Any) -> Tile:
    return Tile(table, fields.pop("pit", "A"), place, fields.pop("condition", "open"), **fields)
