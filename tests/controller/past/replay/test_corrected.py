"""Rounds that were corrected after they had ended: both versions are shown and compared with the rules."""

from pathlib import Path

import pytest

from tests.controller.past.export.exporting import FIRST, SECOND
from tests.controller.past.export.test_corrections import correct
from tests.fixtures.played_journal import played_table, replay, replayed_rounds


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Round 1 is corrected during the betting of round 3, which goes on."""
    with played_table(tmp_path) as at:
        at.play(FIRST)
        at.clear()
        at.play(SECOND)
        at.clear()
        at.play("1:main=500")
        correct(at)
        at.play("close 5h Tc 6s pay")
    return tmp_path


def test_a_round_is_shown_as_it_was_and_as_it_says_since(folder: Path) -> None:
    first, since = replayed_rounds(folder, "1")
    assert (first["corrected"], since["corrected"]) == (False, True)
    assert (first["table"]["net"]["1"], since["table"]["net"]["1"]) == (500, -500)
    assert first["round"]["script"] != since["round"]["script"]
    assert first["agrees"]
    assert since["agrees"], since["differs"]
    assert (first["corrections"], len(since["corrections"])) == ([], 1)


def test_a_corrected_round_is_printed_before_and_after(folder: Path) -> None:
    shown = replay(folder, "1").stdout
    assert "round 1, put right 1970-01-01 00:16 UTC:" in shown
    assert replayed_rounds(folder, "1")[1]["corrections"][0].split(":")[0] in " ".join(shown.split())


def test_the_round_in_which_it_was_said_replays(folder: Path) -> None:
    (third,) = replayed_rounds(folder, "3")
    assert third["agrees"]
    assert "5h 6s = 11" in replay(folder, "3").stdout


def test_rounds_are_counted_once(folder: Path) -> None:
    assert "there are rounds 1 to 3" in replay(folder, "9").stderr
