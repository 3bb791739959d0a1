"""How a device executes commands: what waits for Arm, what needs it, and what happens only once.

Section 9 of firmware-protocol/README.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from drivers import messages as m
from drivers.link.limits import HIGHEST, STEP
from drivers.link.ranges import out_of_range
from drivers.messages import CommandBody
from drivers.protocol.codes import DeviceClass, Mode, Status
from drivers.sim.link.memory import CommandOutcome, Memory
from drivers.sim.link.updating import DeviceUpdate

MOST_AHEAD = 64
"""How far a permit may reach above the count of cards."""
COMMANDS_OF: dict[DeviceClass, frozenset[type[CommandBody]]] = {
    DeviceClass.SHOE: frozenset({m.Permit, m.Lock}),
    DeviceClass.SHUFFLER: frozenset({m.Start, m.Eject, m.Stop}),
    DeviceClass.SENSORS: frozenset({m.Lamps}),
    DeviceClass.DISPLAY: frozenset({m.Level, m.Celebrate, m.Text}),
    DeviceClass.CONSOLE: frozenset({m.Prompt, m.KeyLamps, m.Buzz}),
}
"""The commands of each class, besides those of every device."""
DONE: CommandOutcome = (Status.DONE, "")


@dataclass(frozen=True, slots=True)
class BodyVitals:
    """The body's part of a heartbeat. No heartbeat goes out while `alive` is False."""

    mode: int = Mode.READY
    celsius: int = 0
    errors: int = 0
    alive: bool = True


class Body(Protocol):
    """What a class of device does. Only its link calls it, synchronously."""

    def command(self, record: CommandBody, now: float) -> CommandOutcome:
        """Executes a command of its class while the device is armed.

        The key of an action is already noted as begun. A state command that waited for Arm comes with the
        time of its arrival, from which leases count.
        """

    def arm(self, now: float) -> None:
        """Leaves the safe state. The desired state follows at once."""

    def safe(self, now: float) -> None:
        """Shows the safe state and moves nothing new: the session ended or was disarmed."""

    def vitals(self) -> BodyVitals:
        """Its condition now."""


