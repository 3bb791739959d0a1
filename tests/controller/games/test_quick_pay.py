from controller.cards import Card
from controller.games import open_game
from controller.games.layout import Hand, Layout, Seat, Turn

STAKE = {"bet": 100, "surrender-or-play": 100}


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def laid(held: str, dealer: str, choice: str = "") -> Layout:
    up, hole, *drawn = cards(dealer)
    return Layout({1: Seat(STAKE, (Hand(cards(held), choice, bet=200),))}, up, hole, tuple(drawn))


APART = {
    # the hand, the dealer's, the choice -> the outcomes of bet and of surrender-or-play
    ("As Kd", "As Td", ""): [("push", "both have a natural"), ("push", "both have a natural")],
    ("As Kd", "9s Td", ""): [("win", "natural"), ("push", "natural")],
    ("Ts Kd", "As Td", ""): [("lose", "dealer has a natural"), ("push", "dealer has a natural")],
    ("Ts 6d", "9s Td", "surrender"): [("push", "surrendered"), ("lose", "surrendered")],
    ("Ts Kd", "9s Td", "quick-pay"): [("win", "Quick Pay"), ("push", "Quick Pay")],
    ("Ts 8d", "9s Td", "quick-pay"): [("push", "Quick Pay"), ("push", "Quick Pay")],
}


def test_main_and_quick_pay_wagers_are_settled_apart() -> None:
    game = open_game("quick-pay")
    seen = {each: [(line.outcome, line.reason) for line in game.settle(laid(*each))] for each in APART}
    assert seen == APART


ADVICE = {
    # the hand, the up-card -> where the dealer hits soft 17, where not
    ("Ts 6d", "As"): ("surrender", "stand"),
    ("Ts Kd", "2s"): ("stand", "quick-pay"),
    ("Ts 8d", "8s"): ("quick-pay", "quick-pay"),
    ("Ts 6d", "6s"): ("stand", "stand"),
    ("8s 8d", "As"): ("surrender", "stand"),
    ("5s 6d", "Ts"): ("double", "double"),
}


def test_good_play_by_the_soft_17_rule() -> None:
    rules = [open_game("quick-pay", {"dealer_hits_soft_17": hits}) for hits in (True, False)]
    seen = {
        (held, up): tuple(game.advice(laid(held, f"{up} 5d"), Turn(1, 0)) for game in rules)
        for held, up in ADVICE
    }
    assert seen == ADVICE


def test_the_window_for_a_hedge_stays_open_until_the_dealer_closes_it() -> None:
    assert open_game("quick-pay").waits
    assert not open_game("ez-bust").waits
