"""A table with its core on a real socket, and a bridge as a process beside it."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from controller.bridge.events import event_of_row
from controller.journal.history import History
from controller.property.subjects import epoch_of
from tests.fixtures.core_table import CoreTable, open_core
from tests.fixtures.daemon_process import configured, notified
from tests.fixtures.waiting import PATIENCE

ROUND = "1:main=500 close 8h 9c 9d Kc 1:stand 1:pay 1:main="
BETTING, DEALING, ENDING = "1:main=500", "close 8h 9c 9d Kc", "1:stand 1:pay 1:main="
THREE_SEVENS = "1:main=500 1:blazing-7s=100 close 7h 7h 7h 9c"
PAYING = "1:stand 9d 1:pay 1:main= 1:blazing-7s="
"""A round of blackjack-x with a share of the jackpot: a tenth of 10,000.15."""
ROWS = ("round", "alert", "jackpot")
"""The events that are rows."""
SENDS = "STATUS=Sends events"


class BridgedTable:
    """`bridge`: the section bridge of its configuration."""

    def __init__(self, folder: Path, bridge: str) -> None:
        self.folder = folder
        self.config = configured(folder)
        self.config.write_text(f"{bridge}\n{self.config.read_text()}")

    @property
    def history(self) -> History:
        return History(self.folder / "journal")

    @property
    def epoch(self) -> str:
        return epoch_of(self.history.at(1).hash)

    @asynccontextmanager
    async def core(self, game: str = "ez-bust") -> AsyncIterator[CoreTable]:
        async with open_core(self.folder, game=game, socket_path=self.folder / "journal.sock") as core:
            yield core

    @contextmanager
    def bridge(self) -> Iterator["BridgeProcess"]:
        with notified(self.config, "table bridge") as (process, say):
            yield BridgeProcess(process, say)

    def events(self, after: int = 0) -> list[str]:
        """The ids of the events in the journal after a row, in order."""
        found = (event_of_row(self.epoch, entry) for entry in self.history.rows(after + 1))
        return [event.id for event in found if event]

    def place(self, receiver: str = "mqtt") -> dict[str, Any]:
        """How far the bridge itself says the receiver has got."""
        path = self.folder / "bridge" / f"{receiver}.place"
        found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"row": 0}
        return found


class BridgeProcess:
    """A running bridge."""

    def __init__(self, process: Any, say: Any) -> None:
        self.process, self._say = process, say

    async def says(self, text: str) -> str:
        """Returns what it says to systemd, when it contains this."""
        while text not in (said := await asyncio.to_thread(self._say)):
            continue
        return str(said)

    async def ends(self) -> int:
        self.process.terminate()
        status: int = await asyncio.to_thread(self.process.wait, PATIENCE)
        return status


def head(core: CoreTable) -> int:
    """The last row of the journal."""
    assert core.at.journal.head
    return core.at.journal.head.row
