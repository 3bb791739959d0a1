"""The crew's own record of a round."""

import pytest

from controller.demo.crew.habits import Bet
from controller.demo.crew.playbook import Step
from controller.demo.crew.played_round import DOWN, DRAW, UP, Place, PlayedRound

BETS = (Bet(5, 0, 500), Bet(2, 0, 1000), Bet(2, 1, 100))


@pytest.mark.parametrize(
    ("deal", "places"),
    [
        (("seats", "dealer down"), [Place(2), Place(5), DOWN]),
        (
            ("seats", "dealer up", "seats", "dealer down"),
            [Place(2), Place(5), UP, Place(2), Place(5), DOWN],
        ),
    ],
)
def test_cards_go_round_by_seat(deal: tuple[Step, ...], places: list[Place]) -> None:
    assert PlayedRound(0, BETS).places(deal) == places


def test_the_up_card_is_the_first_of_the_dealers_whenever_it_came() -> None:
    played = PlayedRound(0, BETS)
    for place, card in ((DOWN, "Kh"), (UP, "6d"), (DRAW, "2c")):
        played.lay(place, card)
    assert (played.dealer, played.up, played.dealt) == (["6d", "Kh", "2c"], "6d", 3)
    assert played.script == ["Kh", "6d", "2c"]


def test_somebody_has_acted_with_a_third_card() -> None:
    played, acted = PlayedRound(0, BETS), []
    for card in ("2h", "3h", "4h"):
        played.lay(Place(2), card)
        acted.append(played.acted)
    assert acted == [False, False, True]


def test_somebody_has_acted_with_a_key_but_for_insurance() -> None:
    played, acted = PlayedRound(0, BETS), []
    for action in ("insurance", "even-money", "stand"):
        played.key(Place(2), action, None)
        acted.append(played.acted)
    assert acted == [False, False, True]


def test_a_split_hand_makes_room_for_the_one_after_it() -> None:
    played = PlayedRound(0, BETS)
    for card in ("8h", "8s"):
        played.lay(Place(2), card)
    played.key(Place(2), "split", None)
    played.lay(Place(2), "8c")
    played.key(Place(2), "split", None)
    played.lay(Place(2, 1), "9c")
    assert played.hands == {2: [["8h"], ["8c", "9c"], ["8s"]]}
    assert list(played.cards(Place(2, 2))) == ["8s"]
    assert list(played.cards(Place(2, 3))) == list(played.cards(Place(5))) == []
