"""Differences between the table's books and the crew's record."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from controller.demo.audit import disputes
from controller.demo.crew.habits import PlacedBet
from controller.demo.crew.played_round import DOWN, DRAW, UP, HandPosition, PlayedRound
from controller.demo.settings import DemoSettings
from controller.table.record.notes import RoundEnded
from controller.table.record.views import RoundView
from tests.fixtures.state_table import StateTable, of_kind

SCENE = DemoSettings(game="ez-bust")
TOKENS = "2:main=1000 close 9h 6d 8c Qh 2:ez-bust=500 2:stand 7h pay"


def ended() -> RoundEnded:
    table = StateTable("ez-bust")
    (found,) = of_kind(RoundEnded, table.play(TOKENS))
    assert isinstance(found, RoundEnded)
    return found


def played() -> PlayedRound:
    found = PlayedRound(0, (PlacedBet(2, 0, 1000),))
    for place, card in ((HandPosition(2), "9h"), (UP, "6d"), (HandPosition(2), "8c"), (DOWN, "Qh")):
        found.add_card(place, card)
    found.add_late_bet(PlacedBet(2, 1, 500), "ez-bust")
    found.add_key(HandPosition(2), "stand", None)
    found.add_card(DRAW, "7h")
    return found


def about(sentences: list[str]) -> list[str]:
    return [sentence.partition(": ")[0] for sentence in sentences]


def differing(change: Callable[[RoundView], dict[str, Any]]) -> list[str]:
    table = ended()
    changed = replace(table, round=replace(table.round, **change(table.round)))
    return about(list(disputes(SCENE, [changed], [played()])))


def test_equal_books_have_no_difference() -> None:
    assert list(disputes(SCENE, [ended()], [played()])) == []


def test_a_line_that_the_record_settles_otherwise_is_a_difference() -> None:
    found = differing(lambda shown: {"lines": (replace(shown.lines[0], paid=999), *shown.lines[1:])})
    assert found == ["round 1, settlement"]


def test_a_gain_that_the_record_settles_otherwise_is_a_difference() -> None:
    found = differing(lambda shown: {"seats": tuple(replace(seat, net=7) for seat in shown.seats)})
    assert found == ["round 1, net"]


def test_a_card_in_another_hand_is_a_difference() -> None:
    def swapped(shown: RoundView) -> dict[str, Any]:
        seats = (
            replace(seat, hands=tuple(replace(hand, cards=("9h", "8d")) for hand in seat.hands))
            for seat in shown.seats
        )
        return {"seats": tuple(seats)}

    assert differing(swapped) == ["round 1, hands"]


def test_another_dealer_card_is_a_difference() -> None:
    assert differing(lambda shown: {"dealer": replace(shown.dealer, cards=("6d", "Qh", "7s"))}) == [
        "round 1, the dealer's hand"
    ]


def test_a_late_wager_that_the_table_did_not_take_is_a_difference() -> None:
    table = ended()
    assert table.script is not None
    fewer = tuple(token for token in table.script.script if "ez-bust" not in token)
    changed = replace(table, script=replace(table.script, script=fewer))
    assert about(list(disputes(SCENE, [changed], [played()]))) == ["round 1, script"]


def test_a_record_that_cannot_be_settled_is_a_difference() -> None:
    crew = played()
    crew.script.remove("7h")
    (sentence,) = disputes(SCENE, [ended()], [crew])
    assert "unfinished" in sentence


def test_a_round_that_is_void_on_one_side_is_a_difference() -> None:
    crew = played()
    crew.void = True
    assert list(disputes(SCENE, [ended()], [crew])) == ["round 1 is void for one of them only"]


def test_a_round_that_only_the_crew_played_is_a_difference() -> None:
    sentences = list(disputes(SCENE, [ended()], [played(), played()]))
    assert "the crew played 2 rounds, the table has 1" in sentences


@pytest.mark.parametrize("before", [1, 3])
def test_the_rounds_of_another_crew_before_are_not_its_own(before: int) -> None:
    assert list(disputes(SCENE, [*[replace(ended(), script=None)] * before, ended()], [played()])) == []
