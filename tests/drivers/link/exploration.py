"""The real ends of a sealed link while an adversary without the key owns the wire, in virtual time.

Some hosts stay unarmed and bring keys of the device's maker. The adversary hears everything. It delivers
anything it heard to anyone, as often and as late as it likes (loss, delay, replay, reflection, mixing of
sessions and of two hosts with one key), makes Hellos of its own, and puts a share of its own or a share of
small order into any Proof. Either side may lose its power. After each step the promises of the handshake are
checked, and that the maker's key is one that a host brought, never of a lower generation than before. At the
end the adversary leaves; a session must form, and bring the next key.

`python -m tests.drivers.link.exploration --seconds 600 --device c` runs schedules by hand.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from drivers.link.commands import CommandKeys
from drivers.link.facts import SIMULATOR_HARDWARE as SIMULATOR
from drivers.link.facts import Bookmark, Expected
from drivers.link.frames import Deframer, WireFrame, encode
from drivers.link.host import HostLink
from drivers.link.key_schedule import share_of
from drivers.link.reports import DeviceEvent, DeviceUp, EventsMissing, LinkEvent
from drivers.link.routes import is_handshake
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import DeviceClass, Flag, Reset, Seal, Side
from drivers.sim.flash import Flash
from drivers.sim.link.device import DeviceIdentity, DeviceLink
from drivers.sim.link.memory import Memory
from drivers.sim.link.randomness import DeviceRandom, Provisioning
from drivers.sim.link.slots import Slots
from drivers.update.maker_key import sign_maker_key
from drivers.update.signing import public_key
from tests.conformance.firmware import LARGEST_IMAGE, Program, microseconds, running, seconds, unhex
from tests.drivers.link.rig import KEY, TinyBody
from tests.drivers.update.desk import MAKER, ROOT

SERIAL = "SH-1"
HOSTS = 2
ACTIONS = 40
MOST_KNOWN = 60
STEP = 0.02
EXPIRY = 5.1
HEALED = 15.0
"""Seconds in which a session must form once the adversary is gone."""
FACTORY = 1
GENERATIONS = 3
"""The greatest generation of a key that a host brings while the adversary is there."""
SHARES = (share_of(bytes(range(7, 39))), bytes(32), b"\1" + bytes(31))
"""The adversary's own share, and two of small order."""


class ViolationError(AssertionError):
    """A promise of the handshake is broken."""


class ExploredDevice(Protocol):
    """The device's end in either language. Its hardware has no random bits."""

    def boot(self, now: float) -> None: ...

    def feed(self, data: bytes, now: float) -> None: ...

    def tick(self, now: float) -> None: ...

    def take(self, now: float) -> bytes: ...

    def deadline(self, now: float) -> float: ...

    def sessions(self) -> int:
        """How many sessions it installed since its last boot."""

    def generation(self) -> int:
        """That of its maker's key."""


class PythonDevice:
    def __init__(self, seed: bytes, steps: int) -> None:
        self._provisioning, self._memory, self._steps = Provisioning(KEY, seed), Memory(), steps
        keys = public_key(MAKER), public_key(ROOT)
        self._slots = Slots(Flash(), DeviceClass.SHOE, keys[0], (FACTORY, b"factory"), root=keys[1])
        self.boot(0.0)

    def boot(self, now: float) -> None:
        self._slots.start()
        self._link = DeviceLink(
            DeviceIdentity(DeviceClass.SHOE, SERIAL),
            self._memory,
            TinyBody(),
            random=DeviceRandom(self._provisioning),
            reset=Reset.POWER,
            now=now,
            slots=self._slots,
            steps=self._steps,
        )

    def feed(self, data: bytes, now: float) -> None:
        self._link.feed(data, now)

    def tick(self, now: float) -> None:
        self._link.tick(now)

    def take(self, now: float) -> bytes:
        return self._link.take(now)

    def deadline(self, now: float) -> float:
        return self._link.deadline(now)

    def sessions(self) -> int:
        return self._link.counters.sessions

    def generation(self) -> int:
        return self._slots.generation


