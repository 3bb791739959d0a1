"""A game outside the product: begun with `tableside game new`, changed, installed by pip, and played."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from tests.fixtures.plugins import plugin_site

SIDE_BET = '''

class TwentyTwo(SideBet):
    """The dealer ends with exactly 22; it pays 11:1."""

    contract = 1
    spots = ("twenty-two",)

    def __init__(self, chip):
        self.chip = chip

    @classmethod
    def for_game(cls, game, _options):
        return cls(game.options.chip)

    def draws_out(self, layout):
        return any_on(layout, "twenty-two")

    def settle(self, layout):
        total = points.total(layout.dealer)
        for what in wagers_on(layout, "twenty-two"):
            hit = total == 22
            yield win(what, ratio("11:1"), self.chip, "22") if hit else lose(what, f"dealer has {total}")

    def odds(self, game):
        from controller.odds.bet import Bet, lose, win
        from controller.odds.dealer import TwentyOne, dealer_ends, probability
        from controller.odds.shoe import NONE, fresh

        found = dealer_ends(TwentyOne(hits_soft_17=True), fresh(game.options.decks), NONE)
        chance = probability(found, lambda end: end.total == 22)
        yield Bet("twenty-two", (win("22", chance, ratio("11:1")), lose("another total", 1 - chance)))
'''
RULE = """        if theirs == 22:
            return push(what, "dealer has 22")
        return self.compare_totals("""
OPTIONS = json.dumps({"bets": {"twenty-two": {}}})


def tableside(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, [*arguments], input=text, env={"COLUMNS": "120"})


def changed(path: Path, *replaced: tuple[str, str]) -> None:
    text = path.read_text("utf-8")
    for old, new in replaced:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Push Two, as its designer leaves it: a dealer's 22 pushes, and a side bet on it."""
    folder = tmp_path_factory.mktemp("designer") / "push-two"
    made = tableside("game", "new", "push-two", "--folder", str(folder))
    assert made.exit_code == 0, made.output
    assert [Path(line).name for line in made.stdout.splitlines()] == [
        "pyproject.toml",
        "README.md",
        "push_two.py",
        "test_push_two.py",
    ]
    names = "    SideBet,\n    any_on,\n    points,\n    push,\n    ratio,\n    wagers_on,\n    win,\n"
    changed(
        folder / "push_two.py",
        ("        return self.compare_totals(", RULE),
        ("    one_of,\n", f"    one_of,\n{names}"),
    )
    with (folder / "push_two.py").open("a") as file:
        file.write(SIDE_BET)
    with (folder / "pyproject.toml").open("a") as file:
        file.write('\n[project.entry-points."tableside.bets"]\ntwenty-two = "push_two:TwentyTwo"\n')
    quick = '    game = "push-two"\n    rounds = 20\n    simulated_rounds = 400\n'
    changed(folder / "test_push_two.py", ('    game = "push-two"\n', quick))
    with (folder / "test_push_two.py").open("a") as file:
        file.write('\n\nclass TestWithBet(TestPushTwo):\n    options = {"bets": {"twenty-two": {}}}\n')
    return folder


@pytest.fixture(scope="module")
def site(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pip has installed it, away from the product and without a network."""
    site = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    subprocess.run(
        [*pip, "--no-deps", "--no-build-isolation", "--target", str(site), str(folder)], check=True
    )
    return site


@pytest.fixture
def installed(site: Path) -> Iterator[None]:
    with plugin_site(site):
        yield


def ran(site: Path, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *words],
        env={**os.environ, "PYTHONPATH": str(site)},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_tests_of_the_folder_pass_for_the_changed_game(site: Path, folder: Path) -> None:
    done = ran(site, "pytest", "-q", "-p", "no:cacheprovider", cwd=folder)
    assert done.returncode == 0, done.stdout
    assert "19 passed" in done.stdout


@pytest.mark.usefixtures("installed")
def test_the_list_has_game_and_bet_with_their_distribution() -> None:
    result = tableside("game", "list", "--json")
    assert result.exit_code == 0, result.output
    found = [each for each in json.loads(result.stdout) if each["provider"] != "tableside"]
    assert found == [
        {"name": "push-two", "kind": "game", "title": "Push Two", "provider": "push-two 0.1.0", "fault": ""},
        {
            "name": "twenty-two",
            "kind": "side bet",
            "title": "twenty-two",
            "provider": "push-two 0.1.0",
            "fault": "",
        },
    ]
    assert "push-two 0.1.0" in tableside("game", "list").stdout


@pytest.mark.usefixtures("installed")
def test_rounds_settle_by_the_changed_rule() -> None:
    wagers = {"1": {"main": 1000, "twenty-two": 100}}
    script = ["9h", "Td", "9s", "6c", "1:stand", "6s"]
    line = {"game": "push-two", "options": json.loads(OPTIONS), "wagers": wagers, "script": script}
    result = tableside("game", "settle", "--json", text=json.dumps(line))
    paid = {each["wager"]: each["paid"] for each in json.loads(result.stdout)["settlements"]}
    assert paid == {"main": 0, "twenty-two": 1100}


def figures(*arguments: str) -> dict[str, Any]:
    result = tableside("game", *arguments, "--options", OPTIONS, "--json")
    assert result.exit_code == 0, result.output
    return {bet["bet"]: bet["house_edge"] for bet in json.loads(result.stdout)["bets"]}


@pytest.mark.usefixtures("installed")
def test_simulation_and_odds_know_the_bet_of_the_plug_in() -> None:
    exact = figures("odds", "push-two")
    assert f"{exact['twenty-two']:.4%}" == "11.7565%"
    played = figures("simulate", "push-two", "--rounds", "500", "--seed", "1", "--processors", "1")
    assert played.keys() == {"main", "twenty-two"}


def test_a_demonstration_plays_the_game_of_the_plug_in(site: Path, tmp_path: Path) -> None:
    words = ("controller", "demo", "--game", "push-two", "--rounds", "3", "--speed", "max", "--json")
    done = ran(site, *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["rounds"] == 3


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Push", "'Push' is not allowed as the id of a game; allowed: at most 40 small letters, digits and"),
        ("22", "'22' is not allowed as the id of a game"),
        ("a--b", "'a--b' is not allowed as the id of a game"),
        ("a/b", "'a/b' is not allowed as the id of a game"),
        ("x" * 41, "is not allowed as the id of a game"),
        ("easy-jack", "'easy-jack' is taken; allowed: an id other than ez-bust, easy-jack"),
        ("class", "'class' names a module of Python or Tableside; allowed: another id"),
        ("json", "'json' names a module of Python or Tableside; allowed: another id"),
        ("drivers", "'drivers' names a module of Python or Tableside; allowed: another id"),
    ],
)
def test_a_name_that_cannot_be_a_game_is_refused(tmp_path: Path, name: str, said: str) -> None:
    result = tableside("game", "new", name, "--folder", str(tmp_path / "new"))
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "new").exists()


def test_a_folder_that_exists_is_never_written(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("mine")
    result = tableside("game", "new", "copper-jack", "--folder", str(tmp_path))
    assert result.exit_code == 1
    assert f"{tmp_path} exists already; allowed: a folder that does not" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pyproject.toml"]
    assert (tmp_path / "pyproject.toml").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = tableside("game", "new", "copper-jack", "--folder", str(tmp_path / "file" / "new"))
    assert result.exit_code == 1
    assert f"{tmp_path / 'file' / 'new'} cannot be written: Not a directory" in result.stderr
