"""A device's end of a link on a bench: its body records its commands, the host is a bare endpoint that a test
controls, the cable is perfect and the clock is virtual."""

from collections.abc import Callable
from itertools import count

from drivers.link.codec import Unreadable, command_message, event_body
from drivers.link.endpoint import Ended, Endpoint, Received, Vitals
from drivers.link.frames import Deframer, WireFrame, encode
from drivers.link.key_schedule import (
    agreement,
    host_mac,
    seal_of,
    share_of,
    shared_secret,
    transcript,
)
from drivers.link.routes import is_handshake
from drivers.link.seal import Sealing
from drivers.messages import Arm, CardDrawn, CommandBody, EventBody, Resume
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import MAJOR, MINOR, SCHEMA, Channel, DeviceClass, Reset, Side, Status
from drivers.sim.link.device import BodyVitals, DeviceIdentity, DeviceLink
from drivers.sim.link.memory import CommandOutcome, Memory
from drivers.sim.link.randomness import DeviceRandom, Provisioning
from drivers.sim.link.slots import Slots

SERIAL = "S-1"
SECRET = bytes(range(32, 64))
"""The secret of the host's share."""


class Body:
    """Does everything at once and records it."""

    def __init__(self) -> None:
        self.done: list[object] = []
        self.times: list[float] = []
        self.outcome: CommandOutcome = (Status.DONE, "")
        self.condition = BodyVitals()
        self.before: Callable[[], None] = lambda: None

    def command(self, record: CommandBody, now: float) -> CommandOutcome:
        self.before()
        self.done.append(record)
        self.times.append(now)
        return self.outcome

    def arm(self, now: float) -> None:
        self.done.append("arm")
        self.times.append(now)

    def safe(self, now: float) -> None:
        self.done.append("safe")
        self.times.append(now)

    def vitals(self) -> BodyVitals:
        return self.condition


