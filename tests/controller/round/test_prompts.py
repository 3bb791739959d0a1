"""Every prompt of the console: its text, and the record that is read back from the text."""

from itertools import combinations

import pytest

from controller.round.prompts import (
    TEMPLATES,
    BurnCards,
    CloseWindow,
    DealCards,
    DealerDraws,
    DrawCard,
    FixBets,
    OfferInsurance,
    OpenWindow,
    PaySeat,
    Peek,
    PlaceBets,
    PlayHand,
    Prompt,
    RoundOver,
    RoundVoid,
    parse,
    text,
)

HAND = PlayHand(3, 2, "soft 17", "hit, stand or double")

PROMPTS: dict[str, Prompt] = {
    "Place your bets": PlaceBets(),
    "Place your bets: 1 wager": PlaceBets(1),
    "Place your bets: 3 wagers. Seat 5 banks": PlaceBets(3, 5),
    "Place your bets. The third party banks": PlaceBets(None, 0),
    "Seat 3: main of 2.50 is under the minimum of 5.00": FixBets(
        3, "main of 2.50 is under the minimum of 5.00"
    ),
    "Burn 1 card": BurnCards(1),
    "Deal 12 cards": DealCards(12),
    "Insurance: seats 1-3, 5. Close when done": OfferInsurance((1, 2, 3, 5)),
    "Even money: seat 2. Close when done": OfferInsurance(None, (2,)),
    "Insurance: seat 1. Even money: seat 2. Close when done": OfferInsurance((1,), (2,)),
    "Close when done": CloseWindow(),
    "Look at the hole card": Peek(),
    "Seat 3 hand 2 has soft 17: hit, stand or double": HAND,
    "No natural. Seat 3 has 12: hit or stand": PlayHand(3, None, "12", "hit or stand", True),
    "Seat 3 hand 2 has 8 and is split: draw a card": DrawCard(3, 2, "8", "is split"),
    "No natural. Seat 3 has 11 and doubles: draw a card": DrawCard(3, None, "11", "doubles", True),
    "EZ Bust open: seats 1-2. Close when done": OpenWindow("EZ Bust", (1, 2), None, CloseWindow()),
    "Hedge open: seat 3 (2 placed). Seat 3 hand 2 has soft 17: hit, stand or double": OpenWindow(
        "Hedge", (3,), 2, HAND
    ),
    "Dealer has soft 12: draw": DealerDraws("soft 12"),
    "Pay seat 2": PaySeat(2),
    "Pay seat 2, then seats 3-4, 6": PaySeat(2, (3, 4, 6)),
    "Pay seat 7, then seats 6-4, 2": PaySeat(7, (6, 5, 4, 2)),
    "The round is over": RoundOver(),
    "The round is void": RoundVoid(),
}


@pytest.mark.parametrize("console_text", PROMPTS)
def test_a_prompt_and_its_text_say_the_same(console_text: str) -> None:
    assert (text(PROMPTS[console_text]), parse(console_text)) == (console_text, PROMPTS[console_text])


@pytest.mark.parametrize(
    "console_text", [text for text, prompt in PROMPTS.items() if type(prompt) is not FixBets]
)
def test_a_sentence_that_the_table_appends_changes_nothing(console_text: str) -> None:
    assert parse(f"{console_text}. The disk is nearly full") == PROMPTS[console_text]


def test_every_prompt_has_an_example_here() -> None:
    assert {type(prompt) for prompt in PROMPTS.values()} == set(TEMPLATES)


@pytest.mark.parametrize("other", ["", "Suspended: Card 3 could not be read", "Load the shoe", "Seat x: y"])
def test_a_text_about_something_else_is_not_a_prompt_of_a_round(other: str) -> None:
    assert parse(other) is None


@pytest.mark.parametrize("step", [1, -1])
def test_all_sets_of_seats_are_read_back_in_their_order(step: int) -> None:
    for count in range(1, 10):
        for seats in combinations(range(1, 10)[::step], count):
            assert parse(text(PaySeat(3, seats))) == PaySeat(3, seats)


def test_a_text_that_was_cut_is_still_read() -> None:
    cut = "Hedge open: seats 1, 3 (20 placed). Seat 3 hand 2 has 17: hit, stand, dou"
    assert parse(cut) == OpenWindow("Hedge", (1, 3), 20, PlayHand(3, 2, "17", "hit, stand, dou"))
