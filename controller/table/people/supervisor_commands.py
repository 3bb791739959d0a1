"""What a supervisor says, out of JSON: each reader names what is wrong with it, and what is allowed."""

from collections.abc import Callable
from typing import Any, TypeVar, get_args

from controller.cards import DECK
from controller.jackpot import Step
from controller.table.errors import NotAllowed
from controller.table.record.events import Choice, ClaimStep, MeterCorrection, Supervisor
from controller.text.characters import character_fault
from drivers.protocol.codes import MOST_SEATS

MOST_TEXT = 200
CHOICES: tuple[Choice, ...] = get_args(Choice)
STEPS: tuple[Step, ...] = get_args(Step)
MOST_NUMBER = 2**31 - 1
MOST_CENTS = 10**12
MOST_HANDS, MOST_CARDS = 4, 31

MORE: dict[Choice, tuple[str, ...]] = {
    "burn": ("round", "token"),
    "card": ("round", "card", "token"),
    "assign": ("round", "seat", "hand", "card", "second", "token"),
    "reread": ("round", "token"),
    "correct": ("round", "seat", "hand", "number", "old", "card", "second", "token"),
    "void": ("round", "second", "token"),
    "undo": ("round", "token"),
    "resume": ("round", "token"),
    "reload": ("round", "token"),
    "entry": ("device", "licence"),
}
"""What a choice is told with, beside who and why."""

Word = TypeVar("Word", bound=str)
Words = dict[str, object]
"""The JSON object of one line, without "preview"."""


def choice(told: Words) -> Supervisor:
    """A decision about a round; raises NotAllowed."""
    chosen = one_of(told, "choice", CHOICES)
    told = {name: value for name, value in told.items() if value is not None}
    only(told, "choice", "who", "why", *MORE[chosen])
    read = {name: READ[name](told) for name in MORE[chosen]} | {"card": card(told, "card")}
    return Supervisor(chosen, text(told, "who"), text(told, "why"), **read)


def claim_step(told: Words) -> ClaimStep:
    """What a person does about a claim; raises NotAllowed."""
    only(told, "step", "claim", "who", "why", "token")
    number, step = whole(told, "claim", 1, MOST_NUMBER), one_of(told, "step", STEPS)
    return ClaimStep(number, step, text(told, "who"), text(told, "why"), token=READ["token"](told))


def meter(told: Words) -> MeterCorrection:
    """What two persons say that a meter shows; raises NotAllowed."""
    only(told, "meter", "cents", "who", "second", "why", "token")
    cents = whole(told, "cents", 1, MOST_CENTS)
    return MeterCorrection(
        text(told, "meter"), cents, text(told, "who"), text(told, "second"), text(told, "why"),
        token=READ["token"](told),
    )  # fmt: skip


def only(told: Words, *names: str) -> None:
    """Raises NotAllowed where something else is told."""
    if extra := sorted(told.keys() - {*names}):
        raise NotAllowed(f"{', '.join(extra)}: not allowed; allowed: {', '.join(names)}")


def text(told: Words, name: str, *, needed: bool = True) -> str:
    """A line of text without surrounding blanks, empty if it is absent and may be. Raises NotAllowed, also
    for invisible characters."""
    found = told.get(name)
    if found is None and not needed:
        return ""
    if isinstance(found, str) and 0 < len(found.strip()) <= MOST_TEXT:
        if why := character_fault(found.strip()):
            raise NotAllowed(f"{name}: not allowed: {why}; allowed: text that can be seen")
        return found.strip()
    raise NotAllowed(f"{name} = {found!r}: not allowed; allowed: 1 to {MOST_TEXT} characters")


def one_of(told: Words, name: str, allowed: tuple[Word, ...]) -> Word:
    """One of the words that are allowed; raises NotAllowed."""
    found = next((word for word in allowed if word == told.get(name)), None)
    if found is None:
        raise NotAllowed(f"{name} = {told.get(name)!r}: not allowed; allowed: {', '.join(allowed)}")
    return found


def card(told: Words, name: str) -> str | None:
    """A card, None where it is absent; raises NotAllowed."""
    found = told.get(name)
    if found is None or (isinstance(found, str) and found in DECK):
        return found
    raise NotAllowed(f"{name} = {found!r}: not allowed; allowed: a rank of A23456789TJQK and a suit of shdc")


def whole(told: Words, name: str, least: int, most: int) -> int:
    """A whole number, `least` to `most`; raises NotAllowed."""
    found = told.get(name)
    if isinstance(found, int) and not isinstance(found, bool) and least <= found <= most:
        return found
    raise NotAllowed(f"{name} = {found!r}: not allowed; allowed: {least} to {most}")


def _or(told: Words, name: str, least: int, most: int, absent: int) -> int:
    return whole(told, name, least, most) if told.get(name) is not None else absent


def _old(told: Words) -> str:
    found = card(told, "old")
    if found is None:
        raise NotAllowed("old is missing; needed: the card as it was read")
    return found


READ: dict[str, Callable[[Words], Any]] = {
    "seat": lambda told: whole(told, "seat", 0, MOST_SEATS),
    "hand": lambda told: _or(told, "hand", 1, MOST_HANDS, 1),
    "number": lambda told: whole(told, "number", 1, MOST_CARDS),
    "round": lambda told: _or(told, "round", 1, MOST_NUMBER, 0),
    "card": lambda told: card(told, "card"),
    "old": _old,
    "second": lambda told: text(told, "second", needed=False),
    "device": lambda told: text(told, "device"),
    "licence": lambda told: text(told, "licence"),
    "token": lambda told: text(told, "token", needed=False),
}
"""By the name of what is told; what may be absent has a value for that."""
