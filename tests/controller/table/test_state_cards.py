"""The table's state: unexpected cards, and shoes that end."""

import pytest

from controller.table.errors import NotAllowed
from controller.table.record.events import CardsMissing, DeviceLost
from controller.table.record.notes import Refusal, Resumed, RoundEnded, Suspended
from controller.table.view.console import keys, permit
from drivers.messages import (
    CardInterrupted,
    CardUnpermitted,
    CardUnreadable,
    CutCard,
    Empty,
    EventBody,
)
from tests.fixtures.state_table import StateTable, of_kind


def test_card_that_was_not_due_waits_for_a_person() -> None:
    table = StateTable()
    notes = table.apply(table.script.card("9h"))
    assert notes == [Suspended("Card 1 left the shoe, but no card was due")]
    with pytest.raises(NotAllowed, match="card 1 waits"):
        table.apply_choice("resume")
    with pytest.raises(NotAllowed, match="no card is due"):
        table.apply_choice("card")
    assert of_kind(Resumed, table.apply_choice("burn"))
    assert table.state.ledger.seen == {"9h": 1}
    assert table.prompt == "Place your bets"


def test_no_card_can_be_placed_while_none_waits() -> None:
    table = StateTable()
    table.apply(table.script.bet(1), table.script.key("close"))
    for card in (None, "7s"):
        with pytest.raises(NotAllowed, match="no card waits"):
            table.apply_choice("card", card)
    assert table.state.round.cards_due == 2


def test_unpermitted_card_is_not_named_and_can_be_placed() -> None:
    table = StateTable()
    table.apply(table.script.bet(1), table.script.key("close"), table.script.card("5h"))
    table.script.cards += 1
    table.shoe(CardUnpermitted(2, "Tc"))
    assert table.prompt == "Suspended: Card 2 left the shoe although it was locked"
    table.apply_choice("card")
    assert table.prompt == "Seat 1 has 5: hit or stand"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (CardUnreadable(1), "Card 1 could not be read"),
        (CardInterrupted(1), "Card 1 was on its way when the shoe lost its power"),
    ],
)
def test_card_that_nobody_read_has_to_be_named(body: EventBody, why: str) -> None:
    table = StateTable()
    table.apply(table.script.bet(1), table.script.key("close"))
    table.script.cards += 1
    table.shoe(body)
    assert table.prompt == f"Suspended: {why}"
    with pytest.raises(NotAllowed, match="name it"):
        table.apply_choice("card")
    table.apply_choice("card", "Ah")
    assert table.state.round.seats[1].hands[0].cards == ("Ah",)


def test_cards_behind_one_in_question_wait_and_then_take_their_places() -> None:
    table = StateTable()
    table.apply(table.script.bet(1), table.script.bet(2), table.script.key("close"))
    table.script.cards += 1
    table.shoe(CardUnreadable(1))
    table.apply(*table.script.cards_out("7d Tc"))
    assert table.state.round.cards_due == 3
    table.apply_choice("card", "5h")
    assert [table.state.round.seats[seat].hands[0].cards for seat in (1, 2)] == [("5h",), ("7d",)]
    assert table.prompt == "Seat 1 has 5: hit or stand"


def test_cards_that_were_never_reported_suspend_play() -> None:
    table = StateTable()
    table.apply(table.script.bet(1), table.script.key("close"))
    table.script.cards += 2
    table.apply(table.script.card("5h"))
    assert table.prompt == "Suspended: Card 3 left the shoe, but others before it were never reported"
    table.apply_choice("void")
    assert table.state.ended_views[0].outcome == "void"
    table.apply(CardsMissing("shoe", 7, 3))
    assert table.prompt == "Suspended: The shoe gave out 7 cards, but 3 were reported"
    table.apply_choice("resume")
    table.apply(table.script.key("close"))
    assert permit(table.state) == 9


def test_void_gives_everything_back() -> None:
    table = StateTable()
    table.deal()
    table.apply(DeviceLost("sensors", "x"))
    notes = table.apply_choice("void")
    ended = of_kind(RoundEnded, notes)[0]
    assert isinstance(ended, RoundEnded)
    assert ended.round.outcome == "void"
    assert {line.outcome for line in ended.round.lines} == {"push"}
    assert table.prompt == "Suspended: Missing: the sensors"


def test_impossible_card_suspends_by_name() -> None:
    table = StateTable(decks=6)
    table.state.ledger.seen["9h"] = 6
    table.apply(table.script.bet(1), table.script.key("close"))
    notes = table.apply(table.script.card("9h"))
    assert notes == [Suspended("Card 9h has come 7 times; 6 decks hold 6.")]
    table.apply(table.script.card("Tc"))
    table.apply_choice("resume")
    assert table.prompt == "Seat 1 has 9: hit or stand"


def test_impossible_face_down_card_is_named_when_it_is_turned() -> None:
    table = StateTable(decks=6)
    table.state.ledger.seen["9h"] = 6
    table.apply(table.script.bet(1), table.script.key("close"))
    assert table.apply(*table.script.cards_out("5h 9h")) == []
    notes = table.apply(table.script.key("stand", 1))
    assert Suspended("Card 9h has come 7 times; 6 decks hold 6.") in notes


def test_impossible_card_is_no_news_of_the_face_down_one() -> None:
    """The last 9h lies face down; the alert about another one comes only when the first is turned."""
    table = StateTable(decks=6)
    table.state.ledger.seen["9h"] = 5
    table.apply(table.script.bet(1), table.script.bet(2), table.script.key("close"))
    assert table.apply(*table.script.cards_out("2h 3h 9h 9h")) == []
    table.apply(table.script.key("stand", 2))
    assert table.state.suspension.reasons == ("Card 9h has come 7 times; 6 decks hold 6.",)


def test_cut_card_asks_for_a_shoe_after_the_round() -> None:
    table = StateTable()
    table.deal("Ah 7d Tc")
    table.shoe(CutCard(3))
    assert table.prompt == "Seat 2 has 7: hit or stand"
    table.apply(table.script.key("stand", 2), table.script.key("pay"))
    assert (table.prompt, keys(table.state)) == ("Load the shoe", frozenset())
    assert of_kind(Refusal, table.apply(table.script.key("close")))
    table.apply(table.script.loaded())
    assert (table.prompt, table.state.ledger.out) == ("Place your bets: 2 wagers", 0)


def test_a_cut_card_between_rounds_asks_for_a_shoe() -> None:
    table = StateTable()
    table.shoe(CutCard(1))
    assert table.prompt == "Load the shoe"


def test_an_empty_shoe_in_a_round_asks_for_another() -> None:
    table = StateTable()
    table.deal()
    table.shoe(Empty())
    assert table.prompt == "Suspended: The shoe is empty in the middle of a round: load it"
    table.apply(table.script.loaded())
    assert table.prompt == "Suspended: The shoe was loaded in the middle of round 1"
    table.apply_choice("resume")
    assert table.prompt == "Seat 1 has 5: hit or stand"


def test_a_wrong_number_of_decks_is_refused() -> None:
    table = StateTable()
    table.apply(table.script.loaded(6))
    assert table.prompt == "Suspended: The shoe was loaded with 6 decks: load 8"
    table.apply(table.script.loaded(8))
    assert table.prompt == "Place your bets"
