"""Runs one instance of a linked progressive: carries out its commands, one after another, and tells it what
happens. The machine is controller/jackpot/linked/instance.py; this module decides nothing."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

import structlog

from controller.floor.progressive.broadcaster import Broadcaster
from controller.floor.progressive.entry_journal import EntryJournal
from controller.floor.progressive.input_stream import InputStream
from controller.floor.progressive.log_stream import LogStream, StoredEntry, StreamAway
from controller.jackpot.books import Unbalanced
from controller.jackpot.linked.apply import apply
from controller.jackpot.linked.entries import LogEntry, LogFault
from controller.jackpot.linked.events import (
    AmountSeen,
    Announce,
    Append,
    Appended,
    Command,
    Event,
    JournalRead,
    LeaseChanged,
    LogEnd,
    LogMoved,
    LogRead,
    Publish,
    ReadJournal,
    ReadLog,
    ReadLogEnd,
    Repeat,
    Resolution,
)
from controller.jackpot.linked.instance import Instance, handle, start
from controller.jackpot.linked.level import LinkedLevel, Position
from controller.jackpot.linked.messages import Resolve
from controller.text.characters import same_name

ENTRY_PAUSE: Final = 0.05
"""Seconds between two entries: at most 20 a second."""
LOOK: Final = 1.0
"""Seconds between two looks at the streams, whatever else happens."""
AWAY_PAUSE: Final = 0.25
"""Seconds between two attempts while the servers do not answer."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an instance has. `news` is set when a message to the level arrives."""

    journal: EntryJournal
    log: LogStream
    inputs: InputStream
    broadcaster: Broadcaster
    news: asyncio.Event


