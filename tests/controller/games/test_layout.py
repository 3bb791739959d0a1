from controller.cards import Card
from controller.games import open_game
from controller.games.layout import Hand, Seat
from controller.round import CardOut, Key, Round, Wager

EIGHT = Hand((Card("8s"),), split=1)
NINE = Hand((Card("9s"),), split=1)


def test_a_seat_gains_and_loses_a_wager() -> None:
    seat = Seat({"main": 100, "ez-bust": 50}, (EIGHT,))
    assert seat.without("ez-bust") == Seat({"main": 100}, (EIGHT,))
    assert seat.without("hedge-18") == seat
    assert seat.wager("insurance", None) == Seat({"main": 100, "ez-bust": 50, "insurance": None}, (EIGHT,))


def test_hands_take_the_place_of_one() -> None:
    seat = Seat({}, (EIGHT, NINE, EIGHT))
    assert seat.put(1, EIGHT, NINE, NINE).hands == (EIGHT, EIGHT, NINE, NINE, EIGHT)
    assert seat.put(0, NINE).hands == (NINE, NINE, EIGHT)
    assert seat.put(2, NINE).hands == (EIGHT, NINE, NINE)


def dealt_out(*cents: int | None) -> dict[int, int | None]:
    """A round of EZ Bust in which these amounts lie on the spot, one after the other; the net."""
    played = Round(open_game("ez-bust"))
    played.handle(Wager(1, "main", True, 1000))
    played.handle(Key("close"))
    for card in ("Ts", "6d", "9c", "Th"):
        played.handle(CardOut(Card(card)))
    for amount in cents:
        played.handle(Wager(1, "ez-bust", amount is not None, amount))
    played.handle(Key("stand", 1))
    played.handle(CardOut(Card("Kc")))
    return dict(played.net)


def test_what_lies_on_an_open_spot_at_last_is_what_counts() -> None:
    """A wager that is taken back while the window is open does not count."""
    assert dealt_out(500) == {1: 1500}
    assert dealt_out(500, None) == {1: 1000}
    assert dealt_out(500, 300) == {1: 1300}
    assert dealt_out(500, None, 200) == {1: 1200}