class FirmwareDevice:
    """The C code, through its bench."""

    def __init__(self, program: Program, seed: bytes, steps: int) -> None:
        self._program = program
        program.ask("device", int(DeviceClass.SHOE), SERIAL, "sim", "1.0", KEY, 0, seed, 1024, steps)
        program.ask("slots", public_key(MAKER), public_key(ROOT), FACTORY, LARGEST_IMAGE)
        self.boot(0.0)

    def boot(self, now: float) -> None:
        self._program.ask("start-slots")
        self._program.ask("boot", microseconds(now), int(Reset.POWER))

    def feed(self, data: bytes, now: float) -> None:
        self._program.ask("feed", microseconds(now), data)

    def tick(self, now: float) -> None:
        self._program.ask("tick", microseconds(now))

    def take(self, now: float) -> bytes:
        return unhex(self._program.value("speak", microseconds(now)))

    def deadline(self, now: float) -> float:
        return seconds(self._program.value("deadline", microseconds(now)))

    def sessions(self) -> int:
        return self._state("sessions")

    def generation(self) -> int:
        return self._state("slot_generation")

    def _state(self, wanted: str) -> int:
        lines = (line.split() for line in self._program.ask("state"))
        return next(int(number) for _, name, number in lines if name == wanted)


Maker = Callable[[bytes, int], ExploredDevice]


@dataclass
class Known:
    """What the wire carried, and who really said it."""

    frames: list[WireFrame] = field(default_factory=list)
    host_proofs: set[bytes] = field(default_factory=set)
    device_proofs: dict[bytes, bytes] = field(default_factory=dict)
    """By the payload of step 4: the Proof that was delivered when it came first."""
    nonces: dict[bytes, bytes] = field(default_factory=dict)
    """By the nonce of a device's Hello: its payload."""
    shares: dict[bytes, bytes] = field(default_factory=dict)
    """By the share of a device's Proof: its payload."""


