"""Drill `commands`: commands that a table must refuse, each with its code, at a table that plays."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from nats.aio.client import Client
from nats.aio.msg import Msg

from controller.demo.staff_desk import StaffDesk
from controller.floor.approvals.sender import CommandSender, SentCommand
from controller.floor.connection import connection
from controller.floor.demo.table import FloorTable
from controller.floor.drills.house import PROPERTY, House, house, until
from controller.floor.drills.outcome import Findings
from controller.floor.drills.played_table import DEALER, NAME, played_table
from controller.journal.history import History
from controller.journal.signing import Signer
from controller.property.commands import About, Command, Reply
from controller.property.signed import SignedMessage
from controller.property.status import TableStatus, read_status
from controller.property.subjects import PropertySubjects

SUBJECTS: Final = PropertySubjects(PROPERTY)
OTHER_EPOCH: Final = "0" * 16
WHO: Final = "Flo"
"""Who commands at the floor."""
ANSWER_LIMIT: Final = 10.0
VOID: Final[dict[str, Any]] = {"request": {"about": "void", "why": "a card fell off the table"}}
ROW: Final = "floor command"
"""The kind of row with which a table records a command."""


@dataclass
class CommandedTable:
    """The floor's end. `statuses`: those that the table has signed."""

    at: House
    client: Client
    statuses: list[TableStatus]
    sent: int = 0

    @property
    def status(self) -> TableStatus:
        return self.statuses[-1]

    def sender(self, signer: Signer | None = None) -> CommandSender:
        return CommandSender(self.client, SUBJECTS, signer or self.at.floor.signer, limit=ANSWER_LIMIT)

    def command(self, name: str, **changes: Any) -> Command:
        self.sent += 1
        fields: dict[str, Any] = {
            "v": 1,
            "id": f"c{self.sent}",
            "table": NAME,
            "epoch": self.status.epoch,
            "command": name,
            "about": About(nonce=self.status.nonce),
            "text": "drill",
            "who": WHO,
            "role": "supervisor",
            "issued": self.status.at,
        }
        return Command(**(fields | changes))

    def grant(self, **changes: Any) -> Command:
        """What the dealer has asked for."""
        request = self.status.requests[-1]
        about = About(request=request.number, nonce=request.nonce)
        return self.command("grant", **({"about": about, "second": DEALER} | changes))

    async def post(self, command: Command, change: Callable[[bytes], bytes]) -> str:
        """The code of the reply to a command whose payload an uplink has changed after it was signed."""
        subject = SUBJECTS.command(NAME, command.command)
        signed = SignedMessage.make(subject, command.payload, self.at.floor.signer)
        answer = await self.client.request(
            subject, change(command.payload), timeout=ANSWER_LIMIT, headers=signed.headers()
        )
        return Reply.read(answer.data).code


async def commands(folder: Path, _seconds: float) -> Findings:
    async with house(folder) as at, played_table(at) as table, StaffDesk(table) as desk:
        await desk.sign_in(DEALER)
        async with _commanded(at) as floor:
            await until(lambda: floor.statuses)
            if why := await desk.act(DEALER, VOID):
                at.found.faults.append(f"the dealer cannot ask: {why}")
                return at.found
            await until(lambda: floor.status.requests)
            await _refused(floor)
            await _repeated(floor, table)
    return at.found


async def _refused(floor: CommandedTable) -> None:
    """Each with its code; the journal has none of them but the message."""
    message = floor.command("message")
    await floor.sender().send(message)
    trials = {
        "a key that is not pinned": (Signer(bytes(32)), floor.grant(), "signature"),
        "another journal": (None, floor.command("close", epoch=OTHER_EPOCH), "table"),
        "a used nonce": (None, message.model_copy(update={"id": "again"}), "nonce"),
        "the same person twice": (None, floor.grant(who=DEALER), "person"),
    }
    for what, (signer, command, code) in trials.items():
        sent = await floor.sender(signer).send(command)
        floor.at.found.check(sent.code == code, f"{what}: the reply is {sent.code!r}, and must be {code!r}")
    changed = await floor.post(floor.command("close"), lambda payload: payload.replace(b"drill", b"droll"))
    floor.at.found.check(
        changed == "signature", f"an altered byte: the reply is {changed!r}, and must be 'signature'"
    )


async def _repeated(floor: CommandedTable, table: FloorTable) -> None:
    """The same id gets the same answer, and is one row."""
    grant, before = floor.grant(), _rows(table)
    first, second = [await floor.sender().send(grant) for _ in range(2)]
    _check_same(floor, first, second)
    more = _rows(table) - before
    floor.at.found.check(more == 1, f"a repeated command is in the journal {more} times")


def _check_same(floor: CommandedTable, first: SentCommand, second: SentCommand) -> None:
    done = first.code == "done" and (first.state, first.row) == (second.state, second.row)
    floor.at.found.check(
        done, f"a repeat: {first.code!r}, row {first.row}, then {second.code!r}, row {second.row}"
    )


def _rows(table: FloorTable) -> int:
    history = History(table.journal)
    return sum(entry.content.kind == ROW for entry in history.rows(1, history.files()[-1].last))


@asynccontextmanager
async def _commanded(at: House) -> AsyncIterator[CommandedTable]:
    statuses = list[TableStatus]()

    async def take(message: Msg) -> None:
        status = read_status(message.data)
        if isinstance(status, TableStatus):
            statuses.append(status)

    async with connection(at.cluster.servers) as client:
        await client.subscribe(SUBJECTS.status(NAME), cb=take)
        yield CommandedTable(at, client, statuses)
