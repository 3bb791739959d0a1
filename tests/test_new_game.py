"""The code on docs/new-game.md is put where the page says, and the game is played."""

import json
import re
import runpy
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

import pytest

from controller.games import GAMES, open_game
from controller.money import ratio
from controller.odds.dealer import TwentyOne
from controller.odds.simulate import simulate
from controller.pages.contents import overview, parts_of
from controller.round.settle import settle
from tests.contracts.crew_table import CrewTable

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "new-game.md").read_text("utf-8")
FILE = re.compile(r"^### (\S+\.py)\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = dict(FILE.findall(PAGE))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of the page, in their folders."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def game(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The id of the game, which is one of all games during the test."""
    for name in FILES:
        module = name.removesuffix(".py").replace("/", ".")
        spec = spec_from_file_location(module, folder / name)
        assert spec is not None
        assert spec.loader is not None
        made = module_from_spec(spec)
        package, _, last = module.rpartition(".")
        monkeypatch.setitem(sys.modules, module, made)
        monkeypatch.setattr(sys.modules[package], last, made, raising=False)
        spec.loader.exec_module(made)
    made_game = sys.modules["controller.games.push_22"].Push22
    monkeypatch.setitem(GAMES, made_game.name, made_game)
    return str(made_game.name)


def uses() -> list[str]:
    """Python on the page that is not a file."""
    return [text for kind, text in BLOCK.findall(PAGE) if kind == "python" and text not in FILES.values()]


def test_the_files_are_those_that_the_page_lists() -> None:
    assert set(FILES) == {
        "controller/games/bets/twenty_two.py",
        "controller/games/push_22.py",
        "controller/odds/twenty_two.py",
    }
    assert not any((ROOT / name).exists() for name in FILES)


@pytest.mark.parametrize("text", uses())
def test_what_the_page_shows_works(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "shown.py").write_text(text, "utf-8")
    runpy.run_path(str(tmp_path / "shown.py"))
    assert "simulate" not in text or "twenty-two" in capsys.readouterr().out


def test_the_round_of_the_page_is_settled_as_it_says() -> None:
    (row,) = (json.loads(text) for kind, text in BLOCK.findall(PAGE) if kind == "json")
    assert json.loads(json.dumps(settle(json.dumps(row["round"])))) == row["expect"]


@pytest.mark.parametrize(
    ("script", "paid"),
    [
        (["Th", "Td", "8h", "7s", "1:stand"], {"main": 1000, "twenty-two": -100}),
        (["Th", "Td", "8h", "6s", "7h", "6h"], {"main": -1000, "twenty-two": 1100}),
        (["Th", "Ad", "8h", "Ks"], {"main": -1000, "twenty-two": -100}),
        (["6h", "Td", "5h", "6s", "1:double", "Tc", "6d"], {"main": 0, "twenty-two": 1100}),
    ],
)
def test_other_rounds_of_the_new_game_settle_by_its_rules(script: list[str], paid: dict[str, int]) -> None:
    """17 is beaten; bust before a 22; the dealer's natural; a double that a 22 pushes."""
    wagers = {"1": {"main": 1000, "twenty-two": 100}}
    answer = settle(json.dumps({"game": "push-22", "wagers": wagers, "script": script}))
    assert {line["wager"]: line["paid"] for line in answer["settlements"]} == paid


def test_simulated_play_costs_what_the_odds_say() -> None:
    odds: Any = sys.modules["controller.odds.twenty_two"]
    exact = float(odds.twenty_two(TwentyOne(hits_soft_17=True), 6, ratio("11:1")).house_edge)
    tallies = {tally.bet: tally for tally in simulate(open_game("push-22"), 3000, 1, processors=1).tallies}
    assert tallies.keys() == {"main", "twenty-two"}
    assert abs(tallies["twenty-two"].house_edge - exact) < 4 * tallies["twenty-two"].standard_error


def test_a_crew_plays_it_at_a_table(game: str) -> None:
    """Only the game itself knows of it."""
    table = CrewTable(game, Random(1))
    while len(table.settled) < 20:
        assert table.step(), table.prompt
    assert table.wrong == []
    settled = {line["wager"] for answer in table.settled for line in answer["settlements"]}
    assert settled == {"main", "twenty-two"}


def test_a_page_can_be_made(game: str) -> None:
    made = {name: make() for name, make in parts_of(game).items()}
    assert "| `twenty_two_pays` |  | 11:1 |" in made["pays"]
    assert "title: Push 22" in made["states"]
    assert "[Push 22](push-22.md)" in overview()
    assert set(re.findall(r"`(\w+)`", PAGE.split("## The page")[1])) >= made.keys()


@pytest.mark.parametrize("name", FILES)
def test_the_code_is_in_the_style_of_the_project(name: str) -> None:
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--no-cache", "--stdin-filename", name, "-"],
            input=FILES[name],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout


def test_the_tests_that_the_page_names_are_there() -> None:
    named = set(re.findall(r"`(tests/controller/\S+\.py|tests/contracts/\S+\.py)`", PAGE))
    there = {name for name in named if (ROOT / name).exists()}
    assert named - there == {"tests/controller/games/test_push_22.py"}
    assert len(there) >= 5