class Exploration:
    """One schedule. The seed decides everything."""

    def __init__(self, seed: int, make: Maker) -> None:
        self.random = Random(seed)
        self.now = 0.0
        self.ups = 0
        """Sessions that a host began."""
        self.replaced = 0
        """Keys of the maker that the device took while the adversary was there."""
        self._generation = 0
        self._brought: set[int] = set()
        """The generations that hosts brought under the root key."""
        self._bringing: dict[HostLink, CommandKeys] = {}
        """The hosts that bring keys, and the keys of their commands."""
        self._known = Known()
        self._steps = self.random.choice((0, 0, 306, 612))
        self._device = make(self.random.randbytes(32), self._steps)
        self._installed = 0
        self._delivered = b""
        self._confirmed: set[bytes] = set()
        """The Proofs of the device that came with a session."""
        self._hosts = [self._host() for _ in range(HOSTS)]
        self._last: dict[int, WireFrame] = {}
        """What each host said last."""

    def run(self, actions: int = ACTIONS) -> None:
        """Raises ViolationError."""
        for _ in range(actions):
            self.random.choices(*zip(*_ACTIONS, strict=True))[0](self)
            self.now += STEP
            self._collect()
        self._heal()

    def _host(self, *, brings: bool | None = None) -> HostLink:
        """A host; one that brings a key of the maker stays unarmed."""
        expected, keys = Expected(DeviceClass.SHOE, SERIAL), CommandKeys()
        brings = self.random.random() < 0.5 if brings is None else brings
        host = HostLink(
            expected,
            Bookmark(),
            self.random.randbytes,
            self.now,
            lambda: True,
            key=KEY,
            keys=keys,
            image=b"" if brings else None,
        )
        if brings:
            self._bringing[host] = keys
        return host

    def _heed(self, host: HostLink, events: list[LinkEvent], generation: int, root: bytes = ROOT) -> None:
        """A host's program: everything is on disk at once, and a session begins with a key of the maker."""
        for event in events:
            if isinstance(event, DeviceEvent):
                host.commit(event.number)
            elif isinstance(event, EventsMissing):
                host.commit(event.last)
            elif isinstance(event, DeviceUp) and host in self._bringing:
                key = public_key(bytes([generation]) * 32)
                signed = sign_maker_key(key, DeviceClass.SHOE, SIMULATOR, generation, root)
                self._brought |= {generation} if root == ROOT else set()
                host.act(self._bringing[host].next(), signed.action)

    def _check_maker(self) -> None:
        was, self._generation = self._generation, self._device.generation()
        if self._generation < was:
            raise ViolationError(f"a maker's key of generation {self._generation} after {was}")
        if self._generation != was and self._generation not in self._brought:
            raise ViolationError(f"a maker's key of generation {self._generation} that no host brought")
        self.replaced += self._generation > was

    def _attempt(self) -> None:
        self._hosts[self.random.randrange(HOSTS)] = self._host()

    def _reboot(self) -> None:
        self._device.boot(self.now)
        self._installed = 0

    def _wait(self) -> None:
        self.now += self.random.choice((0.25, 0.25, 0.5, 1.0, EXPIRY))

    def _to_device(self) -> None:
        if self._known.frames:
            self._feed_device(self._chosen())

    def _to_host(self) -> None:
        if self._known.frames:
            self._feed_host(self.random.randrange(HOSTS), self._chosen())

    def _relay(self) -> None:
        """What a good wire does: the last word of a host, and the answer to it."""
        which = self.random.randrange(HOSTS)
        if which in self._last:
            for answer in self._feed_device(self._last[which]):
                self._feed_host(which, answer)

    def _chosen(self) -> WireFrame:
        """Mostly something recent."""
        recent = self._known.frames[-6:] if self.random.random() < 0.7 else self._known.frames
        return self._changed(self.random.choice(recent))

    def _changed(self, frame: WireFrame) -> WireFrame:
        if not is_handshake(frame) or self.random.random() < 0.6:
            return frame
        message = tsl.Frame.FromString(frame.payload)
        if message.HasField("proof"):
            proof = message.proof
            if self.random.random() < 0.7:
                proof.share = self.random.choice(SHARES)
            else:
                proof.side = Side.HOST if proof.side == Side.DEVICE else Side.DEVICE
        elif message.HasField("hello"):
            hello = message.hello
            if self.random.random() < 0.5:
                hello.seal = Seal.NONE
            else:
                hello.nonce = self.random.randbytes(16)
        return WireFrame(0, 0, 0, 0, 0, message.SerializeToString())

    def _feed_device(self, frame: WireFrame) -> list[WireFrame]:
        if is_handshake(frame):
            self._delivered = frame.payload
        self._device.feed(encode(frame), self.now)
        return self._hear_device()

    def _feed_host(self, which: int, frame: WireFrame) -> None:
        host = self._hosts[which]
        events = host.feed(encode(frame), self.now)
        for event in events:
            if isinstance(event, DeviceUp):
                self._check_up(host, frame.payload)
        root = ROOT if self.random.random() < 0.7 else MAKER
        self._heed(host, events, self.random.randint(1, GENERATIONS), root)

    def _collect(self) -> None:
        self._hosts = [self._host() if host.phase == "over" else host for host in self._hosts]
        for which, host in enumerate(self._hosts):
            host.tick(self.now)
            for frame in _frames(host.take(self.now)):
                self._note(frame)
                self._last[which] = frame
                if is_handshake(frame) and tsl.Frame.FromString(frame.payload).HasField("proof"):
                    self._known.host_proofs.add(frame.payload)
        self._device.tick(self.now)
        self._hear_device()

    def _hear_device(self) -> list[WireFrame]:
        heard = _frames(self._device.take(self.now))
        for frame in heard:
            self._note(frame)
            if is_handshake(frame):
                self._check_said(frame.payload)
        self._check_installed()
        self._check_maker()
        return heard

    def _note(self, frame: WireFrame) -> None:
        if is_handshake(frame) or frame.flags & Flag.SEALED:
            self._known.frames.append(frame)
            del self._known.frames[:-MOST_KNOWN]

    def _check_said(self, payload: bytes) -> None:
        message, known = tsl.Frame.FromString(payload), self._known
        if message.HasField("hello"):
            if known.nonces.setdefault(message.hello.nonce, payload) != payload:
                raise ViolationError("a nonce of the device in two Hellos")
        elif message.HasField("proof"):
            if known.shares.setdefault(message.proof.share, payload) != payload:
                raise ViolationError("a share of the device in two sessions")
            known.device_proofs.setdefault(payload, self._delivered)

    def _check_installed(self) -> None:
        sessions = self._device.sessions()
        fresh, self._installed = sessions - self._installed, sessions
        if not fresh:
            return
        newest = next(reversed(self._known.device_proofs), b"")
        if fresh > 1 or newest in self._confirmed:
            raise ViolationError("a session installed twice: one key and counter for two frames")
        self._confirmed.add(newest)
        if not self._steps and self._known.device_proofs[newest] not in self._known.host_proofs:
            raise ViolationError("a session of the device with a Proof that no host sent")

    def _check_up(self, host: HostLink, proof: bytes) -> None:
        self.ups += 1
        if proof not in self._known.device_proofs:
            raise ViolationError("a host is up with a Proof that the device did not send")
        if self._steps:
            return
        answered = self._known.device_proofs[proof]
        if answered != host._handshake._step.SerializeToString():
            raise ViolationError("a host is up with the answer to another Proof")

    def _heal(self) -> None:
        """The adversary is gone, and with it the other host. The next key of the maker arrives."""
        until, host, wanted = self.now + HEALED, self._host(brings=True), self._generation + 1
        while self.now < until and self._device.generation() != wanted:
            for frame in _frames(host.take(self.now)):
                self._device.feed(encode(frame), self.now)
            self._device.tick(self.now)
            for frame in _frames(self._device.take(self.now)):
                self._heed(host, host.feed(encode(frame), self.now), wanted)
            self.now += STEP
            host.tick(self.now)
            if host.phase == "over":
                host = self._host(brings=True)
        if self._device.generation() != wanted:
            raise ViolationError(f"no session that brings a key within {HEALED:g} s after the adversary left")


