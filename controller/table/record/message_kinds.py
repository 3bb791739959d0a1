"""What each event of a device is: one table for the messages inside the rows of kind "event"."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Generic, TypeVar

from controller.table.record.kinds import KINDS as ROW_KINDS
from controller.table.record.kinds import Code
from drivers import messages
from drivers.protocol.codes import Reset, TamperCause

Message = TypeVar("Message")


@dataclass(frozen=True, slots=True)
class MessageKind(Generic[Message]):
    """`owner`: the only device that may report it; empty if any may. `text`: what happened, in a clause."""

    message: type[Message]
    owner: str = ""
    code: Code | None = None
    """None: it is play, or a note says more."""
    text: Callable[[Message], str] = lambda _message: ""
    before_cards: bool = True
    """As that of a RecordKind."""


def _name(codes: type[IntEnum], number: int) -> str:
    """A code's name; firmware of another version may know more of them."""
    known = {code.value: code.name.lower().replace("_", " ") for code in codes}
    return known.get(number, f"code {number}")


def _fault(fault: messages.Fault) -> str:
    return f"fault {fault.code}: {fault.text}" if fault.on else f"fault {fault.code} is cleared"


def _sensor_fault(fault: messages.SensorFault) -> str:
    return f"seat {fault.seat}, spot {fault.spot}: {'faulty' if fault.on else 'works again'}"


def _jam(jam: messages.ShoeJam | messages.ShufflerJam) -> str:
    return "a card is stuck" if jam.on else "the card is free"


def _card(card: Any) -> str:
    """Never which card: it may lie face down."""
    return f"card {card.count}"


JAM = Code("JAM", "a card is stuck, or free again")

KINDS: tuple[MessageKind[Any], ...] = (
    MessageKind(
        messages.Booted,
        code=Code("POWER_RESET", "a device had its power back, or started anew"),
        text=lambda booted: f"started after {_name(Reset, booted.reset)}",
    ),
    MessageKind(
        messages.Tamper,
        code=Code("TAMPER", "a wrong seal, a failed proof, an opened case"),
        text=lambda tamper: f"tampering: {_name(TamperCause, tamper.what)}, {tamper.count} times",
    ),
    MessageKind(
        messages.Fault,
        code=Code("COMPONENT_FAULT", "a component fault came or was cleared"),
        text=_fault,
    ),
    MessageKind(
        messages.Door,
        code=Code("DOOR", "a door opened or closed"),
        text=lambda door: f"door {door.which} {'opened' if door.open else 'closed'}",
    ),
    MessageKind(messages.CardDrawn, "shoe", before_cards=False),
    MessageKind(
        messages.CardUnreadable,
        "shoe",
        Code("CARD_UNREAD", "a card left the shoe that it could not read"),
        _card,
        before_cards=False,
    ),
    MessageKind(
        messages.CardUnpermitted,
        "shoe",
        Code("CARD_UNEXPECTED", "a card left the locked shoe"),
        _card,
        before_cards=False,
    ),
    MessageKind(
        messages.CardInterrupted,
        "shoe",
        Code("CARD_INTERRUPTED", "the power went while a card moved"),
        _card,
        before_cards=False,
    ),
    MessageKind(messages.CutCard, "shoe"),
    MessageKind(
        messages.Cover,
        "shoe",
        Code("COVER", "a cover opened or closed"),
        lambda cover: f"cover {'opened' if cover.open else 'closed'}",
    ),
    MessageKind(
        messages.Loaded,
        "shoe",
        Code("SHOE_LOADED", "a fresh shoe was loaded"),
        lambda loaded: f"{loaded.decks} decks",
    ),
    MessageKind(messages.Empty, "shoe"),
    MessageKind(messages.ShoeJam, "shoe", JAM, _jam),
    MessageKind(messages.ShufflerState, "shuffler"),
    MessageKind(messages.DeckCheck, "shuffler"),
    MessageKind(messages.ShufflerJam, "shuffler", JAM, _jam),
    MessageKind(messages.Wager, "sensors"),
    MessageKind(
        messages.SensorFault,
        "sensors",
        Code("SENSOR_FAULT", "a bet sensor cannot be trusted, or can again"),
        _sensor_fault,
    ),
    MessageKind(messages.Key, "console", before_cards=False),
)

BY_MESSAGE: dict[type, MessageKind[Any]] = {kind.message: kind for kind in KINDS}
BY_NAME: dict[str, MessageKind[Any]] = {
    name: BY_MESSAGE[message] for name, message in messages.EVENTS.items()
}

_CODES: tuple[Code | None, ...] = (*(kind.code for kind in ROW_KINDS), *(kind.code for kind in KINDS))
CODES: dict[str, str] = {code.name: code.meaning for code in _CODES if code}
"""Every code of a significant event, and what it stands for."""
