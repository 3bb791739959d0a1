"""Two devices that must behave alike, DeviceLink and the C one, with the same input at the same times."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

from drivers import messages as m
from drivers.link.codec import command_message
from drivers.link.counters import Counters
from drivers.messages import CommandBody, EventBody
from drivers.protocol.codes import DeviceClass, Reset, Status
from drivers.sim.flash import Flash
from drivers.sim.link.device import BodyVitals, DeviceIdentity, DeviceLink
from drivers.sim.link.memory import CommandOutcome, Memory
from drivers.sim.link.randomness import DeviceRandom, Provisioning
from drivers.sim.link.slots import SLOT_STATES, Slots

from .firmware import LARGEST_IMAGE, NOTHING_STARTS, Program, event_body, microseconds, seconds, unhex

TOLERANCE = 1e-5
"""Seconds by which deadlines may differ: round trips are averaged in floats there, in whole numbers here."""
STOCK = 2048
"""Random bytes stored in the C code; one feed draws fewer."""
FACTORY = 5
"""The version that both left the factory with."""
KEPT = ("newest", "oldest", "committed", "free", "last_key", "begun", "cards", "moving")
"""The values that both memories state."""
NAMES = frozenset(field.name for field in fields(Counters)) - {"resets"}


class PowerCutError(Exception):
    """The power failed in the middle of an action."""


class DifferenceError(AssertionError):
    """The two devices differ."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What both are; `maker`: the public key that signs their firmware, empty where they take none; `steps`:
    of X25519 in one tick, 0: all."""

    device_class: DeviceClass
    key: bytes
    seed: bytes
    slots: int
    maker: bytes = b""
    root: bytes = bytes(32)
    steps: int = 0


class Body:
    """Carries out its commands like the body of the bench in C, and reports them in the same words."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.outcome: CommandOutcome = (Status.DONE, "")
        self.condition = BodyVitals()
        self.power_goes = False

    def command(self, record: CommandBody, now: float) -> CommandOutcome:
        if self.power_goes:
            raise PowerCutError
        body = command_message(0, record).command.SerializeToString()
        self.lines.append(f"command {microseconds(now)} {body.hex() or '-'}")
        return self.outcome

    def arm(self, _now: float) -> None:
        self.lines.append("armed")

    def safe(self, _now: float) -> None:
        self.lines.append("safe")

    def vitals(self) -> BodyVitals:
        return self.condition


