"""Every ended round is kept as a script, and the script settles as the table did."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games import GAMES
from controller.journal.chain import RowContent
from controller.round.settle import settle
from controller.table.record.codec import read_ended, to_row
from controller.table.record.notes import RoundEnded
from controller.table.record.round_script import RoundScript
from controller.table.record.views import LineView
from tests.fixtures.crewed_table import CrewedTable, ended
from tests.fixtures.state_table import StateTable


def script(note: RoundEnded) -> RoundScript:
    assert note.script is not None
    return note.script


@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_the_script_of_any_round_settles_as_the_table_did(game: str, seed: int) -> None:
    note = CrewedTable(game, seed).play_by_chance()
    round_script = script(note)
    if any("=" not in token and token.split(":")[-1] in late(game) for token in round_script.script):
        return  # a late wager of unknown amount: no script can say it
    answer: Any = settle(json.dumps({"id": note.round.number, **plain(round_script)}))
    assert answer.get("phase") == "settled", answer
    lines = [{**line, "rounding": None} | line for line in answer["settlements"]]
    assert [LineView(**{k: line[k] for k in LineView.__slots__}) for line in lines] == [*note.round.lines]


def late(game: str) -> frozenset[str]:
    return GAMES[game](None).late


def plain(round_script: RoundScript) -> dict[str, Any]:
    names = ("game", "options", "wagers", "meters", "script")
    return {name: getattr(round_script, name) for name in names}


def test_a_round_script_comes_back_from_its_row() -> None:
    note = CrewedTable("ez-bust", 1).play_by_chance()
    assert read_ended(to_row(0.0, note)) == note


def test_a_round_of_an_older_version_has_no_script() -> None:
    table = to_row(0.0, CrewedTable("ez-bust", 1).play_by_chance())
    body = json.loads(table.body)
    del body["script"]
    assert read_ended(RowContent(0.0, "round", json.dumps(body))).script is None


class TestTokens:
    def test_of_a_plain_round(self) -> None:
        table = StateTable(burn_cards=1, peek=True)
        table.play("1:main=500 2:main=700 2:dealer-bust=100 3:main=0 close Ks")
        note = ended(table.play("5h 7d 9c Tc 1:hit 6s 2:stand 3:stand pay"))
        assert script(note) == RoundScript(
            "easy-jack",
            {"peek": True},
            {"1": {"main": 500}, "2": {"main": 700, "dealer-bust": 100}, "3": {"main": None}},
            {},
            ("5h", "7d", "9c", "Tc", "1:hit", "6s", "2:stand", "3:stand"),
        )

    def test_wagers_of_a_window_stand_where_it_opened_as_they_were_when_it_closed(self) -> None:
        table = StateTable("ez-bust")
        table.play("1:main=1000 2:main=1000 close 8h 9c 6d 8s 8c Qh")
        table.play("2:ez-bust=300 2:ez-bust= 1:ez-bust=100 1:ez-bust=500")
        table.play("1:split 1:ez-bust=700 Ts 1:double=300 2h Kh 1:stand")
        note = ended(table.play("2:stand 9h pay"))
        assert script(note).script == (
            "8h",
            "9c",
            "6d",
            "8s",
            "8c",
            "Qh",
            "1:ez-bust=500",
            "1:split",
            "1:ez-bust=200",
            "Ts",
            "1:double=300",
            "2h",
            "Kh",
            "1:stand",
            "2:stand",
            "9h",
        )

    def test_wagers_of_a_window_that_waits_stand_before_the_first_hand_acts(self) -> None:
        table = StateTable("quick-pay")
        table.play("1:bet=500 1:surrender-or-play=500 close Th Ts 7d 7h")
        note = ended(table.play("1:hit 2c 1:hedge-18=100 1:stand close pay"))
        assert script(note).script == ("Th", "Ts", "7d", "7h", "1:hedge-18=100", "1:hit", "2c", "1:stand")

    def test_of_a_void_round_are_those_that_came(self) -> None:
        table = StateTable("ez-bust")
        table.play("1:main=1000 close 8h 6d 8s Qh 1:ez-bust=500")
        note = ended(table.apply_choice("void"))
        assert script(note).script == ("8h", "6d", "8s", "Qh", "1:ez-bust=500")
        assert note.round.outcome == "void"
