"""Windows for side wagers: how they are told, and whose the wagers are."""

from controller.games import open_game
from controller.round import Key, Round, Wager
from controller.round.script import event


def at(game: str, wagers: dict[int, tuple[str, ...]], tokens: str) -> Round:
    """A round of which so much is played, each wager for 10.00."""
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
    assert played.due.text == "EZ Bust open: seats 1-2. Seat 1 has 16: double, hit, split, stand or surrender"
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
        ("final", 1, 0), ("final", 2, 0), ("hedge-18", 1, 1800),
    ]  # fmt: skip


def test_it_is_closed_before_the_dealer_turns_the_hole_card() -> None:
    played = quick_pay()
    go_on(played, "1:stand")
    assert (played.due.text, played.cards_due) == ("Hedge open: seat 1. Close when done", 0)
    go_on(played, "close")
    assert (played.phase, played.due.text) == ("drawing", "Dealer has 15: draw")
