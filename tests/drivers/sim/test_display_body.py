import pytest

from drivers.messages import Celebrate, Level, Text
from drivers.sim.jackpot_display import DisplayBody
from tests.drivers.sim.bench import Bench, run


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def display(bench: Bench) -> DisplayBody:
    display = DisplayBody(bench)
    display.arm(0.0)
    display.command(Level(1, 12345, 0), 0.0)
    display.command(Text(0, "Seat 3 wins"), 0.0)
    return display


SHOWN = {"levels": {"1": [12345, "runs"]}, "lines": {"0": "Seat 3 wins"}}


def last(bench: Bench) -> dict[str, object]:
    return dict(bench.said("display")[-1])


def test_the_display_shows_levels_and_lines(bench: Bench, display: DisplayBody) -> None:
    assert display.armed
    assert last(bench) == {"notice": "display", **SHOWN, "celebrated": None, "lost": False}


def test_a_celebration_ends_after_its_seconds(bench: Bench, display: DisplayBody) -> None:
    display.command(Celebrate(1, 99, 5), 10.0)
    run(display, 10.0, 14.9)
    assert last(bench)["celebrated"] == (1, 99)
    run(display, 14.9, 15.0)
    assert last(bench)["celebrated"] is None


def test_a_display_without_a_host_keeps_and_marks_its_values(bench: Bench, display: DisplayBody) -> None:
    display.safe(1.0)
    assert last(bench) == {"notice": "display", **SHOWN, "celebrated": None, "lost": True}
    display.arm(2.0)
    assert last(bench)["lost"] is False


def test_a_display_without_power_is_blank(bench: Bench, display: DisplayBody) -> None:
    display.power_off(1.0)
    assert last(bench) == {"notice": "display", "levels": {}, "lines": {}, "celebrated": None, "lost": True}
