"""Strategy charts as files: written, read, and refused with the cell that is wrong."""

import pytest

from controller.games import GAMES, open_game
from controller.odds.charts import BadChart, charts_text, read_charts
from controller.odds.simulate import simulate


@pytest.mark.parametrize("name", GAMES)
def test_a_chart_that_was_written_is_read_as_it_was(name: str) -> None:
    game = open_game(name)
    found = read_charts(game, charts_text(game))
    assert {part: chart.rows for part, chart in found.items()} == {
        part: chart.rows for part, chart in game.charts.items()
    }


EASY = """
# a note
game easy-jack

one card
        *
H6-     H
H7-10   S

more cards
H5-     H
H6-31   S
"""
EZ = charts_text(open_game("ez-bust"))
NO_BUST = charts_text(open_game("no-bust-21st-century"))


def test_notes_and_rows_that_no_hand_needs_may_be_left_out() -> None:
    assert read_charts(open_game("easy-jack"), EASY)["one card"].rows["H7"]["*"] == "S"


@pytest.mark.parametrize(
    ("game", "text", "old", "new", "fault"),
    [
        ("easy-jack", EZ, "", "", "the file begins with 'game ez-bust'; allowed: 'game easy-jack'"),
        ("easy-jack", "", "", "", "the file begins with nothing; allowed: 'game easy-jack'"),
        ("easy-jack", EASY, "H7-10   S", "", "one card, H10: no letter; allowed: H S D d P R r Q"),
        (
            "easy-jack",
            EASY,
            "H7-10   S",
            "H7-10   X",
            "H7-10 against *: 'X' is not an action; allowed: H S D",
        ),
        ("easy-jack", EASY, "H7-10   S", "H7-10   S S", "H7-10 has 2 letters; allowed: 1, for *"),
        (
            "easy-jack",
            EASY,
            "H7-10   S",
            "H6-10   S",
            "H6 has a row already; allowed: one row",
        ),
        (
            "easy-jack",
            EASY,
            "H7-10   S",
            "Hx   S",
            "'Hx' is not a row; allowed: H, S or P and totals, as H12",
        ),
        ("easy-jack", EASY, "H7-10   S", "H7-10   P", "one card, H7: P is split; allowed here: hit, stand"),
        (
            "easy-jack",
            EASY,
            "one card",
            "two cards",
            "'two cards' is not a part of the chart; allowed: one card, more cards",
        ),
        (
            "ez-bust",
            EZ,
            "H12     H H S S S H H H H H",
            "",
            "every hand, H12 against 7: no letter; allowed: H S D d P R r Q",
        ),
        (
            "ez-bust",
            EZ,
            "H12     H H S S S H H H H H",
            "H12     H H S P S H H H H H",
            "every hand, H12 against 5: P is split; allowed here: hit, stand",
        ),
        (
            "no-bust-21st-century",
            NO_BUST,
            "H8-     H H H H H H H H H H",
            "H8-     H H H H H H d H H H",
            "more cards, H8 against 8: d is double or stand; allowed here: hit",
        ),
    ],
)
def test_a_chart_that_does_not_fit_is_refused_with_the_cell(
    game: str, text: str, old: str, new: str, fault: str
) -> None:
    with pytest.raises(BadChart) as refused:
        read_charts(open_game(game), text.replace(old, new) if old else text)
    assert any(fault in each for each in refused.value.faults), refused.value.faults


def test_both_engines_play_by_another_chart() -> None:
    """Players who hit a 10 lose more."""
    usual, bad = open_game("easy-jack"), open_game("easy-jack")
    bad.charts = read_charts(bad, EASY.replace("H7-10   S", "H7-10   H"))
    for engine in ("kernel", "round"):
        good, worse = (
            simulate(game, 5000, 3, engine=engine, processors=1).tallies[0] for game in (usual, bad)
        )
        assert worse.house_edge - good.house_edge > 0.1
