"""The messages of an Angel Eye II-EX, as the events of `tableside device decode --json`."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from drivers.adapters.angel_eye import fields
from drivers.adapters.angel_eye.frames import LENGTHS, NAK, Answer, Message
from drivers.adapters.capture import DUPLICATE, JsonEvent
from drivers.adapters.decoder import RejectReason

CONTEXTS: Final[Mapping[int, str]] = {0: "lock", 1: "error", 2: "setting"}
"""The mode of a card drawn outside a game; the documents name no other mode."""
REDEALT: Final = "R: this card was sent again, or dealt again: the documents disagree"
OWN_RESULT: Final = "the result of its own game"
_AROUND_DATA: Final = 6
"""Bytes besides the data: ENQ, sequence, code, ETX and the BCC."""
_END: Final = re.compile(rb"\x03[0-9A-F]{2}")
_CODE: Final = re.compile(rb"[0-9A-F]{2}")


class AngelEyeEvents:
    """Makes the events of one line. A message that equals the one before it is a duplicate. Any other
    message in between, such as the S at the shoe's start, makes it new."""

    def __init__(self) -> None:
        self._last: Message | None = None

    def event(self, value: Message | Answer) -> JsonEvent:
        if isinstance(value, Answer):
            return _answer(value)
        if value == self._last:
            return DUPLICATE
        self._last = value
        return _EVENTS[value.code](value.data)


def extent(run: bytes, refusal: RejectReason) -> int:
    """The number of bytes at the beginning of the run that belong to the rejected message."""
    if run[0] == NAK:
        return min(3 if _CODE.match(run, 1) else 2, len(run))
    if refusal == "check":
        return min(_AROUND_DATA + LENGTHS[chr(run[2])], len(run))
    end = _END.search(run, 2)
    return end.end() if end else len(run)


def _answer(answer: Answer) -> JsonEvent:
    if answer.nak is None:
        return {"event": "command_ok"}
    return {"event": "command_refused", "code": f"{answer.nak:02X}"}


def _card(data: bytes, context: str | None) -> JsonEvent:
    card = fields.card(data)
    if not card:
        return {"event": "card_unreadable"}
    return {"event": "card_drawn", "card": card, **({"context": context} if context else {})}


def _preset(data: bytes) -> JsonEvent:
    text = data.decode("ascii", errors="replace")
    return {"event": "preset", "address": text[:2], "value": text[2:]}


_EVENTS: Final[Mapping[str, Callable[[bytes], JsonEvent]]] = {
    "S": lambda _: {"event": "started"},
    "P": lambda _: {"event": "standby"},
    "C": lambda _: {"event": "cut_card"},
    "D": lambda data: _card(data, "game"),
    "d": lambda data: _card(data, CONTEXTS.get(fields.mode(data))),
    "R": lambda _: {"event": "needs_supervisor", "why": REDEALT},
    "G": lambda _: {"event": "ignored", "why": OWN_RESULT},
    "E": lambda data: {"event": "device_error", "code": fields.error(data)},
    "e": lambda data: {"event": "error_cleared", "code": fields.error(data)},
    "L": lambda data: {"event": "lock", "locked": fields.locked(data)},
    "M": _preset,
}
