"""Unusual rounds: what is said about them, and that their scripts settle as the table did."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from controller.journal.chain import RowContent
from controller.journal.journal import Journal
from controller.round.settle import settle
from controller.table.record.events import Supervisor
from controller.table.record.rules import Progressive
from tests.fixtures.played_journal import PlayedTable, journal, played_table, replay, replayed_rounds

WINDOWS = [
    # game, options, what happens, the script's tokens
    (
        "quick-pay",
        {},
        "1:bet=500 1:surrender-or-play=500 close Th Ts 7d 7h 1:hit 2c 1:hedge-18=100 1:stand close pay",
        "Th Ts 7d 7h 1:hedge-18=100 1:hit 2c 1:stand",
    ),
    (
        "ez-bust",
        {},
        "1:main=1000 close 8h 6d 8s Qh 1:ez-bust=500 1:split 1:ez-bust=700 Ts 1:stand 2h Kh 1:stand 9h pay",
        "8h 6d 8s Qh 1:ez-bust=500 1:split 1:ez-bust=200 Ts 1:stand 2h Kh 1:stand 9h",
    ),
    (
        "ez-bust",
        {"insurance": True},
        "1:main=1000 2:main=0 close 8h 9h Ah Ts 9s 5c 1:insurance=300 2:insurance 1:stand 2:stand Ks 2s pay",
        "8h 9h Ah Ts 9s 5c 1:insurance=300 2:insurance 1:stand 2:stand Ks 2s",
    ),
]


@pytest.mark.parametrize(("game", "options", "happens", "tokens"), WINDOWS)
def test_wagers_in_windows_are_in_the_script(
    tmp_path: Path, game: str, options: dict[str, Any], happens: str, tokens: str
) -> None:
    with played_table(tmp_path, game, **options) as at:
        at.play(happens)
    (found,) = replayed_rounds(tmp_path)
    assert found["round"]["script"] == tokens.split()
    assert (found["agrees"], found["unwritten"]) == (True, None)
    assert found["answer"]["settlements"][0].keys() >= {"paid", "reason"}


def test_burned_cards_are_no_part_of_the_script(tmp_path: Path) -> None:
    with played_table(tmp_path, burn_cards=2) as at:
        at.play("1:main=500 close 2h 3h Ah Tc pay")
    (found,) = replayed_rounds(tmp_path)
    assert (found["round"]["script"], found["round"]["options"]) == (["Ah", "Tc"], {})
    assert "Burn 2 cards" in replay(tmp_path).stdout


class TestUnknownAmounts:
    def test_in_a_window_no_script_can_say_them_and_yet_they_are_judged(self, tmp_path: Path) -> None:
        with played_table(tmp_path, "ez-bust") as at:
            at.play("1:main=1000 2:main=1000 close 9h Ts 6d 8c 9s Qh 1:ez-bust=0 2:ez-bust=300")
            at.play("1:stand 2:stand 7h pay")
        (found,) = replayed_rounds(tmp_path)
        assert found["agrees"]
        assert found["unwritten"].startswith("1:ez-bust: no script can place a wager of unknown amount")
        late = [line for line in found["answer"]["settlements"] if line["wager"] == "ez-bust"]
        assert [(line["amount"], line["pays"], line["paid"]) for line in late] == [
            (None, "1:1", None),
            (300, "1:1", 300),
        ]
        assert found["answer"]["net"] == found["table"]["net"] == {"1": None, "2": 1300}
        result = replay(tmp_path, "--script")
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr.startswith("tableside: round 1 is left out: 1:ez-bust: no script can place")

    def test_a_push_is_nothing_all_the_same(self, tmp_path: Path) -> None:
        with played_table(tmp_path, "ez-bust") as at:
            at.play("1:main=1000 close Th 6d 8s As 1:ez-bust=0 1:stand 7h 3c pay")
        (found,) = replayed_rounds(tmp_path)
        assert found["agrees"], found["differs"]


SEVENS = "1:main=1000 1:blazing-7s=100 2:main=1000 2:blazing-7s=100 close 7d 7d 7d 7d 7d Ts 1:stand 2:stand"


class TestJackpots:
    def test_are_in_the_script_as_they_were_shown(self, tmp_path: Path) -> None:
        with played_table(tmp_path, "blackjack-x") as at:
            at.play("1:main=1000 1:blazing-7s=100 close 7d 7d 9s Ts 1:stand pay")
        (found,) = replayed_rounds(tmp_path)
        assert found["round"]["meters"] == found["table"]["jackpots"] == {"blazing-7s": 1_000_015}
        assert (found["agrees"], found["unwritten"], found["table"]["bank"]) == (True, None, 0)
        shown = replay(tmp_path).stdout
        assert "jackpot blazing-7s: 10000.00 to 10000.15" in shown
        assert "settled, banked by the third party" in shown

    def test_two_winners_of_all_with_the_usual_seed(self, tmp_path: Path) -> None:
        with played_table(tmp_path, "blackjack-x") as at:
            at.play(f"{SEVENS} pay")
        (found,) = replayed_rounds(tmp_path)
        assert (found["agrees"], found["unwritten"]) == (True, None)

    def test_two_winners_of_all_with_another_seed_are_no_script_but_judged(self, tmp_path: Path) -> None:
        with played_table(tmp_path, "blackjack-x", {"blazing-7s": Progressive(50_000, "15%", "5%")}) as at:
            at.play(f"{SEVENS} pay")
        (found,) = replayed_rounds(tmp_path)
        assert found["agrees"], found["differs"]
        assert found["unwritten"] == (
            "a jackpot began again, blazing-7s with 500.00: no script can say with how much"
        )
        won = [line["paid"] for line in found["answer"]["settlements"] if line["wager"] == "blazing-7s"]
        assert won == [50_030 - 100, 50_000 - 100]


class TestVoid:
    def test_a_round_void_in_the_middle_is_replayed(self, tmp_path: Path) -> None:
        with played_table(tmp_path) as at:
            at.play("1:main=500 2:main=700 close 5h 7d Tc")
            at.supervise("void", why="cards fell down")
        (found,) = replayed_rounds(tmp_path)
        assert (found["outcome"], found["agrees"]) == ("void", True)
        assert found["round"]["script"] == ["5h", "7d", "Tc"]
        assert found["answer"]["error"]["reason"].startswith("unfinished")
        assert {line["outcome"] for line in found["table"]["settlements"]} == {"push"}
        (said,) = found["supervisor"]
        assert said | {"token": ""} == asdict(Supervisor("void", "Ann", "cards fell down", None))
        shown = replay(tmp_path)
        assert "supervisor Ann: void (cards fell down)" in shown.stdout
        assert "The round is void: every wager was given back." in shown.stdout
        assert replay(tmp_path, "--script").stderr.endswith("is left out: the round is void\n")

    def test_before_any_wager_was_latched(self, tmp_path: Path) -> None:
        with played_table(tmp_path) as at:
            at.play("1:main=500")
            at.supervise("void")
        (found,) = replayed_rounds(tmp_path)
        wagers = {"1": {"main": 500}}
        assert (found["outcome"], found["agrees"], found["round"]["wagers"]) == ("void", True, wagers)

    def test_after_it_was_settled(self, tmp_path: Path) -> None:
        with played_table(tmp_path) as at:
            at.play("1:main=500 close Ah Tc")
            at.supervise("void")
        (found,) = replayed_rounds(tmp_path)
        assert found["agrees"]
        assert found["answer"]["net"] == {"1": 750}
        assert found["table"]["net"] == {"1": 0}


class TestDisagreement:
    @pytest.mark.parametrize(
        ("was", "becomes", "differs"),
        [
            ('"paid":500', '"paid":600', "seat 1, hand 1, main: paid 600 at the table, 500 by the rules"),
            ('"pays":"1:1"', '"pays":"2:1"', "seat 1, hand 1, main: pays 2:1 at the table, 1:1 by the rules"),
            ('"wager":"main"', '"wager":"side"', "the table has seat 1, hand 1, side where the rules have"),
            ('"net":500', '"net":600', 'net: the table has {"1": 600}, the rules {"1": 500}'),
            ('"cards":["Tc"', '"cards":["Tc","2h"', 'dealer: the table has {"cards": ["Tc", "2h"], "total"'),
            ('"script":["5h","Tc"', '"script":["5h","5h"', "the dealer"),
            ('"script":["5h","Tc"', '"script":["5h","5x"', "the rules refuse its script at 1 5x: '5x' is "),
            ('"game":"easy-jack"', '"game":"chess"', "the rules refuse its script: 'chess' is not a game"),
            ('"lines":[{', '"lines":[],"old":[{', "seat 1, hand 1, main: only the rules have it"),
        ],
    )
    def test_is_named(self, tmp_path: Path, was: str, becomes: str, differs: str) -> None:
        play(tmp_path)
        rewrite(tmp_path, was, becomes)
        (found,) = replayed_rounds(tmp_path, "1", status=1)
        assert found["agrees"] is False
        assert any(differs in sentence or differs == "the dealer" for sentence in found["differs"])
        result = replay(tmp_path)
        assert result.exit_code == 1
        assert "The rules do not agree:" in result.stdout

    def test_a_void_round_that_took_something(self, tmp_path: Path) -> None:
        with played_table(tmp_path) as at:
            at.play("1:main=500 close 5h Tc")
            at.supervise("void")
        rewrite(tmp_path, '"paid":0', '"paid":-500')
        (found,) = replayed_rounds(tmp_path, status=1)
        assert found["differs"] == [
            "seat 1, hand 1, main: push, paid -500, in a void round; allowed: push, 0"
        ]

    def test_a_void_round_that_forgot_somebody(self, tmp_path: Path) -> None:
        with played_table(tmp_path) as at:
            at.play("1:main=500 close 5h Tc")
            at.supervise("void")
        rewrite(tmp_path, '"lines":[{', '"lines":[],"old":[{')
        assert replayed_rounds(tmp_path, status=1)[0]["differs"][0].startswith(
            "seat 1: no settlement of its wagers"
        )


class TestOlderVersions:
    def test_a_round_without_a_script_gets_it_from_what_happened(self, tmp_path: Path) -> None:
        play(tmp_path)
        rewrite(tmp_path, '"script":{', '"other":{')
        (found,) = replayed_rounds(tmp_path)
        assert found["agrees"]
        assert settle(json.dumps(found["round"]))["net"] == {"1": 500}

    def test_a_round_of_which_nothing_else_is_kept(self, tmp_path: Path) -> None:
        play(tmp_path)
        rewrite(tmp_path, '"script":{', '"other":{', only="round")
        (found,) = replayed_rounds(tmp_path, status=1)
        assert found["differs"] == ["the journal keeps no script of it"]
        assert (found["round"], found["answer"]) == (None, None)
        shown = replay(tmp_path).stdout
        assert "round 1 cannot be replayed: " in shown
        assert "nothing is kept of what came before its end" in shown

    def test_inputs_that_nobody_understands(self, tmp_path: Path) -> None:
        play(tmp_path)
        rewrite(tmp_path, '"card_drawn"', '"card_thrown"')
        (found,) = replayed_rounds(tmp_path)
        assert found["agrees"]
        assert "round 1 cannot be replayed: KeyError('card_thrown')." in replay(tmp_path).stdout

    def test_a_round_that_is_none(self, tmp_path: Path) -> None:
        play(tmp_path)
        rewrite(tmp_path, '"round":{', '"roun":{')
        result = replay(tmp_path)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "of the journal makes no sense as a round" in result.stderr


def play(folder: Path) -> None:
    with played_table(folder) as at:
        at.play("1:main=500 close 5h Tc 6s pay")


def rewrite(folder: Path, was: str, becomes: str, only: str = "") -> None:
    """Changes words in the rows of a journal, properly chained; `only` rows of one kind."""
    with Journal(journal(folder)) as old:
        rows = [entry.content for entry in old.since(0)]
    for file in folder.glob(f"{journal(folder).name}*"):
        file.unlink()
    kept = [
        RowContent(row.at, row.kind, row.body.replace(was, becomes), row.device, row.log, row.number)
        for row in rows
        if only in ("", row.kind)
    ]
    assert [row.body for row in kept] != [row.body for row in rows]
    with Journal(journal(folder)) as new:
        new.append(kept)


@pytest.mark.parametrize("seed", range(6))
def test_rounds_by_chance_across_restarts(tmp_path: Path, seed: int) -> None:
    with played_table(tmp_path) as at:
        for number in range(4):
            for event in at.script.play(at.state, 10 * seed + number):
                at.apply(event)
    with played_table(tmp_path) as again:
        assert isinstance(again, PlayedTable)
    rounds = replayed_rounds(tmp_path)
    assert [found["number"] for found in rounds] == [1, 2, 3, 4]
    assert all(found["agrees"] for found in rounds)
