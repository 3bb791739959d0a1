"""A property in memory: two streams that can lose their ends, tables, and instances that can crash.

Everything that goes wrong is decided by one Random. Nothing here decides what an amount is.
"""

import hashlib
from collections import deque
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from controller.jackpot.linked.announcer import Announcer
from controller.jackpot.linked.decide import Received
from controller.jackpot.linked.entries import LogEntry, read_entry
from controller.jackpot.linked.events import (
    Announce,
    Append,
    Appended,
    Command,
    Event,
    JournalRead,
    LogEnd,
    LogRead,
    Publish,
    Published,
    PublishRefused,
    PublishUnknown,
    ReadJournal,
    ReadLog,
    ReadLogEnd,
    Repeat,
)
from controller.jackpot.linked.instance import Instance, handle, start
from controller.jackpot.linked.messages import (
    Amount,
    ClaimedShare,
    ClaimMessage,
    InputMessage,
    MeterReading,
    StepMessage,
    read_amount,
    read_input,
)
from controller.jackpot.linked.table_level import TableLevel

LEVEL = "sevens"
FLOOR = "f" * 64
CHIP = 50
ENDS: tuple[Literal["paid", "void"], ...] = ("paid", "paid", "void")


@dataclass(frozen=True)
class Faults:
    """What a run allows. Restarts and unknown publications are always possible."""

    instances: int
    input_rewinds: bool
    log_rewinds: bool

    @property
    def may_stop(self) -> bool:
        return self.instances > 1 and self.log_rewinds


ALL_FAULTS = tuple(
    Faults(instances, inputs, logs)
    for instances in (1, 2)
    for inputs in (False, True)
    for logs in (False, True)
)


@dataclass(frozen=True)
class Sent:
    """A message on its way to PROGRESSIVE_IN."""

    table: str
    signer: str
    message: InputMessage


@dataclass
class InputStream:
    """PROGRESSIVE_IN: sequences count from 1, and are used again after a loss."""

    messages: list[Received] = field(default_factory=list)
    time: float = 0.0

    def store(self, sent: Sent) -> None:
        self.time += 1
        payload = sent.message.payload
        digest = hashlib.sha256(f"{sent.table} {self.time} ".encode() + payload).hexdigest()
        number = len(self.messages) + 1
        self.messages.append(
            Received(number, self.time, digest, sent.table, sent.signer, read_input(payload))
        )

    def digest(self, sequence: int) -> str:
        return self.messages[sequence - 1].digest if 0 < sequence <= len(self.messages) else ""


@dataclass
class LogStream:
    """PROGRESSIVE_LOG: its sequences count from 1. Without a fence it takes everything."""

    fenced: bool = True
    entries: list[LogEntry] = field(default_factory=list)
    refused: int = 0

    def publish(self, command: Publish) -> Event:
        if self.fenced and command.expected != len(self.entries):
            self.refused += 1
            return PublishRefused()
        self.entries.append(read_entry(command.entry.payload))
        return Published(len(self.entries))

    def after(self, number: int) -> tuple[tuple[int, LogEntry], ...]:
        return tuple(one for one in enumerate(self.entries, 1) if one[1].n > number)


@dataclass
class Process:
    """An instance, its journal, and the commands that it has not carried out yet."""

    name: str
    log: LogStream
    journal: list[LogEntry] = field(default_factory=list)
    late: list[Publish] = field(default_factory=list)
    """Publications that the log may still get."""
    announced: list[bytes] = field(default_factory=list)
    announcer: Announcer = field(default_factory=Announcer)
    commands: deque[Command] = field(default_factory=deque)
    instance: Instance = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        self.announcer, self.commands = Announcer(), deque()
        self._take(*start(self.name, LEVEL, self.journal))

    def handle(self, event: Event) -> None:
        self._take(*handle(self.instance, event))

    def own(self, number: int) -> str:
        return self.journal[number - 1].hash if 0 < number <= len(self.journal) else ""

    def run(self, chance: Random, now: float, trouble: float) -> str:
        """Carries out the next command; returns what happened."""
        command = self.commands.popleft()
        if isinstance(command, Publish) and chance.random() < trouble:
            return self._publish_badly(command, chance)
        if event := self._done(command, now):
            self.handle(event)
        return type(command).__name__

    def announce(self, now: float, *, inoperable: bool = False) -> None:
        self.announcer, amount = self.announcer.announce(self.instance.state, now, inoperable=inoperable)
        self.announced.append(amount.payload)

    def _take(self, instance: Instance, commands: tuple[Command, ...]) -> None:
        self.instance = instance
        self.commands.extend(commands)

    def _publish_badly(self, command: Publish, chance: Random) -> str:
        """No answer comes: the log never gets the message, or has it, or gets it later."""
        what = chance.choice(("lost", "answer lost", "late"))
        if what == "answer lost":
            self.log.publish(command)
        if what == "late":
            self.late.append(command)
        self.handle(PublishUnknown())
        return what

    def _done(self, command: Command, now: float) -> Event | None:
        match command:
            case ReadLogEnd():
                return self._log_end()
            case ReadLog(after=after):
                return LogRead(self.log.after(after))
            case ReadJournal(after=after):
                return JournalRead(tuple(self.journal[after:]))
            case Publish():
                return self.log.publish(command)
            case Append(entry=entry):
                self.journal.append(entry)
                return Appended()
            case Announce(entry=None):
                self.announce(now, inoperable=True)
            case Announce(state=state, entry=LogEntry() as entry):
                announcer = self.announcer.changed(entry, now)
                self.announcer, amount = announcer.announce(state, now)
                self.announced.append(amount.payload)
            case Repeat(claims=claims):
                self.announcer = self.announcer.asked(claims, now)
                self.announce(now)
        return None

    def _log_end(self) -> LogEnd:
        if not self.log.entries:
            return LogEnd(0, "", 0, "")
        last = self.log.entries[-1]
        return LogEnd(last.n, last.hash, len(self.log.entries), self.own(last.n))