def _frames(data: bytes) -> list[WireFrame]:
    return [item for item in Deframer().feed(data) if isinstance(item, WireFrame)]


_ACTIONS: tuple[tuple[Callable[[Exploration], None], int], ...] = (
    (Exploration._relay, 12),
    (Exploration._to_device, 12),
    (Exploration._to_host, 12),
    (Exploration._wait, 4),
    (Exploration._attempt, 2),
    (Exploration._reboot, 1),
)


@dataclass(frozen=True)
class Reached:
    """What schedules did: sessions that hosts began, and keys of the maker that devices took, both while the
    adversary was there."""

    ups: int = 0
    replaced: int = 0

    def __add__(self, other: "Reached") -> "Reached":
        return Reached(self.ups + other.ups, self.replaced + other.replaced)


def explore(make: Maker, schedules: range, actions: int = ACTIONS) -> Reached:
    """Runs these schedules. Raises ViolationError."""
    reached = Reached()
    for seed in schedules:
        exploration = Exploration(seed, make)
        try:
            exploration.run(actions)
        except ViolationError as violation:
            raise ViolationError(f"schedule {seed}: {violation}") from violation
        reached += Reached(exploration.ups, exploration.replaced)
    return reached


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drivers.link.exploration")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--device", choices=("python", "c"), default="python")
    asked = parser.parse_args()
    with running() as program:
        makers: dict[str, Maker] = {
            "python": PythonDevice,
            "c": lambda seed, steps: FirmwareDevice(program, seed, steps),
        }
        seed, reached, until = asked.seed, Reached(), time.monotonic() + asked.seconds
        while time.monotonic() < until:
            reached += explore(makers[asked.device], range(seed, seed + 20))
            seed += 20
    done = seed - asked.seed
    print(
        f"{done} schedules, {done * ACTIONS} actions, {reached.ups} sessions and "
        f"{reached.replaced} keys of the maker under attack, 0 violations"
    )


if __name__ == "__main__":
    _main()
