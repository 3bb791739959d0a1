import pytest

from controller.odds.plot.charts import OWN, PALE, PLOTTED, ShareRow, rows
from controller.odds.plot.svg import LEFT, Titles
from tests.controller.odds.plot.parsed import Shape, filled, words

A = ShareRow("A", {"17": 0.5, "natural": 0.48, "bust": 0.02})
TWO = ShareRow("2", {"17": 0.25, "bust": 0.75})
DRAWN = rows(Titles("title", "subtitle"), "probability", "up-card", [TWO, A])


def parts(colour: str) -> list[Shape]:
    """Of the rows, not of the legend."""
    return filled(DRAWN, "rect", colour)[1:]


def test_parts_are_as_wide_as_their_shares_and_follow_each_other() -> None:
    plain, bust = parts(PALE[0]), parts(OWN["bust"])
    assert [part.number("width") / PLOTTED for part in plain] == pytest.approx([0.25, 0.5], abs=0.001)
    assert plain[0].number("x") == LEFT
    assert bust[0].number("x") == pytest.approx(LEFT + PLOTTED / 4, abs=0.1)
    assert len(parts(OWN["natural"])) == 1


def test_figures_stand_where_there_is_room() -> None:
    assert {"25.0", "75.0", "50.0", "48.0"} <= set(words(DRAWN))
    assert "2.0" not in words(DRAWN)


def test_every_part_and_axis_is_named() -> None:
    named = {"A", "2", "17", "natural", "bust", "up-card", "probability", "title", "subtitle"}
    assert named <= set(words(DRAWN))
