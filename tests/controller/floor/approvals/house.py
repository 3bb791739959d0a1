"""A table with an uplink and a floor, over a real server."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nats.aio.client import Client

from controller.floor.approvals.sender import CommandSender, SentCommand
from controller.floor.connection import Servers, connection
from controller.floor.uplink.command_relay import CommandRelay
from controller.journal.signing import Signer
from controller.property.commands import Command
from controller.property.subjects import PropertySubjects
from controller.socket.client import CoreClient
from controller.socket.core import FloorTrust
from controller.table.people.floor_commands import request_nonce
from tests.fixtures.core_table import CoreTable, open_core
from tests.fixtures.flushing import flushed

FLOOR_KEY, OTHER_KEY = (Signer(bytes([number]) * 32) for number in (1, 2))
SUBJECTS = PropertySubjects("house")
TRUST = FloorTrust(SUBJECTS, "t7", frozenset({FLOOR_KEY.public}))
DEALT = "1:main=500 close 8h 9c 9d Kc"
VOID: dict[str, Any] = {"request": {"about": "void", "why": "exposed"}}


@dataclass
class House:
    """A table, its uplink's relay, and the floor. `states`: those that the floor's user saw."""

    core: CoreTable
    client: Client
    states: list[str] = field(default_factory=list)
    sender: CommandSender = field(init=False)

    def __post_init__(self) -> None:
        self.sender = self.floor()

    def floor(self, signer: Signer = FLOOR_KEY, *, limit: float = 5.0) -> CommandSender:
        return CommandSender(self.client, SUBJECTS, signer, self._note, limit=limit)

    def _note(self, sent: SentCommand) -> None:
        self.states.append(sent.state)

    def command(self, name: str, number: str = "c1", **changes: Any) -> Command:
        state = self.core.at.table.state
        fields = {
            "v": 1,
            "id": number,
            "table": "t7",
            "epoch": state.epoch,
            "command": name,
            "about": {"nonce": state.shift.nonce},
            "text": "seen on camera",
            "who": "Flo",
            "role": "supervisor",
            "issued": 1.0,
        }
        return Command.read(json.dumps(fields | changes).encode())

    async def grant(self, number: str = "g1", **changes: Any) -> Command:
        """A right grant of what the dealer asks for."""
        async with self.core.client() as client:
            preview = await client.preview(self.core.tokens["Dee"], VOID)
            asked = {"request": {**VOID["request"], "token": preview.token}}
            request = (await client.act(self.core.tokens["Dee"], asked, f"ask-{number}")).request
        nonce = request_nonce(self.core.at.table.state.shift.requests.find(request))
        about = {"request": request, "nonce": nonce}
        return self.command("grant", number, **({"about": about, "second": "Dee"} | changes))

    def status(self) -> tuple[tuple[str, str], ...]:
        source = self.core.server._core.floor
        assert source is not None
        status = source.status()
        assert status is not None
        return status.answered

    def commands(self) -> int:
        return len(self.core.rows_of("floor command"))


@asynccontextmanager
async def relaying(address: str, core: CoreClient) -> AsyncIterator[None]:
    async with (
        connection(Servers((address,), "t7", "_INBOX_t7")) as client,
        CommandRelay(client, core, SUBJECTS, "t7").open(),
    ):
        await flushed(client)
        yield


@asynccontextmanager
async def open_house(path: Path, address: str, *, relay: bool = True) -> AsyncIterator[House]:
    servers = Servers((address,), "floor", "_INBOX_floor")
    async with (
        open_core(path, DEALT, trust=TRUST) as core,
        core.client("uplink") as uplink,
        connection(servers) as client,
    ):
        if not relay:
            yield House(core, client)
            return
        async with relaying(address, uplink):
            yield House(core, client)
