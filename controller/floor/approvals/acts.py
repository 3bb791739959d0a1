"""What people at the floor do, by the instance that may act.

Of two instances, the one with the lease acts. The lease only decides who tries: the floor's own journal
admits only one next entry, from either instance. The other instance follows: it appends each entry to its
own copy of the journal. An instance that gets the lease first completes its copy, so that it knows every
command of the other one.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import structlog
from nats.aio.client import Client

from controller.floor.approvals.sender import SETTLED, CommandSender, SentCommand
from controller.floor.approvals.service import Approvals
from controller.floor.approvals.standing import ACTS, InstanceName, Standing
from controller.floor.floor_log import FILE, FloorEntry, FloorLog, LogAway, LogFork
from controller.floor.lease import Lease, LeaseTerms
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.signing import Signer
from controller.process.tasks import end_tasks
from controller.property.commands import Command
from controller.property.subjects import PropertySubjects

LEASE_KEY: Final = "floor"
PAUSE: Final = 1.0
"""Seconds until another attempt."""
ANSWER_DUE: Final = 30.0
"""Seconds after which a table should have answered a command."""
NO_ANSWER: Final = "The table has not answered “{command}” of {who}: look at the table"
Answered = Sequence[tuple[str, str]]
"""Ids of commands and the codes of their answers, as in a table's status."""
FAULTS: Final = (LogAway, LogFork, JournalError)


class NotActing(Exception):
    """Nothing was done: this instance of the floor may not act now. The message says why."""


