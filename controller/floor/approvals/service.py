"""Commands of people at the floor, each in the floor's own journal before it is sent.

The journal has an entry `command`, with what was signed, and an entry `outcome` for each thing that becomes
known of it. A start reads both: a command without an outcome that settles it is unknown, and is sent again
with the same bytes when its user asks for it. An instance that follows reads on, and so knows what the other
one sent and what became of it.
"""

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Any, Final

import structlog

from controller.floor.approvals.sender import CommandSender, SentCommand
from controller.floor.floor_log import FloorEntry, FloorLog, LogAway, LogFork
from controller.journal.errors import JournalError
from controller.property.commands import Command
from controller.property.signed import SignedMessage

COMMAND: Final = "command"
OUTCOME: Final = "outcome"


class Approvals:
    """`log` has started. What the constructor finds in it is known."""

    def __init__(self, log: FloorLog, sender: CommandSender) -> None:
        self._log, self._sender = log, sender
        self._unwritten = deque[SentCommand]()
        self._writing = asyncio.Lock()
        self._logger = structlog.get_logger("tableside.floor")
        self._read = 0
        self.take()

    def take(self) -> bool:
        """Know what another instance has written since, while this one sends nothing. Returns whether that is
        anything about a command."""
        found = False
        if self._log.last > self._read:
            for entry in self._log.entries(self._read):
                found |= entry.kind in (COMMAND, OUTCOME)
                self._restore(entry)
                self._read = entry.n
        return found

    async def send(self, command: Command) -> SentCommand:
        """What is known of the command after its reply, or without one in time. Raises LogAway, LogFork and
        JournalError: then nothing was sent."""
        if self._sender.find(command.table, command.id) is None:
            signed = self._sender.sign(command)
            await self._log.append(COMMAND, _signed(signed))
            self._sender.restore(signed)
        sent = await self._sender.send(command)
        await self._record([sent])
        return sent

    async def again(self, table: str, command_id: str) -> SentCommand:
        """Send an unknown command again. Raises LookupError, LogAway, LogFork and JournalError."""
        known = self._sender.find(table, command_id)
        if known is None:
            raise LookupError(f"command {command_id} to {table}: the floor has sent none of this id")
        return await self.send(known.command)

    def known(self) -> tuple[SentCommand, ...]:
        """The last commands and what became of them, newest first."""
        return self._sender.known()

    async def take_status(self, table: str, answered: Iterable[tuple[str, str]]) -> None:
        """As `CommandSender.take_status`; what it settles is an outcome."""
        await self._record(self._sender.take_status(table, answered))

    async def _record(self, outcomes: Iterable[SentCommand]) -> None:
        """Write the outcomes, in their order; those that the log does not take now are written later. The
        command has been sent, so the person who gave it gets its outcome in any case."""
        self._unwritten.extend(outcomes)
        async with self._writing:
            while self._unwritten:
                try:
                    await self._log.append(OUTCOME, _outcome(self._unwritten[0]))
                except (LogAway, LogFork, JournalError) as away:
                    self._logger.warning("an outcome waits for the log", why=str(away))
                    return
                self._unwritten.popleft()

    def _restore(self, entry: FloorEntry) -> None:
        body = entry.body
        if entry.kind == COMMAND:
            message = SignedMessage(
                body["subject"],
                bytes.fromhex(body["payload"]),
                bytes.fromhex(body["key"]),
                bytes.fromhex(body["signature"]),
            )
            self._sender.restore(SentCommand(Command.read(message.payload), message, "unknown"))
        elif entry.kind == OUTCOME and (sent := self._sender.find(body["table"], body["id"])):
            known = {name: body[name] for name in ("state", "code", "row", "reason", "by_status")}
            self._sender.restore(SentCommand(sent.command, sent.message, **known))


def _signed(sent: SentCommand) -> dict[str, Any]:
    message = sent.message
    return {
        "table": sent.command.table,
        "id": sent.command.id,
        "subject": message.subject,
        "payload": message.payload.hex(),
        "key": message.key.hex(),
        "signature": message.signature.hex(),
    }


def _outcome(sent: SentCommand) -> dict[str, Any]:
    return {
        "table": sent.command.table,
        "id": sent.command.id,
        "state": sent.state,
        "code": sent.code,
        "row": sent.row,
        "reason": sent.reason,
        "by_status": sent.by_status,
    }
