from itertools import product

import pytest

from controller.cards import DECK, Card
from controller.games.easy_jack import EasyJack
from controller.games.layout import Hand, Layout, Seat, Turn


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def laid(held: str, *dealer: Card, wagers: tuple[str, ...] = ("main",), cents: int | None = 100) -> Layout:
    """One seat's hand, and the dealer's cards."""
    hole, drawn = (dealer[0] if dealer else None), dealer[1:]
    seat = Seat(dict.fromkeys(wagers, cents), (Hand(cards(held), bet=cents),))
    return Layout({1: seat}, hole=hole, drawn=drawn)


@pytest.mark.parametrize(
    ("held", "total", "natural", "bust"),
    [
        ("As", 11, True, False),
        ("5s", 5, False, False),
        ("Ks", 10, False, False),
        ("Ts Ah", 11, False, False),
        ("5s Ah Ad", 7, False, False),
        ("5s 6d", 11, False, False),
        ("6s 6d", 12, False, True),
        ("9s Ah Qd", 20, False, True),
    ],
)
def test_hands_count_to_the_stated_totals(held: str, total: int, natural: bool, bust: bool) -> None:
    game = EasyJack()
    assert (game.total(cards(held)), game.natural(cards(held)), game.bust(cards(held))) == (
        total,
        natural,
        bust,
    )


@pytest.mark.parametrize(
    ("held", "advice"),
    [("6s", "hit"), ("2s 4d", "stand"), ("2s 3d", "hit"), ("7s", "stand"), ("5s Ad", "stand"), ("2s", "hit")],
)
def test_best_play_hits_five_or_less_and_a_one_card_six(held: str, advice: str) -> None:
    assert EasyJack().advice(laid(held), Turn(1, 0)) == advice


def test_the_dealer_draws_to_six_and_never_holds_seven_cards() -> None:
    """Every order of dealer cards by value: a busted hand has 2 to 6 cards."""
    game = EasyJack()
    seen: set[int] = set()
    open_hands: list[tuple[Card, ...]] = [(card,) for card in DECK[:13]]
    while open_hands:
        dealer = open_hands.pop()
        layout = laid("9s", *dealer, wagers=("main", "dealer-bust"))
        if game.dealer_draws(layout):
            open_hands.extend((*dealer, card) for card in DECK[:13])
        elif game.bust(dealer):
            seen.add(len(dealer))
    assert seen == {2, 3, 4, 5, 6}


@pytest.mark.parametrize(
    ("held", "wagers", "draws"),
    [
        ("9s", ("main",), True),
        ("As", ("main",), False),
        ("9s 9d", ("main",), False),
        ("As", ("main", "dealer-bust"), True),
        ("9s 9d", ("main", "dealer-bust"), True),
    ],
)
def test_the_dealer_draws_only_for_a_live_wager(held: str, wagers: tuple[str, ...], draws: bool) -> None:
    layout = laid(held, Card("4s"), wagers=wagers)
    assert EasyJack().dealer_draws(layout) is draws


def test_unknown_amounts_are_live_too() -> None:
    layout = laid("9s 9d", Card("4s"), wagers=("main", "dealer-bust"), cents=None)
    assert EasyJack().dealer_draws(layout)


@pytest.mark.parametrize(("rank", "natural"), list(product("A5", ("3:2", "6:5"))))
def test_a_natural_wins_or_pushes(rank: str, natural: str) -> None:
    layout = laid("As", Card(f"{rank}h"))
    (line,) = EasyJack({"natural": natural}).settle(layout)
    assert line.outcome == ("push" if (rank, natural) == ("A", "3:2") else "win")
