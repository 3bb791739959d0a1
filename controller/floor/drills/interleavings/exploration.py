"""Random interleavings of a linked progressive: `tableside floor drill progressive`.

Messages repeat, overtake each other and get lost; instances crash between any two steps; both may believe
that they lead; both streams may lose their ends. After each entry the books must balance (`apply` raises
else); no claim may be announced with two amounts; journals must be those of the log. In the end everything
heals, and every claim and every wager must have been counted once.

Only two active instances together with a log that loses its end may stop instead; nothing else stops.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any

from controller.floor.drills.interleavings.invariants import Violation, check_claims, check_meters
from controller.floor.drills.interleavings.world import (
    ALL_FAULTS,
    FLOOR,
    LEVEL,
    Faults,
    InputStream,
    LogStream,
    Process,
    Sent,
    Table,
)
from controller.jackpot.linked.events import AmountSeen, InputsRead, LeaseChanged, LogMoved
from controller.jackpot.linked.messages import (
    Admission,
    Admit,
    Correct,
    CorrectedAmount,
    LevelParameters,
    SetParameters,
    read_amount,
)
from controller.jackpot.parameters import Parameters

STEPS = 260
TABLES = 4
ROUNDS_TO_HEAL = 30
PARAMETERS = Parameters(50_000, Fraction(15, 100), Fraction(5, 100))
TWO = ("A. Smith", "B. Jones")


@dataclass
class World:
    """One run."""

    chance: Random
    faults: Faults
    log: LogStream
    inputs: InputStream = field(default_factory=InputStream)
    tables: list[Table] = field(default_factory=list)
    processes: list[Process] = field(default_factory=list)
    network: list[Sent] = field(default_factory=list)
    amounts: list[tuple[Table, bytes]] = field(default_factory=list)
    announced: dict[str, int] = field(default_factory=dict)
    twice: str = ""
    """A claim that was announced with two amounts."""
    count: Counter[str] = field(default_factory=Counter)
    now: float = 0.0
    admins: int = 0

    def begin(self) -> None:
        self.tables = [Table.new(number) for number in range(1, TABLES + 1)]
        self.processes = [Process(f"p{number}", self.log) for number in range(self.faults.instances)]
        self._set_up()
        for process in self.processes:
            process.handle(LeaseChanged(True))

    def _set_up(self) -> None:
        """Two persons admit the tables and set the first parameters; again, if that was lost."""
        level = self.processes[0].instance.state
        for table in self.tables:
            if (table.name, table.epoch) not in level.contributors:
                self.inputs.store(self._admission(table, level.n))
        if level.meter is None:
            self.inputs.store(self._parameters(None, level.n))

    def step(self) -> None:
        self.now += self.chance.random()
        (act,) = self.chance.choices(ACTS, WEIGHTS)
        act(self)
        self.check()

    def heal(self) -> None:
        """Without further faults, everything is decided."""
        for _ in range(ROUNDS_TO_HEAL):
            self.now += 1
            for process in self.processes:
                self._finish(process)
            self._set_up()
            for table in self.tables:
                for sent in table.messages():
                    self.inputs.store(sent)
                table.step(self.chance)
            self._hear_all()
            if self.stopped() or self._is_healed():
                return
        raise Violation(f"undecided after {ROUNDS_TO_HEAL} rounds: {self.count}")

    def _finish(self, process: Process) -> None:
        leads = process is self.processes[0]
        process.handle(LeaseChanged(leads))
        process.handle(LogMoved())
        self._drain(process)
        self._read_inputs(process, len(self.inputs.messages))
        self._drain(process)
        if process.instance.phase == "leading":
            process.announce(self.now)
        self._send_amounts(process)

    def _drain(self, process: Process) -> None:
        while process.commands:
            process.run(self.chance, self.now, 0.0)
            self._check_journal(process)

    def _hear_all(self) -> None:
        for table, payload in self.amounts:
            table.hear(payload, self.now)
        self.amounts.clear()

    def _is_healed(self) -> bool:
        decided = not any(table.level.undecided or table.level.unconfirmed for table in self.tables)
        level = self.processes[0].instance.state
        known = all(
            (one := level.contributors.get((table.name, table.epoch))) and one.known == table.reading.meters
            for table in self.tables
        )
        stepped = all(claim in table.steps for table in self.tables for claim in table.claims)
        return decided and known and stepped and not level.open

    def stopped(self) -> list[str]:
        """Why anything stopped."""
        instances = [one.instance.why for one in self.processes if one.instance.phase == "inoperable"]
        return instances + [table.level.conflict for table in self.tables if table.level.conflict]

    def check(self) -> None:
        if not self.faults.may_stop and (why := self.stopped()):
            raise Violation(f"stopped without a cause: {why}")

    def _check_journal(self, process: Process) -> None:
        """The own journal never has what the log does not have, unless the log lost it."""
        number = len(process.journal)
        if self.faults.log_rewinds or not number:
            return
        if self.log.entries[number - 1 : number] != [process.journal[-1]]:
            raise Violation(f"{process.name} has entry {number}, and the log has another one or none")

    def check_end(self) -> None:
        self.check()
        if self.stopped():
            self.count["runs that stopped"] += 1
            return
        if self.twice:
            raise Violation(f"announced with two amounts, and nothing stopped: {self.twice}")
        self._check_copies()
        self.count["claims"] += check_claims(self.log.entries, self.tables)
        check_meters(self.processes[0].instance.state, self.tables)

    def _check_copies(self) -> None:
        for process in self.processes:
            self._finish(process)
            if process.journal != self.log.entries:
                raise Violation(f"{process.name} has another journal than the log")

    def _admission(self, table: Table, about: int) -> Sent:
        value = Admission(table=table.name, epoch=table.epoch, public=table.signer)
        return self._admin(Admit(**self._who(about), value=value))

    def _parameters(self, limit: int | None, about: int) -> Sent:
        reset = self.chance.choice((None, 30_000, 60_000))
        value = LevelParameters.of(replace(PARAMETERS, reset=reset, limit=limit))
        return self._admin(SetParameters(**self._who(about), value=value))

    def _correction(self, about: int, cents: int) -> Sent:
        return self._admin(Correct(**self._who(about), value=CorrectedAmount(cents=cents)))

    def _admin(self, message: Admit | SetParameters | Correct) -> Sent:
        return Sent("", FLOOR, message)

    def _who(self, about: int) -> dict[str, Any]:
        self.admins += 1
        return {
            "level": LEVEL,
            "id": f"a{self.admins}",
            "about": about,
            "who": TWO,
            "why": "-",
            "issued": 0.0,
        }

    def play(self) -> None:
        self.chance.choice(self.tables).play(self.chance)

    def void(self) -> None:
        table = self.chance.choice(self.tables)
        if table.last[0]:
            table.void()
            self.count["void rounds"] += 1

    def win(self) -> None:
        self.chance.choice(self.tables).win(self.chance)

    def end_claim(self) -> None:
        self.chance.choice(self.tables).step(self.chance)

    def send(self) -> None:
        self.network += self.chance.choice(self.tables).messages()

    def decide_together(self) -> None:
        """Two persons correct the meter upwards, or change parameters, about what they saw a while ago."""
        level = self.chance.choice(self.processes).instance.state
        if level.meter is None:
            return
        about = max(0, level.n - self.chance.choice((0, 0, 3)))
        if self.chance.random() < 0.5:
            self.network.append(self._correction(about, max(level.meter.cents + 77, 60_000)))
        else:
            self.network.append(self._parameters(self.chance.choice((None, 70_000)), about))

    def deliver(self) -> None:
        """A message reaches the stream, perhaps again later, perhaps never."""
        if self.network:
            index = self.chance.randrange(len(self.network))
            sent = self.network[index]
            if self.chance.random() < 0.7:
                self.network.pop(index)
            if self.chance.random() < 0.8:
                self.inputs.store(sent)

    def run(self) -> None:
        """An instance carries out a command."""
        process = self.chance.choice(self.processes)
        if process.commands:
            self.count[process.run(self.chance, self.now, 0.1)] += 1
            self._check_journal(process)
            self._send_amounts(process)

    def read_inputs(self) -> None:
        self._read_inputs(self.chance.choice(self.processes), self.chance.randint(1, 8))

    def _read_inputs(self, process: Process, most: int) -> None:
        last = process.instance.cursor.last
        messages = tuple(self.inputs.messages[last : last + most])
        event = InputsRead(1, len(self.inputs.messages), self.inputs.digest(last), messages)
        process.handle(event)

    def publish_late(self) -> None:
        process = self.chance.choice(self.processes)
        if process.late:
            self.log.publish(process.late.pop(self.chance.randrange(len(process.late))))

    def change_lease(self) -> None:
        self.chance.choice(self.processes).handle(LeaseChanged(self.chance.random() < 0.9))

    def look(self) -> None:
        self.chance.choice(self.processes).handle(LogMoved())

    def announce(self) -> None:
        process = self.chance.choice(self.processes)
        if process.instance.phase == "leading":
            process.announce(self.now)
            self._send_amounts(process)

    def _send_amounts(self, process: Process) -> None:
        for payload in process.announced:
            self.amounts += [(table, payload) for table in self.tables]
            self._note(payload)
        process.announced.clear()

    def _note(self, payload: bytes) -> None:
        """A claim is announced with one amount, by whomever."""
        for claim in read_amount(payload).claims:
            if self.announced.setdefault(claim.claim, claim.cents) != claim.cents:
                self.twice = f"{claim.claim}: {claim.cents}, and was {self.announced[claim.claim]}"
        if self.twice and not self.faults.may_stop:
            raise Violation(f"announced with two amounts: {self.twice}")

    def hear(self) -> None:
        """A table gets an amount, perhaps an old one, perhaps again."""
        if self.amounts:
            index = self.chance.randrange(max(0, len(self.amounts) - 12), len(self.amounts))
            table, payload = self.amounts[index]
            if self.chance.random() < 0.8:
                self.amounts.pop(index)
            if self.chance.random() < 0.8:
                table.hear(payload, self.now)

    def see_amounts(self) -> None:
        """An instance learns what tables have accepted."""
        self._see_amounts(self.chance.choice(self.processes))

    def _see_amounts(self, process: Process) -> None:
        for table in self.tables:
            if table.level.hash:
                process.handle(AmountSeen(table.level.n, table.level.hash, process.own(table.level.n)))

    def crash(self) -> None:
        self._crash(self.chance.choice(self.processes))

    def _crash(self, process: Process) -> None:
        """What it has not carried out is lost; it starts again, and sees what tables have."""
        process.start()
        self._see_amounts(process)
        process.handle(LeaseChanged(self.chance.random() < 0.8))
        self.count["crashes"] += 1

    def cut_power(self) -> None:
        """An instance crashes, and the log loses its end."""
        self.rewind_log()
        self.crash()

    def rewind_inputs(self) -> None:
        if self.faults.input_rewinds and self.inputs.messages:
            kept = max(0, len(self.inputs.messages) - self.chance.randint(1, 9))
            del self.inputs.messages[kept:]
            self.count["inputs rewound"] += 1

    def rewind_log(self) -> None:
        if self.faults.log_rewinds and self.log.entries:
            del self.log.entries[max(0, len(self.log.entries) - self.chance.randint(1, 3)) :]
            self.count["log rewound"] += 1
            for process in self.processes:
                process.late.clear()  # its connections are lost with what the cluster had in memory


CHANCES = (
    (World.play, 10),
    (World.void, 1),
    (World.win, 5),
    (World.end_claim, 5),
    (World.send, 10),
    (World.decide_together, 1),
    (World.deliver, 22),
    (World.run, 90),
    (World.read_inputs, 16),
    (World.publish_late, 2),
    (World.change_lease, 4),
    (World.look, 3),
    (World.announce, 4),
    (World.hear, 22),
    (World.see_amounts, 2),
    (World.crash, 3),
    (World.rewind_inputs, 1),
    (World.rewind_log, 1),
    (World.cut_power, 2),
)
ACTS = [act for act, _ in CHANCES]
WEIGHTS = [weight for _, weight in CHANCES]


def explore(seed: int, faults: Faults, *, fenced: bool = True) -> Counter[str]:
    """One run; raises Violation, or what the machine itself raises."""
    world = World(Random(seed), faults, LogStream(fenced))
    world.begin()
    for _ in range(STEPS):
        world.step()
    world.heal()
    world.check_end()
    world.count["entries"] += len(world.log.entries)
    world.count["publications refused"] += world.log.refused
    return world.count


def explore_all(seeds: range, *, fenced: bool = True) -> Counter[str]:
    """Each seed with one kind of faults, in turn."""
    count = Counter[str]()
    for seed in seeds:
        faults = ALL_FAULTS[seed % len(ALL_FAULTS)]
        try:
            count += explore(seed, faults, fenced=fenced)
        except Violation as violation:
            raise Violation(f"seed {seed}, {faults}: {violation}") from violation
        count["runs"] += 1
    return count
