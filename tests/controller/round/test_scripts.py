"""Rounds worked out by hand from the rules, and rounds settled by another implementation."""

import json
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from controller.games import GAMES
from controller.round.settle import settle

ROUNDS = Path(__file__).parents[2] / "rounds"


def rounds(name: str) -> list[Any]:
    return [json.loads(line) for line in (ROUNDS / name).read_text(encoding="utf-8").splitlines()]


def answered(written: object) -> Any:
    return json.loads(json.dumps(settle(json.dumps(written))))


def mismatch(answer: Any, expect: Any) -> bool:
    """Whether an answer differs from the expected one, which may leave out reasons; an expected error may
    have `says`, words that its reason must contain."""
    said = expect.get("error", {}).pop("says", "")
    if said not in answer.get("error", {}).get("reason", ""):
        return True
    return bool(without_reasons(answer, expect) != expect)


def without_reasons(answer: Any, expect: Any) -> Any:
    """The answer, with reasons only where they are expected."""
    if isinstance(answer, dict):
        kept = {key for key in answer if key != "reason" or key in expect}
        return {key: without_reasons(answer[key], expect.get(key, {})) for key in kept}
    if isinstance(answer, list) and isinstance(expect, list):
        nothing: Any = {}
        return [without_reasons(one, other) for one, other in zip_longest(answer, expect, fillvalue=nothing)]
    return answer


@pytest.mark.parametrize("game", GAMES)
def test_rounds_worked_out_by_hand_settle_as_stated(game: str) -> None:
    """One test a game: guards around each round would cost more than the rounds."""
    kept = rounds(f"{game}.jsonl")
    wrong = [row for row in kept if mismatch(answered(row["round"]), row["expect"])]
    assert wrong == []
    assert len(kept) == len({row["round"]["id"] for row in kept}) >= 60
    assert {row["round"].get("game") for row in kept} >= {game}


def test_rounds_of_another_implementation_settle_alike() -> None:
    """Their reasons are left out; `totals` stands for the hands."""
    for row in rounds("examples.jsonl"):
        if "error" in row["expect"]:
            said = answered(row["round"])["error"]
            assert {"at": said["at"], "token": said["token"]} == row["expect"]["error"], row["round"]["id"]
            continue
        answer = answered(row["round"])
        lines = [{name: line[name] for name in line if name != "reason"} for line in answer["settlements"]]
        totals = {seat: [hand["total"] for hand in held["hands"]] for seat, held in answer["seats"].items()}
        said = {"settlements": lines, "totals": totals, "net": answer["net"], "dealer": answer["dealer"]}
        assert said == row["expect"], row["round"]["id"]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nonsense",
        "{",
        "[[" * 50_000,
        "\xff",
        '{"id": "x"',
        b"\xff\xfe\x00",
        "NaN",
        "-Infinity",
        '{"id": "x", "wagers": {"1": {"main": NaN}}}',
    ],
)
def test_a_line_that_is_not_json_is_refused(line: str | bytes) -> None:
    answer = settle(line)
    assert answer["id"] is None
    assert answer["error"]["at"] is None
    assert answer["error"]["reason"].startswith("the line is not JSON")


@pytest.mark.parametrize("line", ["[]", "1", "null", '"x"', "true"])
def test_a_line_that_is_not_an_object_is_refused(line: str) -> None:
    reason = settle(line)["error"]["reason"]
    assert reason.endswith("is not allowed; allowed: only id, game, options, wagers, script, meters")


def test_what_is_nested_deep_is_refused_like_all_else() -> None:
    """Some depths can be read, but not written back."""
    for depth in range(600, 1000, 2):
        nested = "[" * depth + "]" * depth
        options = f'{{"game": "easy-jack", "wagers": {{}}, "script": [], "options": {{"x": {nested}}}}}'
        for line in (f'{{"id": {nested}}}', f'{{"of": {nested}}}', options):
            assert settle(line)["error"]["at"] is None


def test_an_object_that_says_nothing_names_all_that_is_missing() -> None:
    reason = settle('{"id": 7}')["error"]["reason"]
    assert [part.partition(":")[0] for part in reason.split("; ") if "null is not" in part] == [
        "game",
        "wagers",
        "script",
    ]


@pytest.mark.parametrize("written", ["1e999", "1.5", "[]", "{}", "null"])
def test_an_id_that_is_none_is_not_repeated(written: str) -> None:
    answer = settle(f'{{"id": {written}}}')
    assert answer["id"] is None
    assert "error" in answer


@pytest.mark.parametrize(("digits", "settled"), [(1000, True), (1001, False), (4300, False)])
def test_a_wager_is_no_longer_than_an_answer_can_be(digits: int, settled: bool) -> None:
    wagers = {"1": {"main": 1, "dealer-bust": int("9" * digits)}}
    options = {"dealer_bust": {"2": "999999:1"}}
    written = {"game": "easy-jack", "wagers": wagers, "options": options, "script": ["Ah", "5h", "9h"]}
    assert ("phase" in answered(written)) is settled


def test_faulty_wagers_are_named_together() -> None:
    wagers = {"1": {"buster": 5, "main": 100}, "2": {"main": 100, "hedge-18": None}}
    reason = answered({"game": "easy-jack", "wagers": wagers, "script": []})["error"]["reason"]
    assert "no spot buster" in reason
    assert "no spot hedge-18" in reason
