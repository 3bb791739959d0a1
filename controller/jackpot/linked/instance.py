"""One of two instances of a linked progressive, as a pure machine: events in, commands out.

There are three copies of the log: PROGRESSIVE_LOG, which both instances see, and the journal of each. An
instance does one job after another. A job takes an entry through the stages of its route:

- **lead**: publish the entry to the log, append it to the own journal, announce it. The log comes first,
  because only its fence decides which of two entries is the next one; a journal that came first would hold
  entries that lost. The journal comes before the announcement, because the log alone can lose its end: what
  players saw must be on a disk that this instance reads again.
- **follow**: append an entry of the log to the own journal.
- **complete**: publish an entry of the own journal to a log that lost its end.

The fence is the sequence that the log must have had before (`Publish.expected`); `before` in each entry is
checked by `apply`. Together they admit one next entry: a second, paused or cloned instance can only follow.
The lease only decides who tries.

If the result of a publication is unknown, the log's end tells: if it is the own entry, the instance goes on
with it, and leads. If log and journal have different entries of one number, or if the
books do not balance, the instance stops and announces that it is inoperable.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from controller.jackpot.books import Unbalanced
from controller.jackpot.linked.apply import apply
from controller.jackpot.linked.decide import (
    Received,
    decide,
    known_claims,
    leader_entry,
    rewound_entry,
    was_rewound,
)
from controller.jackpot.linked.entries import LogEntry, LogFault
from controller.jackpot.linked.events import (
    AmountSeen,
    Announce,
    Append,
    Appended,
    Command,
    Event,
    InputsRead,
    JournalRead,
    LeaseChanged,
    LogEnd,
    LogMoved,
    LogRead,
    Publish,
    Published,
    PublishRefused,
    PublishUnknown,
    ReadJournal,
    ReadLog,
    ReadLogEnd,
    Repeat,
    Resolution,
)
from controller.jackpot.linked.level import LinkedLevel, Position

Phase = Literal["starting", "following", "leading", "inoperable"]
Stage = Literal["publish", "append", "announce"]

LEAD: tuple[Stage, ...] = ("publish", "append", "announce")
GO_ON: tuple[Stage, ...] = ("append", "announce")
FOLLOW: tuple[Stage, ...] = ("append",)
COMPLETE: tuple[Stage, ...] = ("publish",)


@dataclass(frozen=True, slots=True)
class Job:
    """An entry on its route. `after`: the state that it leads to; `sequence`: of its message in the log, 0
    until that is known."""

    route: tuple[Stage, ...]
    entry: LogEntry
    after: LinkedLevel
    sequence: int = 0
    leads: bool = False
    """After it the instance leads."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A frozen value: `handle` returns the next one.

    `state`: after the last entry of the own journal; `sequence`: of that entry's message in the log;
    `cursor`: up to which input was read, at or after the state's position; `jobs`: the first is under way;
    `reading`: a read of log or journal is under way; `tried`: the hash of an own entry whose publication is
    unknown; `owed`: an entry that a table has seen and the own journal has not.
    """

    name: str
    state: LinkedLevel
    phase: Phase = "starting"
    sequence: int = 0
    cursor: Position = field(default_factory=Position)
    jobs: tuple[Job, ...] = ()
    reading: bool = False
    held: bool = False
    tried: str = ""
    owed: tuple[int, str] | None = None
    why: str = ""
    """Why it is inoperable."""

    @property
    def waits(self) -> bool:
        """Whether nothing is under way: it takes inputs, if it leads, and looks at the log."""
        return not self.jobs and not self.reading


Step = tuple[Instance, tuple[Command, ...]]


def start(name: str, level: str, journal: Sequence[LogEntry], *, demo: bool = False) -> Step:
    """An instance with the entries of its journal; it compares them with the log first."""
    state = LinkedLevel(level, demo=demo)
    try:
        for entry in journal:
            state = apply(state, entry)
    except (LogFault, Unbalanced) as fault:
        return _stop(Instance(name, state), f"journal: {fault}")
    return _look(Instance(name, state, cursor=state.position))


def handle(instance: Instance, event: Event) -> Step:
    """What the instance is after an event, and what is to be done now. An event that answers nothing that is
    under way changes nothing."""
    if instance.phase == "inoperable" and not instance.owed and not isinstance(event, Resolution):
        return instance, ()
    return HANDLERS[type(event)](instance, event)


def _look(instance: Instance) -> Step:
    return replace(instance, reading=True, jobs=()), (ReadLogEnd(),)


def _stop(instance: Instance, why: str) -> Step:
    stopped = replace(instance, phase="inoperable", jobs=(), reading=False, owed=None, why=why)
    return stopped, (Announce(stopped.state, None),)


def _log_end(instance: Instance, event: LogEnd) -> Step:
    """One of log and journal must be a prefix of the other: entries are chained, so one hash tells."""
    state = instance.state
    if not instance.reading:
        return instance, ()
    if event.n > state.n:
        return instance, (ReadLog(state.n),)
    if event.n and event.hash != (state.hash if event.n == state.n else event.own):
        return _stop(instance, f"log and journal have different entries {event.n}")
    instance = replace(instance, sequence=event.sequence)
    return (instance, (ReadJournal(event.n),)) if event.n < state.n else _synchronised(instance)


def _log_read(instance: Instance, event: LogRead) -> Step:
    if not instance.reading:
        return instance, ()
    if not event.entries:
        return _look(instance)
    jobs, state = list[Job](), instance.state
    try:
        for sequence, entry in event.entries:
            state = apply(state, entry)
            route = GO_ON if entry.hash == instance.tried else FOLLOW
            jobs.append(Job(route, entry, state, sequence))
    except (LogFault, Unbalanced) as fault:
        return _stop(instance, f"log: {fault}")
    return _next(replace(instance, reading=False, jobs=tuple(jobs)))


def _journal_read(instance: Instance, event: JournalRead) -> Step:
    if not instance.reading:
        return instance, ()
    jobs = tuple(Job(COMPLETE, entry, instance.state) for entry in event.entries)
    return _next(replace(instance, reading=False, jobs=jobs))


def _published(instance: Instance, event: Published) -> Step:
    if not _is_at(instance, "publish"):
        return instance, ()
    return _advance(replace(instance, sequence=event.sequence))


def _refused(instance: Instance, _event: PublishRefused) -> Step:
    """Another instance was first."""
    if not _is_at(instance, "publish"):
        return instance, ()
    phase: Phase = "following" if instance.phase == "leading" else instance.phase
    return _look(replace(instance, phase=phase, tried=""))


def _unknown(instance: Instance, _event: PublishUnknown) -> Step:
    if not _is_at(instance, "publish"):
        return instance, ()
    return _look(replace(instance, tried=instance.jobs[0].entry.hash))


def _appended(instance: Instance, _event: Appended) -> Step:
    if not _is_at(instance, "append"):
        return instance, ()
    job = instance.jobs[0]
    instance = replace(
        instance,
        state=job.after,
        cursor=_cursor_after(instance.cursor, job.after.position),
        sequence=job.sequence or instance.sequence,
    )
    if job.sequence and job.entry.hash != instance.tried and instance.phase == "leading":
        instance = replace(instance, phase="following")
    return _settle_owed(instance, job)


def _settle_owed(instance: Instance, job: Job) -> Step:
    """A table saw this entry before: it must have been the same."""
    if instance.owed and instance.owed[0] == job.entry.n:
        if instance.owed[1] != job.entry.hash:
            return _stop(instance, f"a table has seen another entry {job.entry.n}")
        instance = replace(instance, owed=None)
    return _advance(instance)


def _advance(instance: Instance) -> Step:
    """The first job has done a stage."""
    job, *others = instance.jobs
    if len(job.route) > 1:
        return _next(replace(instance, jobs=(replace(job, route=job.route[1:]), *others)))
    phase: Phase = "leading" if job.leads and instance.held else instance.phase
    return _next(replace(instance, phase=phase, jobs=tuple(others), tried=""))


def _next(instance: Instance) -> Step:
    """Begins the next stage of the first job. Without jobs, the instance is up to date; if a table has seen
    more, the log must tell."""
    if not instance.jobs:
        return _look(instance) if instance.owed else _synchronised(instance)
    job = instance.jobs[0]
    if job.route[0] == "publish":
        return instance, (Publish(job.entry, instance.sequence),)
    if job.route[0] == "append":
        return instance, (Append(job.entry),)
    announced, commands = _advance(instance)
    return announced, (Announce(job.after, job.entry), *commands)


def _synchronised(instance: Instance) -> Step:
    """Log and journal are equal, as far as the instance knows."""
    instance = replace(instance, reading=False)
    if instance.owed:
        why = f"a table has seen entry {instance.owed[0]}; the log ends at {instance.state.n}"
        return replace(instance, phase="inoperable", why=why), (Announce(instance.state, None),)
    if instance.phase != "leading":
        instance = replace(instance, phase="following", why="")
    return _try_to_lead(instance)


def _try_to_lead(instance: Instance) -> Step:
    if not (instance.held and instance.phase == "following" and instance.waits):
        return instance, ()
    return _lead(instance, leader_entry(instance.state, instance.name), leads=True)


def _lead(instance: Instance, entry: LogEntry, *, leads: bool = False) -> Step:
    """The entry is applied before it is published: what does not balance never leaves."""
    try:
        after = apply(instance.state, entry)
    except (LogFault, Unbalanced) as fault:
        return _stop(instance, f"own entry: {fault}")
    return _next(replace(instance, jobs=(Job(LEAD, entry, after, leads=leads),)))


def _lease_changed(instance: Instance, event: LeaseChanged) -> Step:
    """What is under way goes on: the fence decides, not the lease."""
    phase: Phase = "following" if instance.phase == "leading" and not event.held else instance.phase
    return _try_to_lead(replace(instance, held=event.held, phase=phase))


def _log_moved(instance: Instance, _event: LogMoved) -> Step:
    return _look(instance) if instance.waits else (instance, ())


def _amount_seen(instance: Instance, event: AmountSeen) -> Step:
    if event.own and event.own != event.hash:
        return _stop(instance, f"a table has seen another entry {event.n}")
    if event.n <= instance.state.n or (instance.owed and event.n <= instance.owed[0]):
        return instance, ()
    instance = replace(instance, owed=(event.n, event.hash))
    return _look(instance) if instance.waits else (instance, ())


def _inputs_read(instance: Instance, event: InputsRead) -> Step:
    if instance.phase != "leading" or not instance.waits:
        return instance, ()
    if was_rewound(instance.cursor, event.oldest, event.last, event.digest):
        if instance.cursor != instance.state.position:
            return replace(instance, cursor=instance.state.position), ()
        return _lead(instance, rewound_entry(instance.state))
    messages = tuple(one for one in event.messages if one.sequence > instance.cursor.last)
    return _decided(instance, messages) if messages else (instance, ())


def _decided(instance: Instance, messages: Sequence[Received]) -> Step:
    asked = known_claims(instance.state, messages)
    repeats = (Repeat(asked),) if asked else ()
    try:
        entry = decide(instance.state, messages)
    except (LogFault, Unbalanced) as fault:
        return _stop(instance, f"inputs: {fault}")
    if entry:
        led, commands = _lead(instance, entry)
        return led, (*repeats, *commands)
    cursor = Position(instance.cursor.incarnation, messages[-1].sequence, messages[-1].digest)
    return replace(instance, cursor=cursor), repeats


def _cursor_after(cursor: Position, position: Position) -> Position:
    """The cursor stays ahead of the position while both are of one incarnation."""
    ahead = cursor.incarnation == position.incarnation and cursor.last > position.last
    return cursor if ahead else position


def _resolution(instance: Instance, event: Resolution) -> Step:
    return _look(Instance(instance.name, event.state, cursor=event.state.position, held=instance.held))


def _is_at(instance: Instance, stage: Stage) -> bool:
    return bool(instance.jobs) and instance.jobs[0].route[0] == stage


HANDLERS: dict[type[Event], Callable[[Instance, Any], Step]] = {
    LogEnd: _log_end,
    LogRead: _log_read,
    JournalRead: _journal_read,
    Published: _published,
    PublishRefused: _refused,
    PublishUnknown: _unknown,
    Appended: _appended,
    LeaseChanged: _lease_changed,
    LogMoved: _log_moved,
    AmountSeen: _amount_seen,
    InputsRead: _inputs_read,
    Resolution: _resolution,
}
