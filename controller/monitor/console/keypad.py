"""The legal keys of the console, each in its usual place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from controller.monitor.console.guidance import ChipSums, chips, seat_to_pay
from controller.round.keys import KEY_NAMES, WHOLE_TABLE
from controller.table.record.views import AmountView, LegalKeyView, SeatView, TableView

TABLE_KEY_LABELS: Mapping[str, str] = {
    "betting": "No more bets",
    "insuring": "Close insurance",
    "offering": "Close {window}",
    "paying": "All paid",
}
"""By phase: the label of the key for the whole table."""
SHOE_LOADED = "Shoe is loaded"
UNDO = "undo"


@dataclass(frozen=True, slots=True)
class KeyCap:
    """`letter` presses the key on a keyboard. `amount`: the key may come with another amount. `chips`: what
    the dealer has taken and paid when this key is pressed; None: it is another key. `due`: the dealer should
    press this key next."""

    action: str
    seat: int
    label: str
    letter: str
    amount: AmountView | None = None
    chips: ChipSums | None = None
    due: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    seat: int
    keys: tuple[KeyCap, ...]


@dataclass(frozen=True, slots=True)
class Keypad:
    """`hand`: keys for the hand in turn. `columns`: one for each seat in play, none if no key by seat is
    legal. `table`: the key for the whole table. All belong to `round`."""

    round: int
    hand: tuple[KeyCap, ...]
    columns: tuple[Column, ...]
    table: KeyCap | None


def keypad(view: TableView) -> Keypad:
    keys = tuple(_keys(view))
    seated = tuple(key for key in keys if key.seat and KEY_NAMES[key.action].by_seat)
    hand = tuple(key for key in keys if key.seat and not KEY_NAMES[key.action].by_seat)
    columns = tuple(
        Column(seat.seat, tuple(key for key in seated if key.seat == seat.seat))
        for seat in view.seats
        if in_play(seat)
    )
    table = next((key for key in keys if key.seat == WHOLE_TABLE), None)
    return Keypad(view.round, hand, columns if seated else (), table)


def in_play(seat: SeatView) -> bool:
    """Whether the seat has cards or a wager; it stays so until the end of the round."""
    return bool(seat.hands) or any(spot.present for spot in seat.spots)


def undo_is_possible(view: TableView) -> bool:
    """Whether there is a key to undo, and no open request to undo it."""
    return UNDO in view.ruling.choices and all(request.about != UNDO for request in view.requests)


def _keys(view: TableView) -> Iterator[KeyCap]:
    for press in view.presses:
        for seat in press.seats:
            yield _table_key(view, press) if seat == WHOLE_TABLE else _seat_key(view, press, seat)


def _table_key(view: TableView, press: LegalKeyView) -> KeyCap:
    text = TABLE_KEY_LABELS.get(view.phase, "Close") if view.shoe.loaded else SHOE_LOADED
    return KeyCap(press.action, WHOLE_TABLE, text.format(window=view.window), KEY_NAMES[press.action].letter)


def _seat_key(view: TableView, press: LegalKeyView, seat: int) -> KeyCap:
    key = KEY_NAMES[press.action]
    letter = key.by_seat[seat - 1] if key.by_seat else key.letter
    if press.action == "pay":
        sums = chips(view, seat)
        return KeyCap("pay", seat, _pay_label(sums), letter, chips=sums, due=seat == seat_to_pay(view))
    return KeyCap(press.action, seat, key.label, letter, press.amount)


def _pay_label(sums: ChipSums) -> str:
    """What the dealer does at the seat, as the trade says it."""
    acts = [verb for verb, cents in (("Take", sums.take), ("Pay", sums.pay)) if cents != 0]
    return ", ".join(acts).capitalize() or "Push"
