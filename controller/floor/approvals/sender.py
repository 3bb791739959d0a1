"""Sends signed commands to tables, and knows what became of each.

A reply is not signed, so it is only the first word. What counts is the table's signed status, which lists how
the last commands were answered, and in the end the row of the table's journal.

| state | when |
|---|---|
| `sent` | the command is on its way |
| `unknown` | no reply came in time, or the core did not answer: it may or may not have been carried out |
| `done`, `refused` | the table has replied, or its status says so |

An `unknown` command is sent again with the same bytes: the table takes an id once.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

import nats.errors
from nats.aio.client import Client

from controller.journal.signing import Signer
from controller.property.commands import REPLIES, Command, Reply
from controller.property.signed import SignedMessage
from controller.property.subjects import PropertySubjects
from controller.property.wire import MalformedMessage

REPLY_LIMIT: Final = 5.0
"""Seconds to wait for a reply."""
MOST_KEPT: Final = 1000
"""Commands whose outcome is kept."""
CommandState = Literal["sent", "unknown", "done", "refused"]
SETTLED: frozenset[CommandState] = frozenset({"done", "refused"})


@dataclass(frozen=True, slots=True)
class SentCommand:
    """A command as it was signed, and what is known of it. `row`: of the table's journal, 0 if it is not
    known; `code`: of the reply; `by_status`: the table's signed status has confirmed it."""

    command: Command
    message: SignedMessage
    state: CommandState = "sent"
    code: str = ""
    row: int = 0
    reason: str = ""
    by_status: bool = False


class CommandSender:
    """`on_change` is called with each command whose state has changed. `limit`: seconds to wait for a
    reply."""

    def __init__(
        self,
        client: Client,
        subjects: PropertySubjects,
        signer: Signer,
        on_change: Callable[[SentCommand], None] = lambda _sent: None,
        *,
        limit: float = REPLY_LIMIT,
    ) -> None:
        self._client, self._subjects, self._signer = client, subjects, signer
        self._on_change, self._limit = on_change, limit
        self._sent = dict[tuple[str, str], SentCommand]()

    def find(self, table: str, command_id: str) -> SentCommand | None:
        return self._sent.get((table, command_id))

    def known(self) -> tuple[SentCommand, ...]:
        """The last commands, the newest first."""
        return tuple(reversed(self._sent.values()))

    def sign(self, command: Command) -> SentCommand:
        """The command as `send` sends it. The same one as before, if its id is known."""
        known = self.find(command.table, command.id)
        if known is None:
            subject = self._subjects.command(command.table, command.command)
            known = SentCommand(command, SignedMessage.make(subject, command.payload, self._signer))
        return known

    def restore(self, sent: SentCommand) -> None:
        """A command that was sent before this process began, or by another one."""
        self._sent[sent.command.table, sent.command.id] = sent
        while len(self._sent) > MOST_KEPT:
            del self._sent[next(iter(self._sent))]

    async def send(self, command: Command) -> SentCommand:
        """What is known when the table has replied, or has not replied in time. A command that was sent
        before is sent again with the same bytes, unless it is settled."""
        known = self.sign(command)
        if known.state in SETTLED:
            return known
        self._keep(replace(known, state="sent"))
        reply = await self._ask(known.message)
        now = self._sent[command.table, command.id]
        return now if now.state in SETTLED else self._keep(_after(now, reply))

    def take_status(self, table: str, answered: Iterable[tuple[str, str]]) -> list[SentCommand]:
        """The table's status, whose signature was checked, says how these commands were answered. Returns
        those that it settles."""
        settled = []
        for command_id, code in answered:
            sent = self.find(table, command_id)
            if sent and not sent.by_status:
                state: CommandState = "done" if code == "done" else "refused"
                kept = sent if state == sent.state else replace(sent, row=0, reason=_meaning(code))
                settled.append(self._keep(replace(kept, state=state, code=code, by_status=True)))
        return settled

    async def _ask(self, message: SignedMessage) -> Reply | None:
        """None if the outcome is unknown."""
        try:
            answer = await self._client.request(
                message.subject, message.payload, timeout=self._limit, headers=message.headers()
            )
            reply = Reply.read(answer.data)
        except (TimeoutError, nats.errors.Error, MalformedMessage):
            return None
        return None if reply.code == "down" else reply

    def _keep(self, sent: SentCommand) -> SentCommand:
        self.restore(sent)
        self._on_change(sent)
        return sent


def _after(sent: SentCommand, reply: Reply | None) -> SentCommand:
    if reply is None or (reply.ok and reply.id != sent.command.id):
        return replace(sent, state="unknown")
    state: CommandState = "done" if reply.ok and reply.code == "done" else "refused"
    return replace(sent, state=state, code=reply.code, row=reply.row, reason=reply.reason)


def _meaning(code: str) -> str:
    return next((text for known, text in REPLIES.items() if known == code), code)
