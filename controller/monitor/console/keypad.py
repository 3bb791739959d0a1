"""The legal keys, each in the place where a dealer's finger expects it."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.monitor.console.guidance import chips
from controller.monitor.console.words import DIGITS, LABELS, LETTERS, SHOE_LOADED, TABLE_KEY_LABELS
from controller.table.record.views import AmountView, LegalKeyView, TableView

WHOLE_TABLE = 0
UNDO = "undo"


@dataclass(frozen=True, slots=True)
class KeyCap:
    """One key; `letter` presses it on a keyboard. `amount`: other amounts may come with it."""

    action: str
    seat: int
    label: str
    letter: str
    amount: AmountView | None = None
    pays: bool = False
    """`chips` says what goes to the seat in chips, in cents; None: nobody knows."""
    chips: int | None = None
    due: bool = False
    """It is the one that is due now."""


@dataclass(frozen=True, slots=True)
class Column:
    """The keys of one seat; none is legal where there are none."""

    seat: int
    keys: tuple[KeyCap, ...]


@dataclass(frozen=True, slots=True)
class Keypad:
    """`hand`: keys for the hand whose turn it is. `columns`: keys by seat, one column each, empty while none
    is legal. `table`: the one for the whole table, if it is legal. All show what `round` they are for."""

    round: int
    hand: tuple[KeyCap, ...]
    columns: tuple[Column, ...]
    table: KeyCap | None


def keypad(view: TableView) -> Keypad:
    """What may be pressed now."""
    keys = tuple(_keys(view))
    seated = tuple(key for key in keys if key.seat and key.action in DIGITS)
    hand = tuple(key for key in keys if key.seat and key.action not in DIGITS)
    columns = tuple(
        Column(seat.seat, tuple(key for key in seated if key.seat == seat.seat)) for seat in view.seats
    )
    table = next((key for key in keys if key.seat == WHOLE_TABLE), None)
    return Keypad(view.round, hand, columns if seated else (), table)


def undo_is_possible(view: TableView) -> bool:
    """Whether there is a key to be taken back that nobody has asked for yet."""
    return UNDO in view.ruling.choices and all(request.about != UNDO for request in view.requests)


def _keys(view: TableView) -> Iterator[KeyCap]:
    for press in view.presses:
        for seat in press.seats:
            yield _table_key(view, press) if seat == WHOLE_TABLE else _seat_key(view, press, seat)


def _table_key(view: TableView, press: LegalKeyView) -> KeyCap:
    text = TABLE_KEY_LABELS.get(view.phase, "Close") if view.shoe.loaded else SHOE_LOADED
    return KeyCap(press.action, WHOLE_TABLE, text.format(window=view.window), LETTERS[press.action])


def _seat_key(view: TableView, press: LegalKeyView, seat: int) -> KeyCap:
    digits, pays = DIGITS.get(press.action), press.action == "pay"
    letter = digits[seat - 1] if digits else LETTERS[press.action]
    first = next(one for one in press.seats if one != WHOLE_TABLE)
    return KeyCap(
        press.action, seat, LABELS[press.action], letter, press.amount, pays,
        chips(view, seat) if pays else None, due=pays and seat == first,
    )  # fmt: skip
