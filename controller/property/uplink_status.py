"""The status that an uplink sends by itself, unsigned: what the core cannot say, because it is down, or does
not know. `controller.property.status.UplinkStatus` reads it."""

import json
from typing import Literal

_encode = json.JSONEncoder(separators=(",", ":")).encode


def uplink_status(epoch: str, core: Literal["up", "down"], alarm: str, at: float) -> bytes:
    """`alarm`: why no rows are sent, empty if only the core is down; `at`: seconds of Unix time."""
    return _encode({"v": 1, "epoch": epoch, "core": core, "alarm": alarm, "at": round(at, 3)}).encode()
