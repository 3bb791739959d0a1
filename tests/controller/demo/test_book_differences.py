"""Where the table's books and the crew's own differ."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from controller.demo.audit import disputes
from controller.demo.crew.habits import Bet
from controller.demo.crew.played_round import DOWN, DRAW, UP, Place, PlayedRound
from controller.demo.settings import Scene
from controller.table.record.notes import RoundEnded
from controller.table.record.views import RoundView
from tests.fixtures.state_table import Told, of

SCENE = Scene(game="ez-bust")
TOKENS = "2:main=1000 close 9h 6d 8c Qh 2:ez-bust=500 2:stand 7h pay"


def ended() -> RoundEnded:
    told = Told("ez-bust")
    (found,) = of(RoundEnded, told.play(TOKENS))
    assert isinstance(found, RoundEnded)
    return found


def played() -> PlayedRound:
    found = PlayedRound(0, (Bet(2, 0, 1000),))
    for place, card in ((Place(2), "9h"), (UP, "6d"), (Place(2), "8c"), (DOWN, "Qh")):
        found.lay(place, card)
    found.place_late(Bet(2, 1, 500), "ez-bust")
    found.key(Place(2), "stand", None)
    found.lay(DRAW, "7h")
    return found


def about(told: list[str]) -> list[str]:
    return [sentence.partition(": ")[0] for sentence in told]


def differing(change: Callable[[RoundView], dict[str, Any]]) -> list[str]:
    table = ended()
    changed = replace(table, round=replace(table.round, **change(table.round)))
    return about(list(disputes(SCENE, [changed], [played()])))


def test_nothing_where_they_say_the_same() -> None:
    assert list(disputes(SCENE, [ended()], [played()])) == []


def test_a_line_that_the_record_settles_otherwise() -> None:
    found = differing(lambda shown: {"lines": (replace(shown.lines[0], paid=999), *shown.lines[1:])})
    assert found == ["round 1, settlement"]


def test_a_gain_that_the_record_settles_otherwise() -> None:
    found = differing(lambda shown: {"seats": tuple(replace(seat, net=7) for seat in shown.seats)})
    assert found == ["round 1, net"]


def test_a_card_in_another_hand() -> None:
    def swapped(shown: RoundView) -> dict[str, Any]:
        seats = (
            replace(seat, hands=tuple(replace(hand, cards=("9h", "8d")) for hand in seat.hands))
            for seat in shown.seats
        )
        return {"seats": tuple(seats)}

    assert differing(swapped) == ["round 1, hands"]


def test_another_card_of_the_dealer() -> None:
    assert differing(lambda shown: {"dealer": replace(shown.dealer, cards=("6d", "Qh", "7s"))}) == [
        "round 1, the dealer's hand"
    ]


def test_a_late_wager_that_the_table_did_not_take() -> None:
    table = ended()
    assert table.script is not None
    fewer = tuple(token for token in table.script.script if "ez-bust" not in token)
    changed = replace(table, script=replace(table.script, script=fewer))
    assert about(list(disputes(SCENE, [changed], [played()]))) == ["round 1, script"]


def test_a_record_that_cannot_be_settled() -> None:
    crew = played()
    crew.script.remove("7h")
    (told,) = disputes(SCENE, [ended()], [crew])
    assert "unfinished" in told


def test_a_round_that_is_void_for_one_of_them() -> None:
    crew = played()
    crew.void = True
    assert list(disputes(SCENE, [ended()], [crew])) == ["round 1 is void for one of them only"]


def test_a_round_that_only_the_crew_played() -> None:
    told = list(disputes(SCENE, [ended()], [played(), played()]))
    assert "the crew played 2 rounds, the table has 1" in told


@pytest.mark.parametrize("before", [1, 3])
def test_the_rounds_of_another_crew_before_are_not_its_own(before: int) -> None:
    assert list(disputes(SCENE, [*[replace(ended(), script=None)] * before, ended()], [played()])) == []