class CommandRunner:
    """Executes commands in order. Each has one outcome."""

    def __init__(
        self,
        device_class: DeviceClass,
        memory: Memory,
        body: Body,
        resume: Callable[[int], None],
        updating: DeviceUpdate,
    ) -> None:
        self._known = COMMANDS_OF[device_class]
        self._updating = updating
        self._memory = memory
        self._body = body
        self._resume = resume
        self._waiting: dict[tuple[type[CommandBody], int], tuple[CommandBody, float]] = {}
        self._newest_at_start = 0
        self._permit = 0
        self.armed = False

    @property
    def permitted(self) -> int:
        """How many cards may leave now. None while only the reserve of the ring is left."""
        return 0 if self._memory.full else max(0, self._permit - self._memory.cards)

    def start(self) -> None:
        """Begins a session: unarmed, nothing desired, nothing permitted."""
        self._newest_at_start = self._memory.newest

    def stop(self, now: float) -> None:
        """Ends a session. The desired state, the permit and requests for blocks go with it."""
        self._waiting.clear()
        self._updating.stop()
        self._disarm(now)

    def run(self, key: int, record: CommandBody, now: float) -> CommandOutcome:
        if isinstance(record, m.Resume):
            return self._resumed(record.next)
        if isinstance(record, m.Arm):
            return self._arm(record.seen, now)
        if isinstance(record, m.Disarm):
            self._disarm(now)
            return DONE
        if isinstance(record, m.Recall):
            return self._recall(record.old_key)
        if isinstance(record, m.ACTIONS):
            return self._run_action(key, record, now)
        return self._run_state_command(record, now)

    def _resumed(self, following: int) -> CommandOutcome:
        newest = self._memory.newest
        if not 1 <= following <= newest + 1:
            return Status.RANGE, f"resume from {following}: events 1 to {newest} exist"
        self._resume(following)
        return DONE

    def _arm(self, seen: int, now: float) -> CommandOutcome:
        if seen < self._newest_at_start:
            return Status.STALE, f"seen up to {seen}, the session began with {self._newest_at_start}"
        if seen > self._memory.newest:
            return Status.RANGE, f"seen up to {seen}, the newest is {self._memory.newest}"
        if self._updating.unarmable_reason:
            return Status.REFUSED, self._updating.unarmable_reason
        self._memory.commit(seen)
        if not self.armed:
            self.armed = True
            self._updating.stop()
            self._body.arm(now)
            self._run_waiting()
        return DONE

    def _run_waiting(self) -> None:
        for record, arrived in self._waiting.values():
            self._body.command(record, arrived)
        self._waiting.clear()

    def _disarm(self, now: float) -> None:
        self.armed = False
        self._permit = 0
        self._body.safe(now)

    def _run_state_command(self, record: CommandBody, now: float) -> CommandOutcome:
        if type(record) not in self._known:
            return _unsupported(record)
        if isinstance(record, m.Permit):
            return self._run_permit(record, now)
        if fault := out_of_range(record):
            return Status.RANGE, fault
        if self.armed:
            if isinstance(record, m.Lock):
                self._permit = 0
            return self._body.command(record, now)
        kind = (type(record), _target(record))
        self._waiting.pop(kind, None)
        self._waiting[kind] = (record, now)
        return DONE

    def _run_permit(self, record: m.Permit, now: float) -> CommandOutcome:
        if not self.armed:
            return Status.UNARMED, "no permit without Arm"
        most = self._memory.cards + MOST_AHEAD
        if record.up_to > most:
            return Status.RANGE, f"permit up to {record.up_to}: at most {most} now"
        outcome = self._body.command(record, now)
        if outcome[0] is Status.DONE:
            self._permit = record.up_to
        return outcome

    def _run_action(self, key: int, record: CommandBody, now: float) -> CommandOutcome:
        if impossible := self._impossible_key(key):
            return impossible
        if key <= self._memory.last_key:
            return Status.FORGOTTEN, f"key {key} is not above {self._memory.last_key}"
        outcome = self._refusal(record)
        if outcome is None:
            self._memory.begin_action(key)
            outcome = self._execute(record, now)
        self._memory.end_action(key, *outcome)
        return outcome

    def _execute(self, record: CommandBody, now: float) -> CommandOutcome:
        if isinstance(record, m.UPDATES):
            return self._updating.run(record, now)
        return self._body.command(record, now)

    def _refusal(self, record: CommandBody) -> CommandOutcome | None:
        if isinstance(record, m.UPDATES):
            return (Status.REFUSED, f"{type(record).__name__}: the device is armed") if self.armed else None
        if type(record) not in self._known:
            return _unsupported(record)
        if not self.armed:
            return Status.UNARMED, f"{type(record).__name__} needs Arm"
        fault = out_of_range(record)
        return (Status.RANGE, fault) if fault else None

    def _impossible_key(self, key: int) -> CommandOutcome | None:
        """Refuses an impossible key before it is noted: a noted key rules out all lower keys for ever."""
        most = min(self._memory.last_key + STEP, HIGHEST)
        return None if 1 <= key <= most else (Status.RANGE, f"key {key}: 1 to {most} are possible now")

    def _recall(self, key: int) -> CommandOutcome:
        if impossible := self._impossible_key(key):
            return impossible
        known = self._memory.result(key)
        if known is not None:
            return known
        if key <= self._memory.last_key:
            return Status.FORGOTTEN, f"the result of {key} is not kept any more"
        burned = Status.NEVER, f"{key} was never begun and never will be"
        self._memory.end_action(key, *burned)
        return burned


def _target(record: CommandBody) -> int:
    if isinstance(record, m.Level | m.Celebrate):
        return record.id
    return record.line if isinstance(record, m.Text) else 0


def _unsupported(record: CommandBody) -> CommandOutcome:
    return Status.UNSUPPORTED, f"{type(record).__name__} is not for this device"
