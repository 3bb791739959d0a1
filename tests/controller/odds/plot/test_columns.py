import pytest

from controller.odds.plot.columns import BELOW, COLUMN, DOT, ChartColumn, columns, ticks
from controller.odds.plot.svg import Titles
from tests.controller.odds.plot.parsed import filled, words


def drawn(*values: ChartColumn) -> str:
    return columns(Titles("title", "subtitle"), "decks", "house edge", values)


@pytest.mark.parametrize(
    ("shares", "marks"),
    [
        ([0.157], [0, 0.05, 0.1, 0.15, 0.2]),
        ([0.09, -0.03], [-0.04, -0.02, 0, 0.02, 0.04, 0.06, 0.08, 0.1]),
        ([0.01], [0, 0.002, 0.004, 0.006, 0.008, 0.01]),
        ([0.0], [0, 0.002, 0.004, 0.006, 0.008, 0.01]),
    ],
)
def test_ticks_are_round_and_reach_around_everything(shares: list[float], marks: list[float]) -> None:
    assert ticks(shares) == pytest.approx(marks)


def test_columns_are_as_high_as_their_values() -> None:
    one, two = filled(drawn(ChartColumn("1", 0.1), ChartColumn("2", 0.2)), "rect", COLUMN)
    assert two.number("height") == pytest.approx(2 * one.number("height"), abs=0.2)
    feet = [column.number("y") + column.number("height") for column in (one, two)]
    assert feet[0] == pytest.approx(feet[1], abs=0.2)


def test_a_value_below_zero_hangs_from_the_line() -> None:
    found = drawn(ChartColumn("1", 0.1), ChartColumn("2", -0.05))
    (above,), (below,) = filled(found, "rect", COLUMN), filled(found, "rect", BELOW)
    assert below.number("y") == pytest.approx(above.number("y") + above.number("height"), abs=0.2)


def test_values_and_axes_are_written() -> None:
    said = words(drawn(ChartColumn("1", 0.12345), ChartColumn("2", None)))
    assert {"title", "subtitle", "decks", "house edge", "1", "12.345 %", "2", "not offered"} <= set(said)


def test_dots_stand_at_their_shares_with_their_names() -> None:
    found = drawn(ChartColumn("1", 0.1, {"2": 0.2, "3": 0.1}))
    two, three = filled(found, "circle", DOT)
    (column,) = filled(found, "rect", COLUMN)
    assert three.number("cy") == pytest.approx(column.number("y"), abs=0.2)
    assert two.number("cy") < three.number("cy")
    assert two.number("cx") < three.number("cx")
    assert words(found).count("3") == 1
