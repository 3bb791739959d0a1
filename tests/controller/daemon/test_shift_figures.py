"""What was wagered in a shift, and what the house kept."""

from dataclasses import replace

from controller.calendar import Calendar
from controller.daemon.shift_figures import ShiftFigures
from controller.property.status import NO_SHIFT, StatusShift
from controller.table.record.notes import RoundEnded
from controller.table.record.views import HandView, LineView, RoundView
from tests.fixtures.state_table import StateTable

HOUR = 3600.0
EARLY, LATE = 6 * HOUR, 14 * HOUR
"""Begins of shifts on the first day of 1970."""
NO_HAND = HandView((), None, "")


def ended(number: int, *lines: tuple[int | None, int | None], outcome: str = "settled") -> RoundEnded:
    settled = tuple(LineView(1, 1, "main", amount, "", None, paid, "") for amount, paid in lines)
    return RoundEnded(RoundView(number, outcome, NO_HAND, (), settled))


class House:
    def __init__(self) -> None:
        self.state = StateTable().state
        self.figures = ShiftFigures(Calendar())

    def end(self, at: float, *lines: tuple[int | None, int | None], outcome: str = "settled") -> None:
        number = len(self.state.ended_rounds) + 1
        self.state.ended_rounds.appendleft(ended(number, *lines, outcome=outcome))
        self.state.shift.round_ends.appendleft(at)

    def at(self, now: float) -> StatusShift:
        return self.figures.at(self.state, now)


def test_wagers_of_the_shift_are_added() -> None:
    house = House()
    assert house.at(EARLY) == NO_SHIFT
    house.end(EARLY, (500, -500), (500, 750), (None, None))
    house.end(EARLY + HOUR, (1000, -1000))
    assert house.at(EARLY + HOUR) == StatusShift(wagered=2000, hold=750)


def test_a_void_round_does_not_count() -> None:
    house = House()
    house.end(EARLY, (500, -500), outcome="void")
    assert house.at(EARLY) == NO_SHIFT


def test_a_new_shift_begins_with_nothing() -> None:
    house = House()
    house.end(LATE - 1, (500, -500))
    assert house.at(LATE - 1).wagered == 500
    assert house.at(LATE) == NO_SHIFT
    house.end(LATE + 1, (300, -300))
    assert house.at(LATE + 1) == StatusShift(wagered=300, hold=300)


def test_a_corrected_round_counts_as_corrected() -> None:
    house = House()
    house.end(EARLY, (500, -500))
    house.end(EARLY, (200, 200))
    assert house.at(EARLY) == StatusShift(wagered=700, hold=300)
    house.state.ended_rounds[1] = replace(ended(1, (500, 500)))
    assert house.at(EARLY) == StatusShift(wagered=700, hold=-700)


def test_a_shift_of_more_rounds_than_the_table_keeps_is_counted_whole() -> None:
    house = House()
    for number in range(120):
        house.state.ended_rounds.appendleft(ended(number, (100, -100)))
        house.state.shift.round_ends.appendleft(EARLY + number)
        total = house.at(EARLY + number)
    assert total == StatusShift(wagered=12_000, hold=12_000)


def test_a_start_counts_the_rounds_that_the_table_still_has() -> None:
    house = House()
    house.end(EARLY - 1, (100, -100))
    house.end(EARLY, (200, -200))
    assert ShiftFigures(Calendar()).at(house.state, EARLY) == StatusShift(wagered=200, hold=200)


async def test_new_shifts_are_counted_whole() -> None:
    kept = {1: (ended(1, (100, -100)), LATE - HOUR), 2: (ended(2, (200, -200)), LATE)}
    house = House()
    house.figures = ShiftFigures(
        Calendar(), lambda since: {n: one for n, one in kept.items() if one[1] >= since}
    )
    house.end(LATE, (100, -100))
    house.end(LATE, (200, -200))
    house.state.shift.round_ends[1] = LATE - HOUR
    assert house.at(LATE).wagered == 200
    await house.figures.use(Calendar(shifts=("06:00",)), LATE)
    assert house.at(LATE) == StatusShift(wagered=300, hold=300)
