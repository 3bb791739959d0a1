"""The table's state: cards that come otherwise than they should, and shoes that end."""

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
from tests.fixtures.state_table import Told, of


def test_card_that_was_not_due_waits_for_a_person() -> None:
    told = Told()
    notes = told.tell(told.script.card("9h"))
    assert notes == [Suspended("Card 1 left the shoe, but no card was due")]
    with pytest.raises(NotAllowed, match="card 1 waits"):
        told.say("resume")
    with pytest.raises(NotAllowed, match="no card is due"):
        told.say("card")
    assert of(Resumed, told.say("burn"))
    assert told.state.ledger.seen == {"9h": 1}
    assert told.prompt == "Place your bets"


def test_no_card_can_be_placed_while_none_waits() -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.key("close"))
    for card in (None, "7s"):
        with pytest.raises(NotAllowed, match="no card waits"):
            told.say("card", card)
    assert told.state.round.cards_due == 2


def test_unpermitted_card_is_not_named_and_can_be_placed() -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.key("close"), told.script.card("5h"))
    told.script.cards += 1
    told.shoe(CardUnpermitted(2, "Tc"))
    assert told.prompt == "Suspended: Card 2 left the shoe although it was locked"
    told.say("card")
    assert told.prompt == "Seat 1 has 5: hit or stand"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (CardUnreadable(1), "Card 1 could not be read"),
        (CardInterrupted(1), "Card 1 was on its way when the shoe lost its power"),
    ],
)
def test_card_that_nobody_read_has_to_be_named(body: EventBody, why: str) -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.key("close"))
    told.script.cards += 1
    told.shoe(body)
    assert told.prompt == f"Suspended: {why}"
    with pytest.raises(NotAllowed, match="name it"):
        told.say("card")
    told.say("card", "Ah")
    assert told.state.round.seats[1].hands[0].cards == ("Ah",)


def test_cards_behind_one_in_question_wait_and_then_take_their_places() -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.bet(2), told.script.key("close"))
    told.script.cards += 1
    told.shoe(CardUnreadable(1))
    told.tell(*told.script.cards_out("7d Tc"))
    assert told.state.round.cards_due == 3
    told.say("card", "5h")
    assert [told.state.round.seats[seat].hands[0].cards for seat in (1, 2)] == [("5h",), ("7d",)]
    assert told.prompt == "Seat 1 has 5: hit or stand"


def test_cards_that_were_never_reported() -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.key("close"))
    told.script.cards += 2
    told.tell(told.script.card("5h"))
    assert told.prompt == "Suspended: Card 3 left the shoe, but others before it were never reported"
    told.say("void")
    assert told.state.rounds[0].outcome == "void"
    told.tell(CardsMissing("shoe", 7, 3))
    assert told.prompt == "Suspended: The shoe gave out 7 cards, but 3 were reported"
    told.say("resume")
    told.tell(told.script.key("close"))
    assert permit(told.state) == 9


def test_void_gives_everything_back() -> None:
    told = Told()
    told.deal()
    told.tell(DeviceLost("sensors", "x"))
    notes = told.say("void")
    ended = of(RoundEnded, notes)[0]
    assert isinstance(ended, RoundEnded)
    assert ended.round.outcome == "void"
    assert {line.outcome for line in ended.round.lines} == {"push"}
    assert told.prompt == "Suspended: Missing: the sensors"


def test_impossible_card_suspends_by_name() -> None:
    told = Told(decks=6)
    told.state.ledger.seen["9h"] = 6
    told.tell(told.script.bet(1), told.script.key("close"))
    notes = told.tell(told.script.card("9h"))
    assert notes == [Suspended("Card 9h has come 7 times; 6 decks hold 6.")]
    told.tell(told.script.card("Tc"))
    told.say("resume")
    assert told.prompt == "Seat 1 has 9: hit or stand"


def test_impossible_face_down_card_is_named_when_it_is_turned() -> None:
    told = Told(decks=6)
    told.state.ledger.seen["9h"] = 6
    told.tell(told.script.bet(1), told.script.key("close"))
    assert told.tell(*told.script.cards_out("5h 9h")) == []
    notes = told.tell(told.script.key("stand", 1))
    assert Suspended("Card 9h has come 7 times; 6 decks hold 6.") in notes


def test_impossible_card_is_no_news_of_the_face_down_one() -> None:
    """The last 9h lies face down; the alarm about a further one comes only when the first is turned."""
    told = Told(decks=6)
    told.state.ledger.seen["9h"] = 5
    told.tell(told.script.bet(1), told.script.bet(2), told.script.key("close"))
    assert told.tell(*told.script.cards_out("2h 3h 9h 9h")) == []
    told.tell(told.script.key("stand", 2))
    assert told.state.suspension.reasons == ("Card 9h has come 7 times; 6 decks hold 6.",)


def test_cut_card_asks_for_a_shoe_after_the_round() -> None:
    told = Told()
    told.deal("Ah 7d Tc")
    told.shoe(CutCard(3))
    assert told.prompt == "Seat 2 has 7: hit or stand"
    told.tell(told.script.key("stand", 2), told.script.key("pay"))
    assert (told.prompt, keys(told.state)) == ("Load the shoe", frozenset())
    assert of(Refusal, told.tell(told.script.key("close")))
    told.tell(told.script.loaded())
    assert (told.prompt, told.state.ledger.out) == ("Place your bets: 2 wagers", 0)


def test_cut_card_between_rounds() -> None:
    told = Told()
    told.shoe(CutCard(0))
    assert told.prompt == "Load the shoe"


def test_empty_shoe_in_a_round() -> None:
    told = Told()
    told.deal()
    told.shoe(Empty())
    assert told.prompt == "Suspended: The shoe is empty in the middle of a round: load it"
    told.tell(told.script.loaded())
    assert told.prompt == "Suspended: The shoe was loaded in the middle of round 1"
    told.say("resume")
    assert told.prompt == "Seat 1 has 5: hit or stand"


def test_wrong_number_of_decks() -> None:
    told = Told()
    told.tell(told.script.loaded(6))
    assert told.prompt == "Suspended: The shoe was loaded with 6 decks: load 8"
    told.tell(told.script.loaded(8))
    assert told.prompt == "Place your bets"
