"""The code on docs/plugins.md is installed as it stands there, and played."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller import games
from controller.odds.simulate import simulate
from controller.round.settle import settle
from tests.fixtures.plugins import lay_out, plugin_site

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "plugins.md").read_text("utf-8")
COPPER, THREE_UP = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r'^\[project\.entry-points\."([\w.]+)"\]\n([\w-]+) = "(\w+):(\w+)"$', re.MULTILINE)
CODE = {"copper_jack": COPPER, "three_up": THREE_UP}
BETS = {"bets": {"three-up": {"pays": "5:2"}}}


@pytest.fixture(autouse=True)
def installed(tmp_path: Path) -> Iterator[None]:
    for group, name, module, kind in ENTRY.findall(PAGE):
        lay_out(tmp_path, module.replace("_", "-"), {group: {name: f"{module}:{kind}"}}, CODE[module])
    with plugin_site(tmp_path):
        yield


def paid(script: list[str]) -> dict[str, int]:
    line = {"game": "copper-jack", "options": BETS, "wagers": {"1": {"main": 500, "three-up": 100}}}
    answer = settle(json.dumps({**line, "script": script}))
    return {each["wager"]: each["paid"] for each in answer["settlements"]}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (["Th", "Td", "1:stand"], {"main": 500, "three-up": -100}),
        (["7h", "7d", "1:stand"], {"main": 0, "three-up": -100}),
        (["9h", "2d", "1:stand", "3s", "6c"], {"main": -500, "three-up": 250}),
    ],
)
def test_game_and_side_bet_of_the_page_settle_by_their_rules(
    script: list[str], expected: dict[str, int]
) -> None:
    """A tie of 10 wins and one of 7 does not; three cards of the dealer pay."""
    assert paid(script) == expected


def test_a_bet_of_the_page_is_simulated_with_the_game() -> None:
    opened = games.open_game("copper-jack", BETS)
    tallies = {tally.bet: tally for tally in simulate(opened, 300, 1, processors=1).tallies}
    assert tallies.keys() == {"main", "dealer-bust", "three-up"}
    assert set(tallies["three-up"].results) == {"5:2", "lose"}


def test_the_page_names_all_that_a_plug_in_imports() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE.split("## A side bet for any game")[0].split("| to build")[1]))
    about_plugins = {"CONTRACT", "GAMES", "BrokenGame", "UnknownGame", "PluginError", "OptionFault"}
    registry = {"game_class", "game_names", "open_game", "providers"}
    assert set(games.__all__) == named | about_plugins | registry


@pytest.mark.parametrize("text", CODE.values(), ids=CODE)
def test_code_of_the_page_is_in_the_style_of_the_project(text: str) -> None:
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--no-cache", "--stdin-filename", "tests/x.py", "-"],
            input=text,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
