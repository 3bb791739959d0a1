"""The command `tableside game optimize`, and charts that commands play by."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from controller.games import open_game
from controller.odds.charts import charts_text

FEW = ("--rounds", "20000", "--seed", "1", "--processors", "1")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["game", *arguments], env={"COLUMNS": "160"})


@pytest.fixture
def bad_chart(tmp_path: Path) -> Path:
    """Easy Jack's, but a single 9 hits."""
    path = tmp_path / "bad.chart"
    text = charts_text(open_game("easy-jack"))
    path.write_text(text.replace("H7+     S", "H7-8    S\nH9      H\nH10+    S"))
    return path


def test_a_better_letter_is_shown_and_exported(bad_chart: Path, tmp_path: Path) -> None:
    better = tmp_path / "better.chart"
    arguments = ("optimize", "easy-jack", *FEW, "--chart", str(bad_chart), "--export", str(better))
    shown = run(*arguments)
    assert shown.exit_code == 0, shown.stderr
    assert "one card" in shown.stdout
    assert "together they gain" in shown.stdout
    assert better.read_text() == charts_text(open_game("easy-jack"))
    assert run("simulate", "easy-jack", *FEW, "--chart", str(better)).exit_code == 0


def test_machines_get_the_same_as_json(bad_chart: Path) -> None:
    found = json.loads(run("optimize", "easy-jack", *FEW, "--chart", str(bad_chart), "--json").stdout)
    (better,) = found["better"]
    assert (better["chart"], better["row"], better["letter"], better["better"]) == (
        "one card",
        "H9",
        "H",
        "S",
    )
    assert better["gain"] > 4 * better["standard_error"] > 0
    assert found["gain"] > 0


def test_a_chart_that_is_the_best_has_no_better_letter() -> None:
    assert "no letter is better beyond chance" in run("optimize", "easy-jack", *FEW).stdout


def test_simulated_players_follow_a_chart(bad_chart: Path) -> None:
    usual, bad = (
        json.loads(run("simulate", "easy-jack", *FEW, *chart, "--json").stdout)["bets"][0]["house_edge"]
        for chart in ((), ("--chart", str(bad_chart)))
    )
    assert bad - usual > 0.02


@pytest.mark.parametrize("command", ["simulate", "optimize"])
def test_a_chart_with_a_hole_is_refused_with_the_cell(command: str, bad_chart: Path) -> None:
    bad_chart.write_text(bad_chart.read_text().replace("H9      H\n", ""))
    result = run(command, "easy-jack", *FEW, "--chart", str(bad_chart))
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"tableside: {bad_chart}: one card, H9: no letter; allowed: H S D d P R r Q"
    ]


def test_the_chart_of_another_game_is_refused(bad_chart: Path) -> None:
    result = run("simulate", "ez-bust", *FEW, "--chart", str(bad_chart))
    assert result.exit_code == 2
    assert "the file begins with 'game easy-jack'; allowed: 'game ez-bust'" in result.stderr


def test_a_chart_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    result = run("simulate", "easy-jack", *FEW, "--chart", str(tmp_path / "none"))
    assert (result.exit_code, "cannot be read" in result.stderr) == (2, True)


def test_a_folder_that_is_not_there_is_no_place_for_a_chart(tmp_path: Path) -> None:
    result = run("optimize", "easy-jack", *FEW, "--export", str(tmp_path / "none" / "chart"))
    assert (result.exit_code, "cannot be written" in result.stderr) == (1, True)


def test_amounts_that_the_tables_do_not_cover_are_refused() -> None:
    limits = '{"limits": {"main": [1000000001, 1000000001]}}'
    result = run("optimize", "easy-jack", *FEW, "--options", limits)
    assert (result.exit_code, "easy-jack cannot be optimized" in result.stderr) == (2, True)
