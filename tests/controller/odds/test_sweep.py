import pytest

from controller.games import open_game
from controller.odds.sweep import SweepError, sweep, values


@pytest.mark.parametrize(
    ("game", "option", "expected"),
    [
        ("ez-bust", "decks", (1, 2, 4, 6, 8)),
        ("ez-bust", "dealer_hits_soft_17", (False, True)),
        ("ez-bust", "suited_bust", ("auto", "off")),
        ("easy-jack", "natural", ("3:2", "6:5")),
        ("pure-21-5", "buster", ("B1", "B2", "B3", "B4", "B5", "B6", "B7")),
        ("pure-21-5", "decks", (2, 3, 4, 5)),
    ],
)
def test_a_sweep_covers_every_value_of_the_option(
    game: str, option: str, expected: tuple[object, ...]
) -> None:
    assert values(open_game(game), option) == expected


@pytest.mark.parametrize("option", ["chip", "limits", "natural_pays", "hedge", "nonsense"])
def test_what_has_no_list_of_values_is_refused(option: str) -> None:
    with pytest.raises(SweepError, match=f"'{option}' has no list of values.*allowed: decks, "):
        values(open_game("quick-pay"), option)


def test_other_options_stay_as_they_are() -> None:
    stands = {"dealer_hits_soft_17": False}
    swept = sweep(open_game("ez-bust", stands), "decks", "ez-bust")
    assert [one.value for one in swept] == [1, 2, 4, 6, 8]
    direct = sweep(open_game("ez-bust", {**stands, "decks": 4}), "suited_bust", "ez-bust")
    assert swept[2].bets == direct[0].bets
    assert [len(one.bets) for one in swept] == [6] * 5


def test_defaults_follow_the_value() -> None:
    """The Hedge table of one deck is not that of six."""
    one, *_, eight = sweep(open_game("quick-pay"), "decks", "hedge-21")
    pays = [{bet.given["up_card"]: bet.outcomes[0].pays for bet in swept.bets}["A"] for swept in (one, eight)]
    assert pays == ["9:1", "8:1"]


def test_a_value_without_the_bet_has_no_figures() -> None:
    off, on = sweep(open_game("ez-bust"), "insurance", "insurance")
    assert (len(off.bets), len(on.bets)) == (0, 1)


def test_a_bet_that_no_value_offers_is_refused() -> None:
    with pytest.raises(SweepError, match="ez-bust has no bet 'hedge'; allowed: ez-bust, insurance"):
        sweep(open_game("ez-bust"), "decks", "hedge")
