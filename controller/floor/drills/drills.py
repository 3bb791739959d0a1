"""The drills by name, and how one is carried out: `tableside floor drill`.

To add a drill, add a row to DRILLS, and say in docs/floor.md what it does.
"""

import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.demo.processes import DemoError
from controller.floor.connection import ServersError
from controller.floor.drills import (
    commands,
    face_down,
    journals,
    nodes,
    partition,
    permissions,
    power,
    progressive,
    room,
    silence,
)
from controller.floor.drills.cluster import ClusterError
from controller.floor.drills.disk.disk import DiskAbsentError, DiskError
from controller.floor.drills.house import DrillError
from controller.floor.drills.outcome import DrillResult, Findings
from controller.floor.nats_server import NatsServerError
from controller.floor.progressive.log_stream import StreamAway

LEVEL: Final = "the stored rows are those of the journals: nothing lost, nothing twice"
OBSTACLES: Final = (DemoError, DrillError, ClusterError, DiskError, NatsServerError, ServersError, StreamAway)
"""What ends a drill before it is over; its message is a fault of the drill."""


@dataclass(frozen=True, slots=True)
class Drill:
    """`expected`: the result that the drill must have, in a sentence; `seconds`: how long its troubles last
    by default, 0 for a drill whose steps have no set time."""

    expected: str
    run: Callable[[Path, float], Awaitable[Findings]]
    seconds: float = 0.0


DRILLS: Final[Mapping[str, Drill]] = {
    "nodes": Drill(LEVEL, nodes.nodes, 120),
    "rewind": Drill(f"{LEVEL}; the floor reports that the stream was put back", nodes.rewind, 60),
    "power": Drill(
        f"{LEVEL}; servers that sync each message forget none that they have acknowledged", power.power, 120
    ),
    "clone": Drill(
        "an alarm within 10 s, and no row of the copy is stored",
        journals.clone,
    ),
    "rollback": Drill("the uplink stops with an alarm, and no other row is stored", journals.rollback),
    "gone": Drill(
        "incident `rows gone`; after two persons accepted the gap, every other row is stored", journals.gone
    ),
    "partition": Drill(
        f"play goes on; {LEVEL}; no claim of a linked progressive has two amounts", partition.partition, 20
    ),
    "silence": Drill(
        "linked spots stay open for 4.9 s, are closed after 5.1 s, and open after three amounts",
        silence.silence,
    ),
    "permissions": Drill(
        "everything under another table's name is refused; exactly one of two writers wins each race",
        permissions.permissions,
    ),
    "face-down": Drill("no card of a round in play is found", face_down.face_down),
    "commands": Drill(
        "each is refused with its code; a repeated one gets the first answer", commands.commands
    ),
    "full": Drill("rows wait at the table, an alert says why, and with more room they arrive", room.full),
    "progressive": Drill(
        "one order, balanced books, one amount for each claim, or a stop", progressive.progressive, 3600
    ),
}


async def run_drill(name: str, seconds: float | None = None) -> DrillResult:
    """Carry out a drill of DRILLS in a temporary folder. `seconds`: how long its troubles last."""
    drill = DRILLS[name]
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tableside-drill-") as folder:
        try:
            found = await drill.run(Path(folder), drill.seconds if seconds is None else seconds)
        except OBSTACLES as error:
            found = Findings(faults=[str(error)])
        except DiskAbsentError as error:
            found = Findings(absent=str(error))
    return DrillResult.of(name, drill.expected, time.monotonic() - begun, found)
