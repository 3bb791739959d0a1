"""What only some games have: a bank that a seat may hold, and jackpots whose amount is given once betting has
closed."""

import pytest

from controller.cards import Card
from controller.games import open_game
from controller.round import CardOut, EventRefused, Jackpot, Key, Round, Wager


def opened(game: str = "blackjack-x", bank: int = 0) -> Round:
    return Round(open_game(game), seats=3, bank=bank)


def with_blazing(bank: int = 0) -> Round:
    """Seat 1 plays for the jackpot, betting is closed."""
    played = opened(bank=bank)
    played.handle(Wager(1, "main", True, 1000))
    played.handle(Wager(1, "blazing-7s", True, 100))
    played.handle(Key("close"))
    return played


@pytest.mark.parametrize(
    ("game", "bank", "says", "held"),
    [
        ("blackjack-x", 0, "Place your bets. The third party banks", 0),
        ("pure-21-5", 2, "Place your bets. Seat 2 banks", 2),
        ("ez-bust", 0, "Place your bets", None),
    ],
)
def test_the_prompt_names_the_seat_that_banks(game: str, bank: int, says: str, held: int | None) -> None:
    played = opened(game, bank)
    assert (played.due.text, played.bank) == (says, held)


def test_the_seat_that_banks_has_no_wagers() -> None:
    played = opened(bank=2)
    played.handle(Wager(2, "main", True, 1000))
    assert (played.due.text, played.due.seat) == ("Seat 2: main on the seat that banks this round", 2)
    with pytest.raises(EventRefused, match="on the seat that banks this round"):
        played.handle(Key("close"))


def test_no_card_comes_before_the_jackpot_is_known() -> None:
    played = with_blazing()
    assert (played.unknown_jackpots, played.cards_due) == (("blazing-7s",), 0)
    with pytest.raises(EventRefused, match="the jackpot of blazing-7s is not known yet"):
        played.handle(CardOut(Card("7d")))
    played.handle(Jackpot("blazing-7s", 1_000_000))
    assert (played.unknown_jackpots, played.cards_due) == ((), 4)
    played.handle(CardOut(Card("7d")))


def test_shares_follow_from_the_cards_first_dealt_whatever_lies_face_down() -> None:
    played = with_blazing()
    played.handle(Jackpot("blazing-7s", 1_000_000))
    for card in ("7d", "7d"):
        played.handle(CardOut(Card(card)))
        assert (played.dealt, played.shares) == (False, ())
    played.handle(CardOut(Card("7d")))
    (share,) = played.shares
    assert (played.dealt, played.cards_due, share.seat, share.pays, share.paid) == (
        True,
        1,
        1,
        "100%",
        999_900,
    )
    played.handle(CardOut(Card("Ts")))
    assert played.shares == (share,)
    played.handle(Key("stand", 1))
    assert share in played.settlements


def test_a_share_of_a_jackpot_of_several_tables_pays_what_only_their_progressive_knows() -> None:
    played = with_blazing()
    played.handle(Jackpot("blazing-7s", 1_000_000, linked=True))
    for card in ("7d", "7d", "7d"):
        played.handle(CardOut(Card(card)))
    (share,) = played.shares
    assert (share.seat, share.pays, share.paid) == (1, "100%", None)


def test_a_line_without_a_share_is_not_a_jackpot_share() -> None:
    played = with_blazing()
    played.handle(Jackpot("blazing-7s", 1_000_000))
    for card in ("7d", "7h", "7s", "Ts"):
        played.handle(CardOut(Card(card)))
    assert (played.dealt, played.shares) == (True, ())
    assert Round(open_game("easy-jack")).shares == ()


def test_a_jackpot_is_told_once_and_only_then() -> None:
    with pytest.raises(EventRefused, match="right after betting has closed"):
        opened().handle(Jackpot("blazing-7s", 5))
    played = with_blazing()
    played.handle(Jackpot("blazing-7s", 1_000_000))
    with pytest.raises(EventRefused, match="right after betting has closed"):
        played.handle(Jackpot("blazing-7s", 2_000_000))


@pytest.mark.parametrize(
    ("game", "says"),
    [
        ("blackjack-x", "blackjack-x has no jackpot main; it has blazing-7s"),
        ("ez-bust", "ez-bust has no jackpot main"),
    ],
)
def test_a_game_has_only_its_own_jackpots(game: str, says: str) -> None:
    with pytest.raises(EventRefused) as refused:
        opened(game).handle(Jackpot("main", 5))
    assert refused.value.reason == says


@pytest.mark.parametrize("cents", [0, -5])
def test_a_jackpot_is_at_least_a_cent(cents: int) -> None:
    with pytest.raises(ValueError, match="at least one cent"):
        Jackpot("blazing-7s", cents)