class Runner:
    """The instance `name` of a level."""

    def __init__(self, name: str, level: str, around: Surroundings, *, demo: bool = False) -> None:
        self._around, self._demo = around, demo
        self._log = structlog.get_logger("tableside.progressive")
        self._events = deque[Event]()
        self._moved = False
        self._news = around.news
        self._next_entry = self._next_look = 0.0
        self._read_from: Position | None = None
        self._held = False
        self._log_seen = 0.0
        self._resolved = set[str]()
        self.turns = 0
        """How often something was done or tried: a sign of life."""
        self.instance, self._first = start(name, level, list(around.journal.read()), demo=demo)

    def lease_changed(self, held: bool) -> None:
        """Without the lease, nothing more is announced, even if the instance is still busy."""
        self._held = held
        self._around.broadcaster.repeating &= held or self.instance.phase == "inoperable"
        self._put(LeaseChanged(held))

    def amount_seen(self, seen: AmountSeen) -> None:
        self._put(seen)

    def log_moved(self) -> None:
        """The log may have new entries."""
        self._moved = True
        self._news.set()

    def connected_again(self) -> None:
        """What was read of the streams may have a gap."""
        self._read_from = None
        self._around.broadcaster.repeat_now()
        self.log_moved()

    def may_lead(self) -> bool:
        return self.instance.phase in ("following", "leading")

    def sees_log(self) -> bool:
        """Whether the log answered at the last look. An instance begins to lead only with the log."""
        return time.monotonic() < self._log_seen + 2 * LOOK

    async def run(self) -> None:
        """Until cancelled. Raises JournalError: the journal cannot be used any more."""
        self._note(None)
        await self._carry_out(self._first)
        while True:
            self.turns += 1
            try:
                await self._turn()
            except StreamAway as error:
                self._log.warning("servers do not answer", why=str(error))
                await asyncio.sleep(AWAY_PAUSE)

    async def _turn(self) -> None:
        """Raises StreamAway."""
        now = time.monotonic()
        await self._keep_reading()
        if self._events:
            await self._take(self._events.popleft())
        elif self._moved and self.instance.phase != "leading":
            self._moved = False
            await self._take(LogMoved())
        elif self._is_deciding(now):
            self._next_entry = now + ENTRY_PAUSE
            await self._decide()
        elif now >= self._next_look:
            self._next_look = now + LOOK
            await self._look()
        else:
            await self._wait(now)

    def _is_deciding(self, now: float) -> bool:
        leads = self.instance.phase == "leading" and self.instance.waits
        return bool(leads and self._around.inputs.waiting and now >= self._next_entry)

    async def _look(self) -> None:
        """Look for what no event reports: a stream that lost its end, a history that two persons chose."""
        if self.instance.phase == "inoperable" and not self.instance.owed:
            await self._look_for_resolution()
            return
        await self._take(LogMoved())
        if self.instance.phase == "leading":
            await self._around.inputs.check()
            await self._decide()

    async def _decide(self) -> None:
        """Also without messages: the stream may have been put back."""
        cursor = self.instance.cursor
        await self._take(await self._around.inputs.next_inputs(cursor))

    async def _wait(self, now: float) -> None:
        self._news.clear()
        until = self._next_look
        if self._around.inputs.waiting and self.instance.phase == "leading":
            until = min(until, self._next_entry)
        try:
            async with asyncio.timeout(max(0.0, until - now)):
                await self._news.wait()
        except TimeoutError:
            return

    async def _keep_reading(self) -> None:
        """The leader reads inputs from its cursor on; an inoperable instance looks for a decision of two
        persons from the oldest message on."""
        inputs, phase = self._around.inputs, self.instance.phase
        if phase not in ("leading", "inoperable"):
            if inputs.reads:
                await inputs.end()
            self._read_from = None
            return
        place = self.instance.cursor if phase == "leading" else Position(0)
        goes_on = self._read_from and _follows(self._read_from, place)
        if not (goes_on and inputs.reads):
            await inputs.begin(place.last)
        self._read_from = place

    async def _look_for_resolution(self) -> None:
        waiting = self._around.inputs.waiting
        while waiting:
            received = waiting.popleft()
            message = received.message
            known = self.instance.state.answered | self._resolved
            if isinstance(message, Resolve) and received.signer and message.id not in known:
                self._resolved.add(message.id)
                if not same_name(*message.who):
                    await self._resolve(message)
                    return

    async def _resolve(self, message: Resolve) -> None:
        """Begin anew with the history that two persons chose. Raises StreamAway."""
        self._log.warning("resolved", take=message.value.take, who=message.who, why=message.why)
        state = self.instance.state
        try:
            if message.value.take == "log":
                state = await self._copy_log()
        except (LogFault, Unbalanced) as fault:
            self._log.error("the log cannot be followed", why=str(fault))
            return
        await self._take(Resolution(state))

    async def _copy_log(self) -> LinkedLevel:
        """Set the journal aside, and write it again from the log. Raises LogFault or Unbalanced for a log
        that cannot be followed."""
        stored = await self._whole_log()
        state = _folded(self.instance.state.level, (one.entry for one in stored), demo=self._demo)
        folder = self._around.journal.set_aside()
        self._log.warning("journal set aside", folder=str(folder))
        for one in stored:
            self._around.journal.append(one.entry, one.sequence)
        return state

    async def _whole_log(self) -> list[StoredEntry]:
        found = list[StoredEntry]()
        while more := await self._around.log.after(found[-1].sequence if found else 0, 0):
            found += more
        return found

    def _put(self, event: Event) -> None:
        self._events.append(event)
        self._news.set()

    async def _take(self, event: Event) -> None:
        before = self.instance
        self.instance, commands = handle(self.instance, event)
        self._note(before)
        await self._carry_out(commands)

    async def _carry_out(self, commands: Iterable[Command]) -> None:
        """And what follows from them. The first one that is not possible yet is tried until it is: nothing
        else may happen to the instance meanwhile."""
        waiting = deque(commands)
        while waiting:
            command = waiting.popleft()
            event = await self._done(command)
            if event:
                before = self.instance
                self.instance, more = handle(self.instance, event)
                self._note(before)
                waiting.extend(more)

    async def _done(self, command: Command) -> Event | None:
        while True:
            self.turns += 1
            try:
                return await COMMANDS[type(command)](self, command)
            except StreamAway as error:
                self._log.warning("servers do not answer", why=str(error))
                await asyncio.sleep(AWAY_PAUSE)

    def _note(self, before: Instance | None) -> None:
        instance = self.instance
        leads = instance.phase == "leading" and self._held
        self._around.broadcaster.repeating = leads or instance.phase == "inoperable"
        if before is None or (instance.phase, instance.why) != (before.phase, before.why):
            tell = self._log.error if instance.phase == "inoperable" else self._log.info
            tell(instance.phase, n=instance.state.n, why=instance.why)

    async def _read_log_end(self, _command: ReadLogEnd) -> Event:
        stored = await self._around.log.end()
        self._log_seen = time.monotonic()
        if stored is None:
            return LogEnd(0, "", 0, "")
        entry = stored.entry
        return LogEnd(entry.n, entry.hash, stored.sequence, self._around.journal.hash_at(entry.n))

    async def _read_log(self, command: ReadLog) -> Event:
        after = await self._sequence_of(command.after)
        found = await self._around.log.after(after, command.after)
        if found:
            self._moved = True  # there may be more
        return LogRead(tuple((one.sequence, one.entry) for one in found))

    async def _sequence_of(self, n: int) -> int:
        """Of the message with the own entry `n`; 0 if it is not where it was."""
        known = self.instance.sequence or self._around.journal.sequence
        if n == 0 or known == 0:
            return 0
        stored = await self._around.log.at(known)
        own = self._around.journal.hash_at(n)
        return known if stored and stored.sequence == known and stored.entry.hash == own else 0

    async def _read_journal(self, command: ReadJournal) -> Event:
        return JournalRead(self._around.journal.after(command.after))

    async def _publish(self, command: Publish) -> Event:
        return await self._around.log.publish(command.entry, command.expected)

    async def _append(self, command: Append) -> Event:
        job = self.instance.jobs[0]
        self._around.journal.append(command.entry, job.sequence or self.instance.sequence)
        return Appended()

    async def _announce(self, command: Announce) -> None:
        await self._around.broadcaster.announce(command.state, command.entry)

    async def _repeat(self, command: Repeat) -> None:
        await self._around.broadcaster.repeat(self.instance.state, command.claims)


COMMANDS: dict[type[Command], Callable[[Runner, Any], Awaitable[Event | None]]] = {
    ReadLogEnd: Runner._read_log_end,
    ReadLog: Runner._read_log,
    ReadJournal: Runner._read_journal,
    Publish: Runner._publish,
    Append: Runner._append,
    Announce: Runner._announce,
    Repeat: Runner._repeat,
}


def _follows(before: Position, now: Position) -> bool:
    """Whether the messages after `now` follow those after `before` in one stream."""
    return before.incarnation == now.incarnation and before.last <= now.last


def _folded(level: str, entries: Iterable[LogEntry], *, demo: bool) -> LinkedLevel:
    """Raises LogFault or Unbalanced."""
    return reduce(apply, entries, LinkedLevel(level, demo=demo))
