"""The crew's own record of a round."""

import pytest

from controller.demo.crew.habits import PlacedBet
from controller.demo.crew.playbook import DealStep
from controller.demo.crew.played_round import DOWN, DRAW, UP, HandPosition, PlayedRound

BETS = (PlacedBet(5, 0, 500), PlacedBet(2, 0, 1000), PlacedBet(2, 1, 100))


@pytest.mark.parametrize(
    ("deal", "places"),
    [
        (("seats", "dealer down"), [HandPosition(2), HandPosition(5), DOWN]),
        (
            ("seats", "dealer up", "seats", "dealer down"),
            [HandPosition(2), HandPosition(5), UP, HandPosition(2), HandPosition(5), DOWN],
        ),
    ],
)
def test_cards_go_round_by_seat(deal: tuple[DealStep, ...], places: list[HandPosition]) -> None:
    assert PlayedRound(0, BETS).deal_positions(deal) == places


def test_the_up_card_is_the_first_of_the_dealers_whenever_it_came() -> None:
    played = PlayedRound(0, BETS)
    for place, card in ((DOWN, "Kh"), (UP, "6d"), (DRAW, "2c")):
        played.add_card(place, card)
    assert (played.dealer, played.up, played.cards_out) == (["6d", "Kh", "2c"], "6d", 3)
    assert played.script == ["Kh", "6d", "2c"]


def test_somebody_has_acted_with_a_third_card() -> None:
    played, acted = PlayedRound(0, BETS), []
    for card in ("2h", "3h", "4h"):
        played.add_card(HandPosition(2), card)
        acted.append(played.acted)
    assert acted == [False, False, True]


def test_somebody_has_acted_with_a_key_but_for_insurance() -> None:
    played, acted = PlayedRound(0, BETS), []
    for action in ("insurance", "even-money", "stand"):
        played.add_key(HandPosition(2), action, None)
        acted.append(played.acted)
    assert acted == [False, False, True]


def test_a_split_hand_makes_room_for_the_one_after_it() -> None:
    played = PlayedRound(0, BETS)
    for card in ("8h", "8s"):
        played.add_card(HandPosition(2), card)
    played.add_key(HandPosition(2), "split", None)
    played.add_card(HandPosition(2), "8c")
    played.add_key(HandPosition(2), "split", None)
    played.add_card(HandPosition(2, 1), "9c")
    assert played.hands == {2: [["8h"], ["8c", "9c"], ["8s"]]}
    assert list(played.cards(HandPosition(2, 2))) == ["8s"]
    assert list(played.cards(HandPosition(2, 3))) == list(played.cards(HandPosition(5))) == []
