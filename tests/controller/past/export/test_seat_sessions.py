"""The sessions of seats: when they begin and end, and what is summed up."""

from pathlib import Path

import pytest

from controller.games import open_game
from controller.odds.exact import bets
from tests.controller.past.export.exporting import FIRST, SECOND, export, rows, sheet
from tests.controller.past.export.test_corrections import correct
from tests.fixtures.played_journal import PlayedTable, played_table

ONE = "1:main=500 close 5h 7d Tc pay"
TWO = "2:main=300 close 5h 7d Tc pay"


def play(at: PlayedTable, *played: str) -> None:
    for tokens in played:
        at.play(tokens)
        at.clear()


def sessions(folder: Path, *arguments: str) -> list[tuple[int, int, int, int, bool]]:
    """Seat, first and last round, rounds, and whether it is open."""
    found = rows(folder, "--what", "seats", *arguments)
    return [
        tuple(one[key] for key in ("seat", "first_round", "last_round", "rounds", "open")) for one in found
    ]


def test_sums_of_a_session_are_those_of_its_lines(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        play(at, FIRST, SECOND)
    found = {int(one["seat"]): one for one in rows(tmp_path, "--what", "seats")}
    assert [
        (found[seat]["handle"], found[seat]["side_handle"], found[seat]["won"]) for seat in (1, 2, 4)
    ] == [
        (500, 0, 500),
        (700, 100, -800),
        (0, 0, 0),
    ]
    assert found[4]["unknown"] == 1
    edges = {bet.bet: bet.house_edge for bet in bets(open_game("easy-jack", {"burn_cards": 0}))}
    assert found[2]["theoretical_win"] == round(700 * edges["main"] + 100 * edges["dealer-bust"])
    assert found[2]["rated_handle"] == 800
    assert found[4]["theoretical_win"] is None
    assert found[1]["begun"] <= found[1]["ended"] == found[2]["ended"]


def test_a_seat_that_sits_out_stays_and_one_that_is_left_begins_anew(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        play(at, ONE, TWO, TWO, ONE, TWO, TWO, TWO, ONE)
    assert sessions(tmp_path) == [(1, 1, 4, 2, False), (1, 8, 8, 1, True), (2, 2, 7, 5, True)]
    assert sessions(tmp_path, "--absent", "2") == [
        (1, 1, 1, 1, False),
        (1, 4, 4, 1, False),
        (1, 8, 8, 1, True),
        (2, 2, 7, 5, True),
    ]
    assert sessions(tmp_path, "--to", "4") == [(1, 1, 4, 2, False)]


def test_a_void_round_counts_for_nothing(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        play(at, ONE)
        at.play("1:main=900 close 5h")
        at.supervise("void", why="cards fell down")
    [found] = rows(tmp_path, "--what", "seats")
    assert (found["rounds"], found["handle"], found["last_round"]) == (1, 500, 1)


def test_a_corrected_round_counts_as_corrected(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        play(at, FIRST, SECOND)
        correct(at)
    found = {int(one["seat"]): one for one in rows(tmp_path, "--what", "seats")}
    assert found[1]["won"] == -500


def test_the_sheet_has_the_same_as_the_lines(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        play(at, ONE)
    [line], [found] = sheet(tmp_path, "seats"), rows(tmp_path, "--what", "seats")
    assert (line["handle"], line["average_bet"], line["open"]) == ("5.00", "5.00", "yes")
    assert line.keys() == found.keys()


@pytest.mark.parametrize("what", ["meters", "alerts"])
def test_other_sheets_are_no_json_lines(tmp_path: Path, what: str) -> None:
    with played_table(tmp_path) as at:
        play(at, ONE)
    done = export(tmp_path, "--what", what)
    assert done.exit_code == 2
    assert "allowed with --format csv only" in done.stderr