class Twins:
    """Both devices. Each method does the same to both and raises DifferenceError where they answer
    differently."""

    def __init__(self, shape: Shape, program: Program, draw: Callable[[int], bytes]) -> None:
        self.off = False
        """The power is off; only `reboot` helps."""
        self.memory = Memory(shape.slots)
        self._provisioning = Provisioning(shape.key, shape.seed)
        self._identity = DeviceIdentity(shape.device_class, "TWIN-0001", "sim", "1.0")
        self._steps = shape.steps
        self._program = program
        self._draw = draw
        self._stock = b""
        names = (int(shape.device_class), "TWIN-0001", "sim", "1.0")
        program.ask("device", *names, shape.key, 0, shape.seed, shape.slots, shape.steps)
        self.slots: Slots | None = None
        if shape.maker:
            factory = (FACTORY, b"factory")
            self.slots = Slots(Flash(), shape.device_class, shape.maker, factory, root=shape.root)
            program.ask("slots", shape.maker, shape.root, FACTORY, LARGEST_IMAGE)

    def reboot(self, reset: Reset, now: float) -> None:
        self._body, self.off = Body(), False
        self._refill()
        self._start_slots()
        self._program.ask("boot", microseconds(now), int(reset))
        self.link = DeviceLink(
            self._identity,
            self.memory,
            self._body,
            random=DeviceRandom(self._provisioning, self._bits),
            reset=reset,
            now=now,
            slots=self.slots,
            steps=self._steps,
        )
        self._compare()

    def feed(self, data: bytes, now: float) -> None:
        if self.off:
            return
        self._refill()
        lines = self._program.ask("feed", microseconds(now), data)
        try:
            self.link.feed(data, now)
        except PowerCutError:
            self.off = True
            return
        self._compare_body(lines)

    def tick(self, now: float) -> None:
        lines = self._program.ask("tick", microseconds(now))
        self.link.tick(now)
        self._compare_body(lines)

    def take(self, now: float) -> bytes:
        found = unhex(self._program.value("speak", microseconds(now)))
        expected = self.link.take(now)
        _same("what is written", found, expected)
        self._compare()
        return expected

    def deadline(self, now: float) -> float:
        found = seconds(self._program.value("deadline", microseconds(now)))
        expected = self.link.deadline(now)
        if found != expected and not abs(found - expected) <= TOLERANCE:
            raise DifferenceError(f"deadline: {found} in C, {expected} in Python")
        return expected

    def record(self, event: EventBody, now: float) -> None:
        self._program.ask("record", microseconds(now), event_body(event))
        self.link.record(event, now)

    def card(self, card: str, now: float) -> None:
        """A card leaves; it began to move now or before."""
        if not self.memory.moving:
            self.card_begins()
        self._program.ask("card", microseconds(now), card)
        event = m.CardDrawn if self.link.permitted else m.CardUnpermitted
        with self.memory.transaction():
            self.link.record(event(self.memory.end_card(), card), now)

    def card_begins(self) -> None:
        if not self.memory.moving:
            self._program.ask("card-begins")
            self.memory.begin_card()

    def ends(self, status: Status, text: str) -> None:
        """The outcome of all commands of its class from now on."""
        self._program.ask("ends", int(status), text or "-")
        self._body.outcome = status, text

    def becomes(self, condition: BodyVitals) -> None:
        numbers = (int(condition.mode), condition.celsius, condition.errors, int(condition.alive))
        self._program.ask("is", *numbers)
        self._body.condition = condition

    def power_goes_at_next_action(self) -> None:
        self._program.ask("power-goes-at-next-action")
        self._body.power_goes = True

    def _start_slots(self) -> None:
        if self.slots:
            version = str(self.slots.version) if self.slots.start() else NOTHING_STARTS
            _same("version", self._program.value("start-slots"), version)

    def _refill(self) -> None:
        missing = STOCK - len(self._stock)
        if missing > 0:
            fresh = self._draw(missing)
            self._stock += fresh
            self._program.ask("give", fresh)

    def _bits(self, size: int) -> bytes:
        drawn, self._stock = self._stock[:size], self._stock[size:]
        return drawn

    def _compare_body(self, lines: list[str]) -> None:
        _same("what the body is told", lines, self._body.lines)
        self._body.lines.clear()

    def _compare(self) -> None:
        found = dict(_pairs(self._program.ask("state")))
        expected = dict(self._own())
        _same("counters and state", found, {name: expected.get(name, 0) for name in found})
        _same("what C counts", [name for name in expected if name not in found and expected[name]], [])

    def _own(self) -> Iterator[tuple[str, int]]:
        counters = self.link.counters
        yield from ((name, getattr(counters, name)) for name in NAMES)
        yield from ((f"reset {word.replace(' ', '_')}", times) for word, times in counters.resets.items())
        yield from ((name, int(getattr(self.memory, name))) for name in KEPT)
        yield from (("installed", int(self.link.installed)), ("armed", int(self.link.armed)))
        yield "permitted", self.link.permitted
        if self.slots:
            yield from (
                ("slot_state", SLOT_STATES.index(self.slots.state)),
                ("restarts", int(self.link.restarts)),
            )
            yield from (("slot_good", int(self.slots.good == "B")), ("slot_counter", self.slots.counter))
            yield "slot_generation", self.slots.generation
            yield "slot_filled", self.slots.filled if self.slots.announced else 0


def _pairs(lines: list[str]) -> Iterator[tuple[str, int]]:
    for line in lines:
        kind, name, number = line.split()
        yield (f"reset {name}" if kind == "reset" else name), int(number)


def _same(what: str, found: object, expected: object) -> None:
    if found == expected:
        return
    if isinstance(found, dict) and isinstance(expected, dict):
        names = [name for name in expected if found.get(name) != expected[name]]
        found, expected = [(name, found.get(name)) for name in names], [(n, expected[n]) for n in names]
    if isinstance(found, bytes) and isinstance(expected, bytes):
        found, expected = found.hex(), expected.hex()
    raise DifferenceError(f"{what}: {found} in C, {expected} in Python")
