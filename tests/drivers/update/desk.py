"""An update in virtual time: a simulated device, the host's course, a journal, and faults."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from drivers.link.commands import CommandKeys
from drivers.link.facts import Bookmark, Expected
from drivers.link.host import HostLink
from drivers.link.reports import ActionEnded, DeviceEvent, DeviceUp, LinkEvent
from drivers.messages import CommandBody
from drivers.protocol.codes import DeviceClass, Status
from drivers.sim.cable import Faults
from drivers.sim.flash import Flash
from drivers.sim.kinds import Settings
from drivers.sim.link.memory import Memory
from drivers.sim.link.randomness import Provisioning
from drivers.sim.link.slots import Slots
from drivers.sim.physical_state import PhysicalState
from drivers.sim.unit import GOOD, Unit
from drivers.sim.virtual import VirtualWire
from drivers.update.course import UpdateCourse, UpdateEnd
from drivers.update.image import FirmwareUpdate, sign
from drivers.update.progress import UpdateProgress
from drivers.update.signing import public_key
from drivers.update.updater import UpdateAttempt, UpdateEvent

MAKER = bytes(range(1, 33))
ROOT = bytes(range(32, 64))
"""The private key that signs keys of the maker."""
IMAGE = bytes(range(256)) * 3 + b"the end"
"""Five blocks, the last one short."""
KEY = bytes(range(32))
"""The key of the device's sessions."""
LONG = 400.0
BAUD = 115_200


def made(version: int = 7, image: bytes = IMAGE, **other: DeviceClass) -> FirmwareUpdate:
    """An update by our maker."""
    device_class = other.get("device_class", DeviceClass.DISPLAY)
    return FirmwareUpdate(sign(image, device_class, "sim", version, MAKER), image)


@dataclass
class Records:
    """What a host keeps on disk: all that its next life knows."""

    log: bytes = b""
    newest: int = 0
    last_key: int = 0
    open_actions: set[int] = field(default_factory=set)
    orders: list[tuple[int, CommandBody]] = field(default_factory=list)
    results: dict[int, Status] = field(default_factory=dict)
    ups: list[DeviceUp] = field(default_factory=list)
    events: list[int] = field(default_factory=list)

    def bookmark(self) -> Bookmark:
        return Bookmark(self.log, self.newest, self.last_key, 0, tuple(sorted(self.open_actions)))

    def record_event(self, event: LinkEvent) -> int | None:
        match event:
            case DeviceUp():
                self.ups.append(event)
                if event.facts.log != self.log:
                    self.log, self.newest = event.facts.log, event.facts.committed
            case ActionEnded(_, key, status):
                self.open_actions.discard(key)
                self.results[key] = status
            case DeviceEvent():
                self.newest = event.number
                self.events.append(event.number)
                return event.number
        return None

    def record_action(self, key: int, record: CommandBody) -> None:
        assert key > self.last_key, "a key is never used twice"
        self.last_key = key
        self.open_actions.add(key)
        self.orders.append((key, record))


class Desk:
    """One device, and a host that continues the update `update` until it ends."""

    def __init__(
        self,
        update: FirmwareUpdate | None = None,
        faults: Faults = GOOD,
        kind: str = "display",
        seed: int = 1,
    ) -> None:
        self.flash, self.memory, self.books = Flash(), Memory(), Records()
        self.provisioning = Provisioning(KEY)
        self.settings = Settings(kind, "S1", seed, speed="max")
        self.update = update or made()
        self._nonces = count(1)
        self._faults = faults
        self.host_events: list[UpdateEvent] = []
        self.unit = self._switched_on(0.0)
        self.wire: VirtualWire[UpdateEvent] = VirtualWire(self.unit, None, self._heed, 0.0)
        self.begin()

    @property
    def slots(self) -> Slots:
        assert self.unit.slots is not None
        return self.unit.slots

    @property
    def work(self) -> UpdateCourse:
        """What the command does."""
        return self.course

    @property
    def image(self) -> bytes:
        return self.update.image

    @property
    def ended(self) -> UpdateEnd | None:
        return self.work.ended

    def begin(self) -> None:
        """The command is given, for the first time or again; only the books are kept."""
        self.course, self.keys = UpdateProgress(self.update, self.wire.now), CommandKeys()
        self.meet()

    def meet(self) -> None:
        """A fresh attempt at a session."""
        self.keys.skip_to(self.books.last_key)
        self.link = HostLink(
            Expected(DeviceClass[self.settings.kind.upper()], "S1"),
            self.books.bookmark(),
            self.nonce,
            self.wire.now,
            lambda: True,
            key=KEY,
            keys=self.keys,
            image=self.image,
        )
        self.wire.host = UpdateAttempt(self.link, self.keys, self.work, self.books)

    def run(self, seconds: float = LONG) -> UpdateEnd | None:
        """Lets time pass until the update ends; returns how."""
        until = self.wire.now + seconds
        while not self.ended and self.wire.now < until:
            self.step()
        return self.ended

    def step(self, seconds: float = 0.05) -> None:
        """A little time; a lost device is met again."""
        self.wire.run(seconds)
        self.sound()
        if self.link.phase == "over" and not self.ended:
            self.meet()

    def until(self, true: Callable[[], bool], pace: float = 0.002) -> None:
        """Runs until the condition holds; fails when it does not."""
        end = self.wire.now + LONG
        while not true():
            assert self.wire.now < end, f"not so within {LONG:g} s; reported {self.host_events[-5:]}"
            self.step(pace)

    def leave(self) -> None:
        """The host says goodbye and is gone."""
        assert self.wire.host is not None
        self.link.close(self.wire.now)
        self.unit.receive(self.link.take(self.wire.now), self.wire.now)
        self.wire.host = None

    def sound(self) -> None:
        """At no moment any other firmware runs than the factory's or a signed one."""
        slots = self.slots
        assert slots.authentic(slots.running) or slots.version == 1

    def settled(self) -> int:
        """Nobody does anything any more, and all limits pass; returns the version that runs then."""
        self.wire.host = None
        self.wire.run(130.0)
        self.sound()
        assert self.slots.state in {"empty", "filling", "whole"}
        return self.slots.version

    def kill(self) -> None:
        """The process of the device ends; another one starts on the same flash and memory."""
        self.unit = self.wire.unit = self._switched_on(self.wire.now)

    def nonce(self, size: int) -> bytes:
        return next(self._nonces).to_bytes(size, "big")

    def _heed(self, news: UpdateEvent, _now: float) -> None:
        self.host_events.append(news)

    def _switched_on(self, now: float) -> Unit:
        return Unit(
            self.settings,
            memory=self.memory,
            surroundings=PhysicalState(),
            random=self.nonce,
            now=now,
            provisioning=self.provisioning,
            faults=self._faults,
            baud=BAUD,
            maker=public_key(MAKER),
            root=public_key(ROOT),
            flash=self.flash,
        )
