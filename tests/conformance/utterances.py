"""What a random host sends and what happens to a random device: bodies of commands and events."""

from collections.abc import Callable
from random import Random

from drivers import messages as m
from drivers.link.limits import HIGHEST
from drivers.messages import CommandBody, EventBody
from drivers.protocol import common_pb2 as common
from drivers.protocol import shoe_pb2 as shoe
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import LAMPS

CARDS = ("As", "Td", "2h", "Kc")
WORDS = ("", "a", "Seat 3: hit or stand?", "é" * 20)

IMPOSSIBLE = (0, HIGHEST, HIGHEST + 1, 2**53 - 1)
"""Keys that no host can reach."""

Near = int
"""A number close to a right one: what the host knows of the device's events or cards."""

COMMANDS: tuple[Callable[[Random, Near, Near], CommandBody], ...] = (
    lambda c, newest, _: m.Resume(_near(c, newest + 1)),
    lambda c, newest, _: m.Resume(c.randint(1, newest + 1)),
    lambda c, newest, _: m.Arm(_near(c, newest)),
    lambda _, newest, __: m.Arm(newest),
    lambda _, newest, __: m.Arm(newest),
    lambda *_: m.Disarm(),
    lambda c, *_: m.Recall(c.choice((c.randint(0, 60), c.randint(0, 60), *IMPOSSIBLE))),
    lambda c, _, cards: m.Permit(_near(c, cards + 1)),
    lambda c, _, cards: m.Permit(cards + c.randint(0, 70)),
    lambda *_: m.Lock(),
    lambda c, *_: m.Start(c.randint(0, 8)),
    lambda *_: m.Eject(),
    lambda *_: m.Stop(),
    lambda c, *_: m.Lamps(c.randint(0, 11_000), c.randbytes(LAMPS)),
    lambda c, *_: m.Level(c.randint(0, 3), c.randint(0, 2**40), c.randint(0, 3)),
    lambda c, *_: m.Celebrate(c.randint(0, 3), 5, 9),
    lambda c, *_: m.Text(c.randint(0, 3), c.choice(WORDS)),
    lambda c, *_: m.Prompt(c.choice(WORDS), c.randint(0, 7)),
    lambda c, *_: m.KeyLamps(c.randint(0, 2**40)),
    lambda c, *_: m.Buzz(c.randint(0, 9)),
)
EVENTS: tuple[Callable[[Random], EventBody], ...] = (
    lambda c: m.Cover(c.random() < 0.5),
    lambda c: m.Fault(c.randint(0, 9), on=c.random() < 0.5, text=c.choice(WORDS)),
    lambda c: m.Tamper(3, c.randint(1, 9)),
    lambda c: m.CutCard(c.randint(0, 300)),
    lambda c: m.DeckCheck(c.randint(1, 8), c.randbytes(52), c.randint(0, 3)),
    lambda c: m.Wager(c.randint(1, 7), c.randint(0, 5), present=True, cents=c.randint(0, 10**6)),
    lambda c: m.Key("stand", c.randint(0, 7), 0),
    lambda *_: m.Empty(),
)
CONTROL: tuple[Callable[[Random, Near], tsl.Frame], ...] = (
    lambda c, newest: tsl.Frame(event_commit=common.EventCommit(number=_near(c, newest))),
    lambda _, newest: tsl.Frame(event_commit=common.EventCommit(number=newest)),
    lambda *_: tsl.Frame(sample=common.Sample(what=1, value=-5)),
    lambda *_: tsl.Frame(refuse=common.Refuse(echo=bytes(16), reason=4)),
    lambda *_: tsl.Frame(no_session=common.NoSession()),
    lambda *_: tsl.Frame(event=tsl.Event(number=4, empty=shoe.Empty())),
)
STRANGE = (
    "9203020801",
    "c2010508099a0600",
    "c201",
    "ff",
    "08",
    "c20100",
    "820100",
    "0a02ffff",
    "5a0012",
    "c202020801",
)
"""Payloads that are unknown, cut, or no message at all."""


def _near(chance: Random, number: int) -> int:
    return max(0, number + chance.choice((-2, -1, 0, 0, 0, 1, 2)))
