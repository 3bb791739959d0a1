"""Which values the fields of commands and events may have (section 13 of firmware-protocol/README.md).

A device answers a command with RANGE if a field is out of range. A host does not apply such an event: it is
a fault of the device.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from drivers import messages as m
from drivers.link.limits import HIGHEST
from drivers.messages import CommandBody, EventBody
from drivers.protocol.codes import (
    KEYS,
    LAMPS,
    MOST_SEATS,
    SPOTS_PER_SEAT,
    Lamp,
    LevelState,
    Reset,
    ShufflerPhase,
    TamperCause,
)

MOST_CENTS = 2**53 - 1
"""The largest integer that every JSON reader keeps exactly."""
MOST_DECKS = 10
MOST_CARDS = 52 * MOST_DECKS
KINDS_OF_CARDS = 52
LONGEST_LEASE = 10_000
"""Milliseconds that lamps may stay lit without a new command."""
LONGEST_BUZZ = 5_000
LEVELS = 32
LINES = 8
MAKERS_CODES = 100, 999
"""Fault codes that each maker defines. They need a text."""


@dataclass(frozen=True, slots=True)
class FieldRange:
    """The values of an integer field, from `least` to `most`."""

    field: str
    least: int
    most: int

    def fault(self, body: object) -> str:
        value: int = getattr(body, self.field)
        if self.least <= value <= self.most:
            return ""
        return f"{self.field} {value}: {self.least} to {self.most}"


SEAT = FieldRange("seat", 1, MOST_SEATS)
SEAT_OR_DEALER = FieldRange("seat", 0, MOST_SEATS)
"""Seat 0 is the dealer's own, or all seats."""
SPOT = FieldRange("spot", 0, SPOTS_PER_SEAT - 1)
CENTS = FieldRange("cents", 0, MOST_CENTS)
DECKS = FieldRange("decks", 1, MOST_DECKS)
LEVEL = FieldRange("id", 0, LEVELS - 1)
COUNT = FieldRange("count", 1, HIGHEST)

RANGES: dict[type, tuple[FieldRange, ...]] = {
    m.Start: (DECKS,),
    m.Lamps: (FieldRange("ttl_ms", 1, LONGEST_LEASE),),
    m.Level: (LEVEL, CENTS, FieldRange("state", min(LevelState), max(LevelState))),
    m.Celebrate: (LEVEL, CENTS, FieldRange("seconds", 1, 60)),
    m.Text: (FieldRange("line", 0, LINES - 1),),
    m.Prompt: (SEAT_OR_DEALER,),
    m.KeyLamps: (FieldRange("mask", 0, (1 << len(KEYS)) - 1),),
    m.Buzz: (FieldRange("ms", 1, LONGEST_BUZZ),),
    m.Booted: (FieldRange("reset", min(Reset), max(Reset)),),
    m.Tamper: (FieldRange("what", min(TamperCause), max(TamperCause)), FieldRange("count", 1, 2**32 - 1)),
    m.CutCard: (COUNT,),
    m.Loaded: (DECKS,),
    m.ShufflerState: (
        FieldRange("state", min(ShufflerPhase), max(ShufflerPhase)),
        FieldRange("percent", 0, 100),
    ),
    m.DeckCheck: (DECKS, FieldRange("unreadable", 0, MOST_CARDS)),
    m.Wager: (SEAT, SPOT, CENTS),
    m.SensorFault: (SEAT, SPOT),
    m.Key: (SEAT_OR_DEALER, CENTS),
}
"""The integer fields of each message whose type alone does not bound them. Counts and numbers of section 8.1
and the permit of section 9.4 depend on the device's memory."""


def out_of_range(body: CommandBody | EventBody) -> str:
    """What is wrong with the first field that is out of its range; empty if all are in range."""
    for each in RANGES.get(type(body), ()):
        if fault := each.fault(body):
            return fault
    special = _SPECIAL.get(type(body))
    return special(body) if special else ""


def _lamps(body: m.Lamps) -> str:
    if len(body.lamps) == LAMPS and max(body.lamps) <= max(Lamp):
        return ""
    return f"lamps: {LAMPS} values from 0 to {max(Lamp)}"


def _fault_code(body: m.Fault) -> str:
    least, most = MAKERS_CODES
    if not (1 <= body.code <= 8 or least <= body.code <= most):
        return f"code {body.code}: 1 to 8, or {least} to {most}"
    return "text: needed for a maker's code" if body.code >= least and not body.text else ""


def _door(body: m.Door) -> str:
    return (
        ""
        if 1 <= body.which <= 4 or 100 <= body.which <= 199
        else f"which {body.which}: 1 to 4, or 100 to 199"
    )


def _deck_check(body: m.DeckCheck) -> str:
    size = len(body.counts)
    return "" if size == KINDS_OF_CARDS else f"counts of {size} bytes: {KINDS_OF_CARDS}"


def _key(body: m.Key) -> str:
    return "" if body.action in KEYS else f"action {body.action!r}: one of {', '.join(KEYS)}"


_SPECIAL: dict[type, Callable[[Any], str]] = {
    m.Lamps: _lamps,
    m.Fault: _fault_code,
    m.Door: _door,
    m.DeckCheck: _deck_check,
    m.Key: _key,
}
