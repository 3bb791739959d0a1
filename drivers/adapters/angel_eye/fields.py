"""What the messages of an Angel Eye II-EX shoe mean, in text for a dealer or a technician."""

from collections.abc import Callable, Mapping
from typing import Final

from drivers.adapters.angel_eye.frames import NAKS, Answer, Message

RANKS: Final = "?A23456789TJQK"
SUITS: Final[Mapping[int, str]] = {1: "d", 2: "c", 3: "s", 4: "h"}
TARGETS: Final[Mapping[int, str]] = {
    0: "player",
    1: "banker",
    2: "burn",
    4: "first card",
    5: "burn count",
}
MODES: Final[Mapping[int, str]] = {0: "in lock mode", 1: "in error mode", 2: "in setting mode"}
ERROR_MODE: Final = 1
ERRORS: Final[Mapping[int, str]] = {
    1: "a card cannot be read",
    2: "more cards were drawn than its game has",
    3: "a button was pressed that was not due",
    4: "a card ran backwards at the exit",
    5: "a card ran backwards midway",
    6: "a card has a code that is none",
    7: "a card was not drawn in time",
}
UNREAD: Final = frozenset({1, 6})
"""Errors which say that an unreadable card left."""
STUCK: Final = 7
"""The error which says that a card is half out."""
_TOP = 0x80


def card(data: bytes) -> str:
    """The card of D, d or R in two characters. Empty if the shoe names none that exists."""
    value = data[1]
    rank, suit = value & 0x0F, SUITS.get(value >> 4 & 0x07)
    if not value & _TOP or suit is None or not 0 < rank < len(RANKS):
        return ""
    return RANKS[rank] + suit


def error(data: bytes) -> int:
    """The code of E or e."""
    return data[0] & 0x3F


def error_text(code: int) -> str:
    return ERRORS.get(code, f"error {code}, which no document names")


def locked(data: bytes) -> bool:
    """Whether L says that the shoe is locked."""
    return bool(data[0] & 1)


def active_error(data: bytes) -> int:
    """The error that was active when d was drawn; 0: none."""
    return data[0] & 0x0F if mode(data) == ERROR_MODE else 0


def mode(data: bytes) -> int:
    """The mode of the shoe when the card was drawn; one of MODES if the documents name it."""
    return data[0] >> 4 & 0x07


def mode_text(data: bytes) -> str:
    """The mode in which d was drawn, in words."""
    return MODES.get(mode(data), f"in mode {mode(data)}")


def describe(message: Message) -> str:
    return _DESCRIPTIONS[message.code](message.data)


def describe_answer(answer: Answer) -> str:
    return "done" if answer.nak is None else f"not done: {NAKS[answer.nak]}"


def preset(data: bytes) -> str:
    """Describes M."""
    text = data.decode("ascii", errors="replace")
    return f"preset {text[:2]!r} is {text[2:]!r} now"


def _face(data: bytes) -> str:
    return card(data) or "a card that it cannot read"


def _drawn(data: bytes) -> str:
    target = TARGETS.get(data[0] >> 4 & 0x07, "nobody")
    return f"{_face(data)} drawn (its own game: {target}, {data[0] & 0x0F})"


def _drawn_outside(data: bytes) -> str:
    code = data[0] & 0x0F
    why = f", {error_text(code)}" if code else ""
    return f"{_face(data)} drawn outside a game, {mode_text(data)}{why}"


def _again(data: bytes) -> str:
    return f"{_face(data)} sent again, or dealt again: the documents disagree"


def _error(data: bytes) -> str:
    mode = " (error mode)" if data[0] & 0x40 else ""
    return f"error {error(data)}{mode}: {error_text(error(data))}"


_DESCRIPTIONS: Final[Mapping[str, Callable[[bytes], str]]] = {
    "S": lambda _: "the shoe starts",
    "P": lambda _: "stand-by between rounds",
    "C": lambda _: "cut card drawn",
    "D": _drawn,
    "d": _drawn_outside,
    "R": _again,
    "G": lambda data: f"result {data[0]:02X} of its own game",
    "E": _error,
    "e": lambda data: f"error {error(data)} cancelled: {error_text(error(data))}",
    "L": lambda data: "locked" if locked(data) else "unlocked",
    "M": preset,
}
