"""The seats as the dealer sees them, and the seat whose wagers are taken and paid next."""

from dataclasses import dataclass

from controller.monitor.console.card_layout import HIGH, LOW, CardLayout, card_layout
from controller.monitor.console.guidance import seat_to_pay
from controller.table.record.views import SeatView, TableView


@dataclass(frozen=True, slots=True)
class Felt:
    """`due`: the seat to pay now; 0: none. `bank`: as in TableView. `low` and `high`: how the cards lie on
    such a screen."""

    seats: tuple[SeatView, ...]
    bank: int | None
    due: int
    low: CardLayout
    high: CardLayout


def felt(view: TableView) -> Felt:
    due = seat_to_pay(view) or 0
    low, high = (card_layout(view.seats, screen, paying=bool(due)) for screen in (LOW, HIGH))
    return Felt(view.seats, view.bank, due, low, high)
