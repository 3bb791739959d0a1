from itertools import permutations

from controller.cards import Card
from controller.games import GAMES, Game, open_game
from controller.games.layout import Hand, Layout, Seat, Turn

TWO = (Card("9h"), Card("8c"))


def wagered(game: str, *seats: Seat) -> list[tuple[int, int, str, int | None]]:
    layout = Layout(dict(enumerate(seats, 3)))
    return [(each.seat, each.hand, each.wager, each.amount) for each in open_game(game).wagered(layout)]


def test_wagers_stand_in_the_order_in_which_they_were_placed() -> None:
    """Wagers on the hand come first; the order never depends on a hash, or a replayed round would differ."""
    for order in permutations(("main", "blazing-7s", "buster", "insurance")):
        named = [
            wager for _, _, wager, _ in wagered("blackjack-x", Seat(dict.fromkeys(order, 100), (Hand(),)))
        ]
        assert named == ["main", *(spot for spot in order if spot != "main")]


def test_wagers_before_the_deal_are_listed_by_spot() -> None:
    """Every seat in the order of its spots, whatever it lacks."""
    assert wagered("blackjack-x", Seat({"buster": 50}), Seat({"buster": None, "main": 100})) == [
        (3, 1, "buster", 50),
        (4, 1, "main", 100),
        (4, 1, "buster", None),
    ]
    assert wagered("quick-pay", Seat({"surrender-or-play": 100, "bet": 100}), Seat({"bet": 100})) == [
        (3, 1, "bet", 100),
        (3, 1, "surrender-or-play", 100),
        (4, 1, "bet", 100),
    ]


def test_wagers_on_hands_are_listed_hand_by_hand() -> None:
    """Each hand with its full bet, then the wagers beside it, those of a split with their hand."""
    hands = (
        Hand(TWO, "double", bet=200, split=1),
        Hand(TWO, bet=100, split=2, wagers={"ez-bust": 25}),
        Hand(TWO, bet=100, split=1, wagers={"ez-bust": None}),
    )
    seat = Seat({"main": 100, "insurance": 50, "ez-bust": 75}, hands)
    assert wagered("ez-bust", seat, Seat({"main": None}, (Hand(TWO, bet=None),))) == [
        (3, 1, "main", 200),
        (3, 2, "main", 100),
        (3, 3, "main", 100),
        (3, 1, "insurance", 50),
        (3, 1, "ez-bust", 75),
        (3, 2, "ez-bust", 25),
        (3, 3, "ez-bust", None),
        (4, 1, "main", None),
    ]


def test_both_wagers_of_quick_pay_stand_apart_until_the_hand_is_played_on() -> None:
    apart, final = ["bet", "surrender-or-play"], ["final"]
    hands = {
        ("", 2, 0): apart,
        ("surrender", 2, 0): apart,
        ("quick-pay", 2, 0): apart,
        ("play", 2, 0): final,
        ("stand", 2, 0): final,
        ("double", 2, 0): final,
        ("", 3, 0): final,
        ("", 2, 1): final,
        ("", 1, 1): final,
    }
    stake = {"bet": 100, "surrender-or-play": 100}
    for (choice, cards, split), wagers in hands.items():
        hand = Hand((*TWO, Card("2d"))[:cards], choice, bet=200, split=split)
        assert [wager for _, _, wager, _ in wagered("quick-pay", Seat(stake, (hand,)))] == wagers
    split_hands = (Hand(TWO, "stand", bet=200, split=1), Hand(TWO, bet=400, split=1))
    assert wagered("quick-pay", Seat(stake | {"hedge-18": 25}, split_hands)) == [
        (3, 1, "final", 200),
        (3, 2, "final", 400),
        (3, 1, "hedge-18", 25),
    ]


def test_each_state_of_a_hand_has_its_label() -> None:
    game = open_game("ez-bust")
    held = {
        ("stand", TWO): "stands",
        ("double", (*TWO, Card("2d"))): "doubled",
        ("surrender", TWO): "surrendered",
        ("", TWO): "",
        ("", (*TWO, Card("5d"))): "bust",
        ("double", (*TWO, Card("5d"))): "bust",
        ("", (Card("As"), Card("Kd"))): "natural",
        ("even-money", TWO): "even money",
        ("quick-pay", TWO): "quick pay",
        ("play", TWO): "",
    }
    assert {(choice, cards): game.label(Hand(cards, choice)) for choice, cards in held} == held


def test_each_game_has_the_windows_of_its_rules() -> None:
    assert {name: set(open_game(name).windows) for name in GAMES} == {
        "ez-bust": {"insuring", "offering"},
        "easy-jack": set(),
        "no-bust-21st-century": {"insuring"},
        "pure-21-5": {"insuring"},
        "quick-pay": {"offering"},
        "blackjack-x": {"insuring"},
    }
    assert not open_game("ez-bust", {"insurance": False}).windows - {"offering"}
    assert open_game("ez-bust", {"insurance": False, "even_money": True}).windows >= {"insuring"}


def test_a_split_opens_no_window_where_no_wager_is_placed_at_it() -> None:
    split = (Hand(TWO[:1], bet=100, split=1), Hand(TWO[1:], bet=100, split=1))
    layout = Layout({1: Seat({"main": 100}, split)}, up=Card("6s"), hole=Card("Td"))
    opened = {name: open_game(name).invites_after_split(layout, Turn(1, 0)) for name in GAMES}
    assert opened.pop("ez-bust") == {1: {"ez-bust"}}
    assert set(map(len, opened.values())) == {0}


def test_a_game_that_plays_by_no_chart_names_no_place_on_one() -> None:
    game = open_game("easy-jack")
    assert Game.charted_at(game, Layout(), Turn(1, 0)) is None
