"""Reads the fields of decisions, as commands and clients give them. Each reader raises NotAllowed with what
is wrong and what is allowed."""

from collections.abc import Callable
from typing import Any, TypeVar, get_args

from controller.cards import DECK
from controller.jackpot import Step
from controller.table.errors import NotAllowed
from controller.table.record.choices import CHOICE_NAMES, CHOICES
from controller.table.record.events import Supervisor
from controller.text.characters import character_fault
from drivers.protocol.codes import MOST_SEATS

MOST_TEXT = 200
STEPS: tuple[Step, ...] = get_args(Step)
MOST_NUMBER = 2**31 - 1
MOST_CENTS = 10**12
MOST_HANDS = 4
MOST_CARDS = 31

Word = TypeVar("Word", bound=str)
Fields = dict[str, object]
"""The fields of a decision, by name."""


def read_choice(fields: Fields) -> Supervisor:
    """A decision with the fields of its choice."""
    name = read_word(fields, "choice", CHOICE_NAMES)
    needed = CHOICES[name].fields
    given = {field: value for field, value in fields.items() if value is not None}
    check_names(given, "choice", "who", "why", *needed)
    values = {field: FIELD_READERS[field](given) for field in needed} | {"card": read_card(given, "card")}
    return Supervisor(name, read_text(given, "who"), read_text(given, "why"), **values)


def check_names(fields: Fields, *names: str) -> None:
    """Raises NotAllowed for any other name."""
    if extra := sorted(fields.keys() - {*names}):
        raise NotAllowed(f"{', '.join(extra)}: not allowed; allowed: {', '.join(names)}")


def read_text(fields: Fields, name: str, *, needed: bool = True) -> str:
    """A line of text without surrounding blanks and without invisible characters; empty if it is absent and
    not `needed`."""
    value = fields.get(name)
    if value is None and not needed:
        return ""
    if isinstance(value, str) and 0 < len(value.strip()) <= MOST_TEXT:
        if why := character_fault(value.strip()):
            raise NotAllowed(f"{name}: not allowed: {why}; allowed: text that can be seen")
        return value.strip()
    raise NotAllowed(f"{name} = {value!r}: not allowed; allowed: 1 to {MOST_TEXT} characters")


def read_word(fields: Fields, name: str, allowed: tuple[Word, ...]) -> Word:
    """One of the allowed words."""
    value = next((word for word in allowed if word == fields.get(name)), None)
    if value is None:
        raise NotAllowed(f"{name} = {fields.get(name)!r}: not allowed; allowed: {', '.join(allowed)}")
    return value


def read_card(fields: Fields, name: str) -> str | None:
    """A card; None if it is absent."""
    value = fields.get(name)
    if value is None or (isinstance(value, str) and value in DECK):
        return value
    raise NotAllowed(f"{name} = {value!r}: not allowed; allowed: a rank of A23456789TJQK and a suit of shdc")


def read_number(fields: Fields, name: str, least: int, most: int) -> int:
    """A whole number from `least` to `most`."""
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
    "seat": lambda fields: read_number(fields, "seat", 0, MOST_SEATS),
    "hand": lambda fields: _read_optional_number(fields, "hand", 1, MOST_HANDS, 1),
    "number": lambda fields: read_number(fields, "number", 1, MOST_CARDS),
    "round": lambda fields: _read_optional_number(fields, "round", 1, MOST_NUMBER, 0),
    "card": lambda fields: read_card(fields, "card"),
    "old": _read_old_card,
    "second": lambda fields: read_text(fields, "second", needed=False),
    "device": lambda fields: read_text(fields, "device"),
    "licence": lambda fields: read_text(fields, "licence"),
    "token": lambda fields: read_text(fields, "token", needed=False),
}
"""By the name of the field. An optional field has a value for its absence."""
