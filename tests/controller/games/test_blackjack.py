from controller.cards import Card
from controller.games import open_game
from controller.games.layout import Hand, Layout, Seat, Turn

COUNTS = {
    "As 6d": "soft 17",
    "As 6d Th": "17",
    "Ts 7d": "17",
    "As Kd": "soft 21",
    "As Ad": "soft 12",
    "Ts 6d 9h": "25",
    "As": "soft 11",
    "5s": "5",
}

ADVICE = {
    # the hand, the dealer's up-card
    ("Ts 6d", "Ts"): "surrender",
    ("Ts 6d", "6s"): "stand",
    ("8s 8d", "Ts"): "split",
    ("5s 6d", "As"): "double",
    ("9s 5d 2h", "Ts"): "hit",
    ("As 7d", "9s"): "hit",
    ("As 7d", "2s"): "double",
    ("Ts 9d", "As"): "stand",
}


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def test_a_hand_is_called_as_a_dealer_calls_it() -> None:
    game = open_game("ez-bust")
    assert {text: game.count(cards(text)) for text in COUNTS} == COUNTS


def test_advice_depends_on_the_up_card() -> None:
    """Whatever the hole card is."""
    game = open_game("ez-bust")
    for hole in ("2h", "Th", "Ah"):
        seen = {
            (held, up): game.advice(
                Layout({4: Seat({"main": 100}, (Hand(), Hand(cards(held), bet=100)))}, Card(up), Card(hole)),
                Turn(4, 1),
            )
            for held, up in ADVICE
        }
        assert seen == ADVICE
