"""The scripts of docs/notation.md give the answers on the page."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from controller.games import GAMES
from controller.games.bets.insurance import SPOT as INSURANCE
from controller.round.script import SCRIPT_ACTIONS, Script
from controller.round.settle import settle

PAGE = (Path(__file__).parents[3] / "docs" / "notation.md").read_text("utf-8")
EXAMPLES = PAGE.split("\n## Examples\n")[1].split("\n## ")[0]
REFUSED = PAGE.split("\n## What is refused\n")[1]
JSON = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def answered(written: Any) -> Any:
    return json.loads(json.dumps(settle(json.dumps(written))))


def rows(text: str) -> list[list[str]]:
    """The cells of a table without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def examples() -> list[tuple[Any, list[list[str]]]]:
    """Each script, and the lines of the table after it."""
    places = [found.span() for found in JSON.finditer(EXAMPLES)]
    afters = [EXAMPLES[end:begin] for (_, end), (begin, _) in pairwise([*places, (len(EXAMPLES), 0)])]
    return [
        (json.loads(text), rows(after)) for text, after in zip(JSON.findall(EXAMPLES), afters, strict=True)
    ]


def test_the_whole_answer_on_the_page_is_what_settle_gives() -> None:
    written, answer = (json.loads(text) for text in JSON.findall(PAGE)[:2])
    assert answered(written) == answer


@pytest.mark.parametrize(("written", "lines"), examples())
def test_each_example_on_the_page_settles_as_shown(written: Any, lines: list[list[str]]) -> None:
    said = answered(written)["settlements"]
    assert [[json.dumps(cell).strip('"') for cell in line.values()] for line in said] == lines


@pytest.mark.parametrize(
    ("script", "at", "reason"), [row for row in rows(REFUSED) if row[0].startswith("`[")]
)
def test_each_refusal_on_the_page_is_given_as_shown(script: str, at: str, reason: str) -> None:
    tokens = json.loads(script.strip("`"))
    error = answered({"game": "ez-bust", "wagers": {"1": {"main": 1000}}, "script": tokens})["error"]
    assert (error["at"], error["reason"]) == (int(at), reason)
    assert error["token"] == (tokens[int(at)] if int(at) < len(tokens) else None)


def test_the_page_names_all_keys_actions_and_wagers() -> None:
    assert all(f"| `{key}` |" in PAGE for key in get_type_hints(Script) if key in Script.model_fields)
    assert all(f"`{action}`" in PAGE for action in SCRIPT_ACTIONS)
    opened = [game(None) for game in GAMES.values()]
    names = {spot for game in opened for spot in game.spots} | {game.main for game in opened} | {INSURANCE}
    assert all(f"`{name}`" in PAGE for name in names - {"hedge-19", "hedge-20"})