class FloorActs:
    """`folder`: where the journal of this instance is; `clock`: seconds of Unix time; `page`: the URL under
    which people of other computers find its pages, empty if they do not."""

    def __init__(
        self,
        client: Client,
        subjects: PropertySubjects,
        signer: Signer,
        folder: Path,
        clock: Callable[[], float],
        page: str = "",
    ) -> None:
        self._client, self._subjects, self._signer = client, subjects, signer
        self._path, self._clock = folder / FILE, clock
        self._name = InstanceName(socket.gethostname(), self._path, page)
        self._lease: Lease | None = None
        self._log: FloorLog | None = None
        self._approvals: Approvals | None = None
        self._leading = asyncio.Event()
        self._follows = self._complete = False
        """Whether the journal has been compared with the stream; and whether it has what another instance
        wrote before this one got the lease."""
        self._away = ""
        self._logger = structlog.get_logger("tableside.floor")
        self.fault = ""
        """Why the floor cannot write its own journal until a person repairs it; empty if it can."""
        self.version = 0
        """Another number after something about a command has changed."""

    @property
    def leads(self) -> bool:
        """Whether this instance may act now."""
        return self._complete

    @property
    def standing(self) -> Standing:
        """Whether this instance acts, or else which one does."""
        if self._complete:
            return ACTS
        other = self._other()
        host, page = (other.host, other.page) if other else ("", "")
        return Standing(acts=False, host=host, page=page, why=self._why())

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                with Journal(self._path, None, self._signer) as journal:
                    await self._run(journal)
            except JournalError as error:
                self._set_fault(str(error))
            await asyncio.sleep(PAUSE)

    async def send(self, command: Command) -> SentCommand:
        """What is known of the command after its reply, or without one in time. Raises NotActing."""
        return await self._act(lambda approvals: approvals.send(command))

    async def again(self, table: str, command_id: str) -> SentCommand:
        """Send an unknown command again. Raises NotActing and LookupError."""
        return await self._act(lambda approvals: approvals.again(table, command_id))

    async def record(self, kind: str, body: Mapping[str, Any]) -> FloorEntry:
        """The entry in the floor's own journal about what is done next, when it is on disk. Raises
        NotActing."""
        return await self._append(kind, body, ready=self._complete)

    async def note(self, kind: str, body: Mapping[str, Any]) -> FloorEntry:
        """The same about something that happened at the computer of this instance, which may also be the one
        that follows. Raises NotActing."""
        return await self._append(kind, body, ready=self._follows)

    @property
    def last(self) -> int:
        """The number of the last entry of the own journal; 0 until it was compared with the stream."""
        return self._log.last if self._log and self._follows else 0

    def entries(self, after: int = 0) -> Iterator[FloorEntry]:
        """The entries of the own journal after this number, oldest first; none while it is not open."""
        return self._log.entries(after) if self._log else iter(())

    def known(self) -> Sequence[SentCommand]:
        """The last commands of all instances and what became of them, newest first; none until the journal
        was compared with the stream."""
        return self._approvals.known() if self._approvals else ()

    def unanswered(self) -> dict[tuple[str, str], str]:
        """By table and id, a sentence about each command that its table should have answered."""
        due = self._clock() - ANSWER_DUE
        return {
            (sent.command.table, sent.command.id): NO_ANSWER.format(
                command=sent.command.command, who=sent.command.who
            )
            for sent in self.known()
            if sent.state not in SETTLED and sent.command.issued <= due
        }

    async def settle(self, answered: Callable[[str], Answered]) -> None:
        """To be called once a second. `answered` returns what the last status of a table says, whose
        signature was checked."""
        approvals = self._approvals
        if approvals is None or not self._complete:
            return
        for table in {sent.command.table for sent in approvals.known() if not sent.by_status}:
            await approvals.take_status(table, answered(table))

    async def _act(self, act: Callable[[Approvals], Awaitable[SentCommand]]) -> SentCommand:
        if self._approvals is None or not self._complete:
            raise NotActing(self._why())
        try:
            return await act(self._approvals)
        except FAULTS as error:
            raise NotActing(str(error)) from None

    async def _append(self, kind: str, body: Mapping[str, Any], *, ready: bool) -> FloorEntry:
        """Raises NotActing."""
        if self._log is None or not ready:
            raise NotActing(self._why())
        try:
            return await self._log.append(kind, body)
        except FAULTS as error:
            raise NotActing(str(error)) from None

    def _why(self) -> str:
        if self.fault:
            return self.fault
        if not self._client.is_connected:
            return "the floor's servers do not answer"
        if other := self._other():
            return f"another instance of the floor acts, the one on {other.host}"
        return "another instance of the floor acts, or this one has just started: try again in a few seconds"

    def _other(self) -> InstanceName | None:
        """The other instance, if it has the lease."""
        holder = self._lease.holder if self._lease and self._client.is_connected else ""
        return InstanceName.read(holder) if holder not in ("", str(self._name)) else None

    async def _run(self, journal: Journal) -> None:
        """Until the journal cannot be used any more."""
        stream = self._client.jetstream()
        self._log = FloorLog(stream, self._subjects.floor_log, self._path, journal, self._clock)
        self._approvals = None
        lease = self._lease = Lease(stream, LEASE_KEY, str(self._name), LeaseTerms(), self._on_lease)
        keeping = asyncio.create_task(lease.run())
        try:
            await self._keep_up(self._log, journal)
        finally:
            self._follows = False
            await end_tasks([keeping])
            await lease.release()

    async def _keep_up(self, log: FloorLog, journal: Journal) -> None:
        """Raises JournalError."""
        while True:
            await self._advance(log)
            journal.check()
            journal.tidy()
            if self._leading.is_set():
                await asyncio.sleep(PAUSE)
            else:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._leading.wait(), PAUSE)

    async def _advance(self, log: FloorLog) -> None:
        """Take over what other instances wrote, and act if this one has the lease. Raises JournalError."""
        begins = self._leading.is_set() and not self._complete
        try:
            await (log.start() if begins or not self._follows else log.follow())
        except LogFork as fork:
            self._set_fault(str(fork))
            return
        except LogAway as away:
            self._note_away(str(away))
            return
        self._note_away("")
        self.fault, self._follows = "", True
        if begins and self._leading.is_set():
            self._approvals, self._complete = self._read_commands(log), True
            self.version += 1
            self._logger.info("this instance acts", entries=log.last)
        elif self._approvals is None:
            self._approvals = self._read_commands(log)
            self.version += 1
        elif not self._complete and self._approvals.take():
            self.version += 1

    def _read_commands(self, log: FloorLog) -> Approvals:
        return Approvals(log, CommandSender(self._client, self._subjects, self._signer, self._on_change))

    def _note_away(self, why: str) -> None:
        if why and why != self._away:
            self._logger.warning("the floor's own journal waits", why=why)
        self._away = why

    def _on_lease(self, held: bool) -> None:
        if held:
            self._leading.set()
            return
        self._leading.clear()
        self._complete = False
        self.version += 1
        self._logger.info("another instance may act")

    def _on_change(self, _sent: SentCommand) -> None:
        self.version += 1

    def _set_fault(self, why: str) -> None:
        if why != self.fault:
            self._logger.error("the floor's own journal", why=why)
        self.fault, self._follows, self._complete = why, False, False
        self.version += 1
