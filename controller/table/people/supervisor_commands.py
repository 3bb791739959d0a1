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

FIELDS: dict[Choice, tuple[str, ...]] = {
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
Fields = dict[str, object]
"""The JSON object of one line, without "preview"."""


def read_choice(fields: Fields) -> Supervisor:
    """A decision about a round; raises NotAllowed."""
    chosen = read_word(fields, "choice", CHOICES)
    fields = {name: value for name, value in fields.items() if value is not None}
    check_names(fields, "choice", "who", "why", *FIELDS[chosen])
    read = {name: FIELD_READERS[name](fields) for name in FIELDS[chosen]} | {
        "card": read_card(fields, "card")
    }
    return Supervisor(chosen, read_text(fields, "who"), read_text(fields, "why"), **read)


def read_claim_step(fields: Fields) -> ClaimStep:
    """What a person does about a claim; raises NotAllowed."""
    check_names(fields, "step", "claim", "who", "why", "token")
    number, step = read_number(fields, "claim", 1, MOST_NUMBER), read_word(fields, "step", STEPS)
    return ClaimStep(
        number, step, read_text(fields, "who"), read_text(fields, "why"), token=FIELD_READERS["token"](fields)
    )


def read_meter_correction(fields: Fields) -> MeterCorrection:
    """What two persons say that a meter shows; raises NotAllowed."""
    check_names(fields, "meter", "cents", "who", "second", "why", "token")
    cents = read_number(fields, "cents", 1, MOST_CENTS)
    return MeterCorrection(
        read_text(fields, "meter"),
        cents,
        read_text(fields, "who"),
        read_text(fields, "second"),
        read_text(fields, "why"),
        token=FIELD_READERS["token"](fields),
    )


def check_names(fields: Fields, *names: str) -> None:
    """Raises NotAllowed where something else is told."""
    if extra := sorted(fields.keys() - {*names}):
        raise NotAllowed(f"{', '.join(extra)}: not allowed; allowed: {', '.join(names)}")


def read_text(fields: Fields, name: str, *, needed: bool = True) -> str:
    """A line of text without surrounding blanks, empty if it is absent and may be. Raises NotAllowed, also
    for invisible characters."""
    value = fields.get(name)
    if value is None and not needed:
        return ""
    if isinstance(value, str) and 0 < len(value.strip()) <= MOST_TEXT:
        if why := character_fault(value.strip()):
            raise NotAllowed(f"{name}: not allowed: {why}; allowed: text that can be seen")
        return value.strip()
    raise NotAllowed(f"{name} = {value!r}: not allowed; allowed: 1 to {MOST_TEXT} characters")


def read_word(fields: Fields, name: str, allowed: tuple[Word, ...]) -> Word:
    """One of the words that are allowed; raises NotAllowed."""
    value = next((word for word in allowed if word == fields.get(name)), None)
    if value is None:
        raise NotAllowed(f"{name} = {fields.get(name)!r}: not allowed; allowed: {', '.join(allowed)}")
    return value


def read_card(fields: Fields, name: str) -> str | None:
    """A card, None where it is absent; raises NotAllowed."""
    value = fields.get(name)
    if value is None or (isinstance(value, str) and value in DECK):
        return value
    raise NotAllowed(f"{name} = {value!r}: not allowed; allowed: a rank of A23456789TJQK and a suit of shdc")


def read_number(fields: Fields, name: str, least: int, most: int) -> int:
    """A whole number, `least` to `most`; raises NotAllowed."""
    value = fields.get(name)
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise NotAllowed(f"{name} = {value!r}: not allowed; allowed: {least} to {most}")


def _read_optional_number(fields: Fields, name: str, least: int, most: int, absent: int) -> int:
    return read_number(fields, name, least, most) if fields.get(name) is not None else absent


def _read_old_card(fields: Fields) -> str:
    value = read_card(fields, "old")
    if value is None:
        raise NotAllowed("old is missing; needed: the card as it was read")
    return value


FIELD_READERS: dict[str, Callable[[Fields], Any]] = {
    "seat": lambda told: read_number(told, "seat", 0, MOST_SEATS),
    "hand": lambda told: _read_optional_number(told, "hand", 1, MOST_HANDS, 1),
    "number": lambda told: read_number(told, "number", 1, MOST_CARDS),
    "round": lambda told: _read_optional_number(told, "round", 1, MOST_NUMBER, 0),
    "card": lambda told: read_card(told, "card"),
    "old": _read_old_card,
    "second": lambda told: read_text(told, "second", needed=False),
    "device": lambda told: read_text(told, "device"),
    "licence": lambda told: read_text(told, "licence"),
    "token": lambda told: read_text(told, "token", needed=False),
}
"""By the name of what is told; what may be absent has a value for that."""
