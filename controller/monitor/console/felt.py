"""The seats as the dealer sees them, and the seat whose wagers are taken and paid next."""

from dataclasses import dataclass

from controller.monitor.console.guidance import seat_to_pay
from controller.table.record.views import SeatView, TableView


@dataclass(frozen=True, slots=True)
class Felt:
    """`due`: the seat to pay now; 0: none. `bank`: as in TableView."""

    seats: tuple[SeatView, ...]
    bank: int | None
    due: int


def felt(view: TableView) -> Felt:
    return Felt(view.seats, view.bank, seat_to_pay(view) or 0)
