"""What both ends do meanwhile: events, cards, state commands, actions."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from drivers.messages import (
    Buzz,
    CommandBody,
    Cover,
    DeckCheck,
    EventBody,
    Fault,
    Key,
    KeyLamps,
    Lamps,
    Level,
    Lock,
    Prompt,
    SensorFault,
    ShufflerState,
    Stop,
    Text,
    Wager,
)
from drivers.protocol.codes import DeviceClass
from tests.drivers.link.hostile.hardware import Hardware

Draw = Callable[[Random], EventBody]
Wish = Callable[[Random], CommandBody]
EVENTS: Final[Mapping[DeviceClass, tuple[Draw, ...]]] = {
    DeviceClass.SHOE: (lambda random: Cover(random.random() < 0.5),),
    DeviceClass.SHUFFLER: (
        lambda random: ShufflerState(random.randrange(1, 6), random.randrange(101)),
        lambda random: DeckCheck(8, random.randbytes(52), 0),
    ),
    DeviceClass.SENSORS: (
        lambda random: Wager(random.randrange(1, 9), random.randrange(6), True, random.randrange(100_000)),
        lambda random: SensorFault(1, 0, random.random() < 0.5),
    ),
    DeviceClass.DISPLAY: (lambda random: Fault(random.randrange(9), True, "lamp " * random.randrange(16)),),
    DeviceClass.CONSOLE: (lambda random: Key("deal", random.randrange(9), 0),),
}
"""Events that happen by themselves, besides cards."""
WISHES: Final[Mapping[DeviceClass, tuple[Wish, ...]]] = {
    DeviceClass.SHOE: (lambda _: Lock(),),
    DeviceClass.SHUFFLER: (lambda _: Stop(),),
    DeviceClass.SENSORS: (lambda random: Lamps(random.randrange(200, 9000), random.randbytes(54)),),
    DeviceClass.DISPLAY: (
        lambda random: Level(random.randrange(4), random.randrange(1 << 40), 0),
        lambda random: Text(random.randrange(3), f"win {random.random()}"),
    ),
    DeviceClass.CONSOLE: (
        lambda random: Prompt(f"seat {random.random()}", random.randrange(9)),
        lambda random: KeyLamps(random.randrange(1 << 20)),
        lambda _: Buzz(50),
    ),
}
"""State commands that the table may want, besides permits and actions."""


def happen(device: Hardware, random: Random, now: float) -> None:
    """One moment of a device."""
    device_class = device.identity.device_class
    if device.memory.moving:
        if random.random() < 0.5:
            device.card_ends(now)
    elif device_class is DeviceClass.SHOE and device.link.permitted and random.random() < 0.5:
        device.card_begins()
    elif random.random() < (0.1 if device_class is DeviceClass.SHOE else 0.5):
        device.event(random.choice(EVENTS[device_class])(random), now)


def wish(device_class: DeviceClass, random: Random) -> CommandBody:
    """A state command of the table."""
    return random.choice(WISHES[device_class])(random)