class Bench:
    """`heard` is everything the host received since the last `shake`."""

    def __init__(
        self,
        device_class: DeviceClass = DeviceClass.SHOE,
        memory: Memory | None = None,
        *,
        key: bytes = b"",
        slots: Slots | None = None,
        steps: int = 0,
    ) -> None:
        self.key = key
        self.share = share_of(SECRET) if key else b""
        self.provisioning = Provisioning(key)
        self.steps = steps
        self.slots = slots
        self.now = 1000.0
        self.device_class = device_class
        self.memory = memory if memory is not None else Memory()
        self.host = Endpoint(Side.HOST, self.now, self._vitals, sealed=bool(key))
        self.committed = 0
        self.heard: list[Received | Ended] = []
        self._nonces = count(1)
        self._keys = count(10_001)
        self.boot(Reset.POWER)

    def boot(self, reset: Reset = Reset.WATCHDOG) -> None:
        """The device starts; only its memory is kept."""
        self.body = Body()
        self.device = DeviceLink(
            DeviceIdentity(self.device_class, SERIAL),
            self.memory,
            self.body,
            random=DeviceRandom(self.provisioning),
            reset=reset,
            now=self.now,
            slots=self.slots,
            steps=self.steps,
        )

    def nonce(self, size: int) -> bytes:
        """Never the same twice."""
        return next(self._nonces).to_bytes(size, "big")

    def hello(self, **other: int | bytes) -> bytes:
        """The payload of a host's Hello."""
        hello = common.Hello(side=Side.HOST, major=MAJOR, minor=MINOR, schema=SCHEMA, seal=seal_of(self.key))
        for name, value in {"nonce": self.nonce(16), **other}.items():
            setattr(hello, name, value)
        return tsl.Frame(hello=hello).SerializeToString()

    def ask(self, payload: bytes) -> list[tsl.Frame]:
        """The handshake messages with which the device answers; the host gets the rest."""
        self.device.feed(encode(WireFrame(0, 0, 0, 0, 0, payload)), self.now)
        line = self.device.take(self.now)
        if self.host.installed:
            self.heard += self.host.feed(line, self.now)
        frames = [item for item in Deframer().feed(line) if isinstance(item, WireFrame)]
        return [tsl.Frame.FromString(frame.payload) for frame in frames if is_handshake(frame)]

    def proof(
        self, hello: bytes, answer: tsl.Frame, key: bytes | None = None, share: bytes | None = None
    ) -> bytes:
        """The payload of the host's Proof for these two Hellos."""
        whole = transcript(hello, answer.SerializeToString())
        share = self.share if share is None else share
        own = host_mac(self.key if key is None else key, whole, share)
        proof = common.Proof(side=Side.HOST, transcript=whole[:8], mac=own, share=share)
        return tsl.Frame(proof=proof).SerializeToString()

    def sealing(self, hello: bytes, answer: tsl.Frame, proved: tsl.Frame) -> Sealing | None:
        """The host's seal of the session that the device's Proof begins."""
        if not self.key:
            return None
        whole, share = transcript(hello, answer.SerializeToString()), proved.proof.share
        agreed = agreement(self.key, whole, self.share, share, shared_secret(SECRET, share))
        assert proved.proof.mac == agreed.device_mac
        return Sealing(agreed.keys, Side.HOST)

    def shake(self) -> common.Hello:
        """A fresh session on both sides; returns the device's Hello."""
        self.host.drop()
        hello = self.hello()
        [answer] = self.ask(hello)
        [proved] = self.ask(self.proof(hello, answer))
        assert proved.proof.side == Side.DEVICE
        self.host.install(self.now, self.sealing(hello, answer, proved))
        self.heard.clear()
        self.exchange()
        return answer.hello

    def begin(self, following: int = 1) -> None:
        """A fresh session, resumed."""
        self.shake()
        assert self.say(Resume(following)) == Status.DONE

    def arm(self) -> None:
        """All events on disk, armed."""
        assert self.say(Arm(self.memory.newest)) == Status.DONE

    def say(self, record: CommandBody, key: int | None = None, *, critical: bool = True) -> Status:
        """Sends a command and returns the status of its result."""
        return self.say_raw(
            command_message(next(self._keys) if key is None else key, record), critical=critical
        )

    def say_raw(self, frame: tsl.Frame, *, critical: bool = True) -> Status:
        """The same for any Command."""
        self.host.send(Channel.COMMANDS, frame, critical=critical)
        self.exchange()
        return [Status(result.status) for result in self.results() if result.key == frame.command.key][-1]

    def exchange(self, seconds: float = 0.02) -> None:
        """Lets both sides send until they are done, and lets this time pass."""
        until = self.now + seconds
        while True:
            self._pass_bytes()
            soonest = min(self.host.deadline(self.now), self.device.deadline(self.now))
            if soonest > until:
                break
            self.now = max(self.now, soonest)
            self.device.tick(self.now)
            self.heard += self.host.tick(self.now)
        self.now = until

    def results(self) -> list[common.Result]:
        return [message for message in self._messages() if isinstance(message, common.Result)]

    def events(self) -> dict[int, EventBody | Unreadable]:
        """All events the host received, by number."""
        return {
            message.number: event_body(message)
            for message in self._messages()
            if isinstance(message, tsl.Event)
        }

    def lost(self) -> list[tuple[int, int]]:
        """All gaps the host received."""
        return [(m.first, m.last) for m in self._messages() if isinstance(m, common.EventsLost)]

    def commit(self, number: int) -> None:
        """The host has everything up to `number` on disk."""
        self.committed = number
        self.host.send_control(tsl.Frame(event_commit=common.EventCommit(number=number)))
        self.exchange()

    def card(self, card: str = "Ts") -> int:
        self.memory.begin_card()
        with self.memory.transaction():
            return self.device.record(CardDrawn(self.memory.end_card(), card), self.now)

    def _messages(self) -> list[object]:
        return [item.message for item in self.heard if isinstance(item, Received)]

    def _vitals(self) -> Vitals:
        return Vitals(committed=self.committed)

    def _pass_bytes(self) -> None:
        while True:
            down, up = self.host.take(self.now), self.device.take(self.now)
            if not (down or up):
                return
            self.device.feed(down, self.now)
            self.heard += self.host.feed(up, self.now)