@dataclass
class Table:
    """A table: its counters, its claims, and the amounts in its journal."""

    name: str
    signer: str
    epoch: str
    level: TableLevel
    reading: MeterReading
    round: int = 0
    last: tuple[int, int] = (0, 0)
    """Wagers and cents of the last round, which can be void."""
    claims: dict[str, ClaimMessage] = field(default_factory=dict)
    steps: dict[str, StepMessage] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    """Cents of each claim, as its journal has them."""

    @classmethod
    def new(cls, number: int) -> "Table":
        name, epoch = f"t{number}", f"{number:016x}"
        reading = MeterReading(level=LEVEL, epoch=epoch)
        return cls(name, f"{number:064x}", epoch, TableLevel(name, LEVEL), reading)

    def play(self, chance: Random) -> None:
        wagers = chance.randint(1, 7)
        self.last = (wagers, wagers * chance.choice((100, 500, 3)))
        self.round += 1
        self._count(rounds=1, wagers=wagers, wagered=self.last[1])

    def void(self) -> None:
        self._count(voided_wagers=self.last[0], voided=self.last[1])
        self.last = (0, 0)

    def win(self, chance: Random) -> None:
        """Shares of the round in play, counter-clockwise."""
        seats = sorted(chance.sample(range(1, 8), chance.choice((1, 1, 2, 3))), reverse=True)
        self.round += 1
        self._count(rounds=1, wagers=1, wagered=100)
        self.last = (0, 0)
        names = [f"{self.name}/{self.epoch}/{self.round}/{seat}/{LEVEL}" for seat in seats]
        shares = [
            ClaimedShare(claim=name, seat=seat, share=chance.choice((10, 10, 100)))
            for name, seat in zip(names, seats, strict=True)
        ]
        seen = (self.level.n, self.level.version, self.level.cents or 0)
        message = ClaimMessage(
            level=LEVEL,
            epoch=self.epoch,
            round=self.round,
            row=self.reading.row,
            chip=CHIP,
            seen=seen,
            claims=tuple(shares),
        )
        for name in names:
            self.claims[name] = message
            self.level = self.level.claim(name)

    def step(self, chance: Random) -> None:
        """People end a claim that has its amount."""
        ready = [claim for claim in self.rows if claim not in self.steps]
        if ready:
            claim, to = chance.choice(ready), chance.choice(ENDS)
            self.level = self.level.end_claim(claim, to)
            self.steps[claim] = StepMessage(
                level=LEVEL, epoch=self.epoch, claim=claim, to=to, row=self.reading.row
            )

    def messages(self) -> list[Sent]:
        """What it sends now."""
        claims = {id(self.claims[name]): self.claims[name] for name in self.level.undecided}
        steps = [self.steps[one.claim] for one in self.level.unconfirmed]
        every: list[InputMessage] = [self.reading, *claims.values(), *steps]
        return [Sent(self.name, self.signer, one) for one in every]

    def hear(self, payload: bytes, now: float) -> Amount:
        amount = read_amount(payload)
        heard = self.level.hear(amount, now)
        self.level = heard.level
        for won in heard.won:
            if won.claim in self.rows:
                raise AssertionError(f"{won.claim} is written twice")
            self.rows[won.claim] = won.cents
        return amount

    def _count(self, **more: int) -> None:
        counted = {name: getattr(self.reading, name) + value for name, value in more.items()}
        self.reading = self.reading.model_copy(update={**counted, "row": self.reading.row + 10})
