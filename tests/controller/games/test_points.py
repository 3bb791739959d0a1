from controller.cards import DECK, Card
from controller.games import points

HANDS = {
    # cards: every ace as 1, the total, whether an ace counts 11
    "As": (1, 11, True),
    "Ts": (10, 10, False),
    "As Kd": (11, 21, True),
    "As Ad": (2, 12, True),
    "As 9d": (10, 20, True),
    "As 9d Ah": (11, 21, True),
    "As 9d 2h": (12, 12, False),
    "Ts Ad Kh": (21, 21, False),
    "Ts 9d 3h": (22, 22, False),
    "As Ad Ah Ac": (4, 14, True),
    "5s 6d": (11, 11, False),
    "Js Qd": (20, 20, False),
    "2s 3d 4h 5c 6s 7d 8h": (35, 35, False),
    "": (0, 0, False),
}


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def test_hands_count_to_the_stated_hard_and_soft_totals() -> None:
    seen = {
        text: (points.hard(held), points.total(held), points.soft(held))
        for text, held in ((text, cards(text)) for text in HANDS)
    }
    assert seen == HANDS


def test_every_card_has_its_value() -> None:
    assert [points.VALUES[card] for card in DECK] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10] * 4
    assert {card[0] for card in points.ACES} == {"A"}
    assert {card[0] for card in points.TENS} == set("TJQK")
    assert (len(points.ACES), len(points.TENS)) == (4, 16)


def test_an_ace_with_a_ten_value_is_recognised() -> None:
    two = {
        f"{one} {other}": "A" in (one[0], other[0]) for one in ("As", "Ts", "Jd") for other in ("Qh", "Kc")
    }
    assert {text: points.ace_and_ten(cards(text)) for text in two} == two
    for text in ("As Ad", "As 9d", "9s 2d", "As", "Ts", "As 5d 5h", "As Kd Kh", "Ts Ad Th"):
        assert not points.ace_and_ten(cards(text))


def test_tens_and_faces_are_one_rank_as_up_card() -> None:
    assert "".join(map(points.up_rank, DECK[:13])) == "A23456789TTTT"
