"""`tableside journal replay`: which rounds it shows, how, and what it says about journals that it cannot
read."""

import json
from pathlib import Path

import pytest

from controller.round.settle import settle
from tests.fixtures.played_journal import (
    CONFIG,
    PlayedTable,
    journal,
    played_table,
    replay,
    replayed_rounds,
    run,
)


def two_rounds(at: PlayedTable) -> None:
    at.play("1:main=500 2:main=700 2:dealer-bust=100 close 5h 7d Tc 6s 2:stand pay")
    at.clear()
    at.play("4:main=0 close Ah Tc pay")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with played_table(tmp_path) as at:
        two_rounds(at)
    return tmp_path


class TestJson:
    def test_script_answer_and_what_the_table_showed(self, folder: Path) -> None:
        first, _ = replayed_rounds(folder)
        assert first["round"] == {
            "id": 1,
            "game": "easy-jack",
            "options": {},
            "wagers": {"1": {"main": 500}, "2": {"main": 700, "dealer-bust": 100}},
            "script": ["5h", "7d", "Tc", "6s", "2:stand"],
        }
        assert first["answer"] == json.loads(json.dumps(settle(json.dumps(first["round"]))))
        assert (first["number"], first["outcome"], first["agrees"]) == (1, "settled", True)
        assert first["table"]["net"] == {"1": 500, "2": -800}
        assert [line["paid"] for line in first["table"]["settlements"]] == [500, -700, -100]
        assert (first["unwritten"], first["differs"], first["supervisor"]) == (None, [], [])

    def test_one_round_is_printed_as_json(self, folder: Path) -> None:
        (second,) = replayed_rounds(folder, "2")
        assert (second["number"], second["round"]["wagers"]) == (2, {"4": {"main": None}})
        assert second["table"]["net"] == {"4": None}

    def test_while_the_table_runs_without_the_round_in_play(self, tmp_path: Path) -> None:
        with played_table(tmp_path) as at:
            two_rounds(at)
            at.clear()
            at.play("1:main=500 close 5h")
            assert [each["number"] for each in replayed_rounds(tmp_path)] == [1, 2]
            at.play("Tc 6s pay")
            assert [each["number"] for each in replayed_rounds(tmp_path)] == [1, 2, 3]


def test_scripts_alone_settle_as_they_are(folder: Path) -> None:
    lines = replay(folder, "--script").stdout.splitlines()
    assert [settle(line)["net"] for line in lines] == [{"1": 500, "2": -800}, {"4": None}]


def test_a_round_is_printed_card_by_card(folder: Path) -> None:
    result = replay(folder, "1")
    assert result.exit_code == 0
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in result.stdout.splitlines()]
    assert [cells[1:] for cells in rows if len(cells) == 4] == [
        ["Place your bets: 3 wagers", "close", "seat 1, main: 5.00"],
        ["", "", "seat 2, main: 7.00"],
        ["", "", "seat 2, dealer-bust: 1.00"],
        ["Deal 3 cards", "5h", "seat 1: 5h = 5"],
        ["Deal 2 cards", "7d", "seat 2: 7d = 7"],
        ["Deal 1 card", "Tc", "dealer: ??"],
        ["Seat 1 has 5: hit or stand", "6s", "seat 1: 5h 6s = 11"],
        ["Seat 2 has 7: hit or stand", "2:stand", "seat 2: 7d = 7, stands"],
        ["", "", "dealer: Tc = 10"],
        ["", "", "the dealer turns Tc"],
        ["", "", "every wager is decided"],
        ["Pay seat 1, then seat 2", "pay", "the round is over"],
    ]
    assert "round 1, 1970-01-01 00:16 UTC: settled" in result.stdout
    assert ["1", "1", "Bet", "5.00", "win", "1:1", "5.00"] in [cells[:7] for cells in rows]
    assert "The rules settle this round the same." in result.stdout


class TestRefused:
    def test_a_round_that_is_not_there(self, folder: Path) -> None:
        result = replay(folder, "3")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"tableside: round 3 is not in {journal(folder)}; there are rounds 1 to 2\n"

    def test_no_round_at_all(self, tmp_path: Path) -> None:
        with played_table(tmp_path):
            assert (replay(tmp_path).exit_code, replay(tmp_path).stdout) == (0, "")
            assert "no round has ended yet" in replay(tmp_path, "1").stderr

    @pytest.mark.parametrize(
        ("arguments", "fault"),
        [
            ([], "no journal is named; allowed: its file, or --config FILE of its table"),
            (["j", "0"], "round '0' is not allowed; allowed: a whole number from 1 on"),
            (["j", "²"], "round '²' is not allowed; allowed: a whole number from 1 on"),
            (["j", "1", "2"], "1 2 is not allowed; allowed: the number of one round"),
            (
                ["j", "--json", "--script"],
                "--script, --json and --speed are not allowed together; allowed: one of",
            ),
            (["--config", "absent.toml"], "absent.toml cannot be read: No such file or directory"),
        ],
    )
    def test_contradictory_options_are_refused(self, arguments: list[str], fault: str) -> None:
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert fault in result.stderr

    def test_a_journal_that_is_not_there_or_none(self, tmp_path: Path) -> None:
        assert f"journal {journal(tmp_path)} is not there" in replay(tmp_path).stderr
        journal(tmp_path).write_text(CONFIG * 20)
        result = replay(tmp_path)
        assert result.exit_code == 1
        assert "damaged or no journal: file is not a database" in result.stderr

    def test_a_broken_journal_after_what_is_whole(self, folder: Path) -> None:
        whole = journal(folder).read_bytes()
        place = whole.rindex(b'"number":2,')
        journal(folder).write_bytes(whole[:place] + b'"number":7,' + whole[place + 11 :])
        result = replay(folder, "--json")
        assert result.exit_code == 1
        assert [json.loads(line)["number"] for line in result.stdout.splitlines()] == [1]
        assert "does not follow from the one before" in result.stderr


def test_the_configuration_names_the_journal(folder: Path) -> None:
    (folder / "table.toml").write_text(CONFIG)
    result = run("--config", str(folder / "table.toml"), "2", "--json")
    assert json.loads(result.stdout)["number"] == 2
    assert run("--config", str(folder / "table.toml"), "x").exit_code == 2
