import pytest

from controller.games.easy_jack import MORE_CARDS, ONE_CARD, EasyJack
from controller.games.strategy import ANY_COLUMN
from controller.money import Ratio
from controller.odds.bet import Bet
from controller.odds.easy_jack import main_bet

THREE_TO_TWO = Ratio(3, 2)
SIX_TO_FIVE = Ratio(6, 5)


def standard(decks: int = 8, *, peek: bool = False) -> Bet:
    return main_bet(decks, THREE_TO_TWO, push_both=True, peek=peek)


def test_the_edge_of_easy_jack_is_the_published_one() -> None:
    assert f"{float(standard().house_edge):.4%}" == "0.9377%"


@pytest.mark.parametrize("decks", [6, 8])
def test_best_play_is_the_games_own_advice(decks: int) -> None:
    for choice in standard(decks).best_play:
        chart = EasyJack.charts[ONE_CARD if len(choice.cards) == 1 else MORE_CARDS]
        letter = chart.rows[f"H{choice.total}"][ANY_COLUMN]
        assert choice.key == {"H": "hit", "S": "stand"}[letter], choice
        assert choice.gains[choice.key] == max(choice.gains.values())


def test_best_play_names_each_first_card_that_can_be_hit() -> None:
    assert {choice.cards for choice in standard().best_play if len(choice.cards) == 1} == set("23456789T")


def test_the_peek_moves_no_money() -> None:
    without, with_peek = standard(), standard(peek=True)
    assert without.house_edge == with_peek.house_edge
    shares = [{one.event: one.probability for one in bet.outcomes} for bet in (without, with_peek)]
    assert shares[0]["bust"] > shares[1]["bust"]
    assert shares[0]["both natural"] == shares[1]["both natural"]


def test_the_edge_with_a_natural_always_paid_is_computed() -> None:
    paid = main_bet(8, SIX_TO_FIVE, push_both=False, peek=False)
    events = {outcome.event: outcome for outcome in paid.outcomes}
    assert events["natural"].pays == "6:5"
    assert float(events["natural"].probability) == pytest.approx(1 / 13, abs=1e-15)
    assert "both natural" not in events
    assert f"{float(paid.house_edge):.4%}" == "2.3835%"
