"""Windows for side wagers: how they are announced, and to which hand a wager belongs."""

from controller.games import open_game
from controller.round import Jackpot, Key, Round, Wager, WagerAlert
from controller.round.script import event


def at(game: str, wagers: dict[int, tuple[str, ...]], tokens: str) -> Round:
    """A round after these tokens, each wager for 10.00."""
    played = Round(open_game(game))
    for seat, spots in wagers.items():
        for spot in spots:
            played.handle(Wager(seat, spot, True, 1000))
    played.handle(Key("close"))
    go_on(played, tokens)
    return played


def go_on(played: Round, tokens: str) -> None:
    for word in tokens.split():
        played.handle(Key("close") if word == "close" else event(word, played.game))


def quick_pay() -> Round:
    return at("quick-pay", {1: ("bet", "surrender-or-play")}, "8h 5c 8d Th")


def test_the_prompt_counts_the_wagers_that_are_seen() -> None:
    played = at("ez-bust", {1: ("main",), 2: ("main",)}, "8h 9c 5c 8d 9h Th")
    assert played.due.text == "EZ Bust open: seats 1-2. Seat 1 has 16: hit, stand, double, split or surrender"
    go_on(played, "2:ez-bust=500")
    assert played.due.text.startswith("EZ Bust open: seats 1-2 (1 placed). Seat 1 has 16: ")
    go_on(played, "1:split")
    assert played.due.text == "EZ Bust open: seat 1. Seat 1 hand 1 has 8 and is split: draw a card"
    go_on(played, "1:ez-bust=500")
    assert played.due.text.startswith("EZ Bust open: seat 1 (1 placed). ")


def test_a_wager_in_a_window_that_waits_is_the_seats_after_a_split_too() -> None:
    played = quick_pay()
    go_on(played, "1:split 1:hedge-18=300 Tc 1:stand Td 1:stand close 3d")
    assert played.phase == "paying"
    assert [(line.wager, line.hand, line.paid) for line in played.settlements] == [
        ("final", 1, 0),
        ("final", 2, 0),
        ("hedge-18", 1, 1800),
    ]


def test_the_window_closes_before_the_hole_card_is_turned() -> None:
    played = quick_pay()
    go_on(played, "1:stand")
    assert (played.due.text, played.cards_due) == ("Hedge open: seat 1. Close when done", 0)
    go_on(played, "close")
    assert (played.phase, played.due.text) == ("drawing", "Dealer has 15: draw")


class TestOneSpotForTheWagersOfSeveralHands:
    """A sensor sees all chips on a spot: what is more than before the split belongs to the new hand."""

    def split(self) -> Round:
        """Seat 1 has an EZ Bust wager of 5.00 and splits."""
        return at("ez-bust", {1: ("main",)}, "8h 5c 8d Th 1:ez-bust=500 1:split")

    def seen(self, played: Round, cents: int | None, *, present: bool = True) -> list[str]:
        said = played.handle(Wager(1, "ez-bust", present, cents))
        return [command.text for command in said if isinstance(command, WagerAlert)]

    def new_hand(self, played: Round) -> dict[str, int | None]:
        return dict(played.seats[1].hands[1].wagers)

    def test_what_is_added_is_the_new_hands(self) -> None:
        played = self.split()
        assert self.seen(played, 800) == []
        assert self.new_hand(played) == {"ez-bust": 300}
        assert played.seats[1].wagers["ez-bust"] == 500
        assert self.seen(played, 900) == []
        assert (self.new_hand(played), played.standing(1, "ez-bust")) == ({"ez-bust": 400}, 900)

    def test_what_is_taken_back_is_no_wager_any_more(self) -> None:
        played = self.split()
        self.seen(played, 800)
        assert self.seen(played, 500) == []
        assert self.new_hand(played) == {}

    def test_what_stood_before_is_latched(self) -> None:
        played = self.split()
        self.seen(played, 800)
        assert self.seen(played, 400) == ["seat 1: an ez-bust wager changed after betting closed"]
        assert self.seen(played, None, present=False) == [
            "seat 1: an ez-bust wager vanished after betting closed"
        ]
        assert (self.new_hand(played), played.seats[1].wagers["ez-bust"]) == ({}, 500)

    def test_an_amount_that_may_not_stand_is_none(self) -> None:
        played = Round(open_game("ez-bust", {"max": 600}))
        played.handle(Wager(1, "main", True, 1000))
        played.handle(Key("close"))
        go_on(played, "8h 5c 8d Th 1:ez-bust=500 1:split")
        assert self.seen(played, 1200) == ["seat 1: an ez-bust wager of 7.00 is over the maximum of 6.00"]
        assert self.new_hand(played) == {}

    def test_chips_that_cannot_be_read_are_a_wager_of_unknown_amount(self) -> None:
        played = self.split()
        assert self.seen(played, None) == []
        assert (self.new_hand(played), played.standing(1, "ez-bust")) == ({"ez-bust": None}, None)


def test_a_jackpot_may_come_with_the_seed_that_follows_it() -> None:
    """Seat 2 wins all of it, and seat 1 a tenth of the seed that follows."""
    awards = {
        "777 diamonds": "100%",
        "777 suited": "10%",
        "777 one colour": "500 for 1",
        "777": "10%",
        "two 7s": "25 for 1",
        "one 7": "2 for 1",
    }
    played = Round(open_game("blackjack-x", {"blazing_7s": awards}))
    for seat in (1, 2):
        played.handle(Wager(seat, "main", True, 1000))
        played.handle(Wager(seat, "blazing-7s", True, 100))
    played.handle(Key("close"))
    played.handle(Jackpot("blazing-7s", 3_000_000, seed=500_000))
    go_on(played, "7d 7d 7d 7s 7d Th 1:stand 2:stand")
    paid = [(line.seat, line.pays, line.paid) for line in played.settlements if line.wager == "blazing-7s"]
    assert paid == [(2, "100%", 2_999_900), (1, "10%", 49_900)]
