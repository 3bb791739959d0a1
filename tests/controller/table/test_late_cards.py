"""Cards that wait for a person: assigned to a hand, or read once more."""

from dataclasses import replace

import pytest

from controller.table.errors import NotAllowed
from controller.table.people.consequences import check, consequences
from controller.table.record.events import DeviceLost, DeviceRunning, Supervisor
from controller.table.record.notes import Alert, RoundCorrected
from controller.table.view.console import keys, permit
from drivers.messages import CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable
from tests.fixtures.state_table import Told, of

DEALT = "1:main=1000 2:main=1000 close 8h 9c 6d 8s 8c Qh"


def waiting(tokens: str, card: str = "5d", **options: object) -> Told:
    """A card left the shoe although none might."""
    told = Told("ez-bust", **options)
    told.play(tokens)
    told.script.cards += 1
    told.shoe(CardUnpermitted(told.script.cards, card))
    return told


def assign(seat: int, card: str | None = None, hand: int = 1) -> Supervisor:
    return Supervisor("assign", "Ann", "seen", card, "", seat, hand)


class TestAssigned:
    def test_where_the_next_card_is_due_it_is_put_at_once(self) -> None:
        told = waiting(f"{DEALT} 1:stand")
        assert consequences(told.state, assign(2)).sentences == ("Card 7 is due there",)
        told.tell(assign(2))
        assert told.state.round.seats[2].hands[0].cards == ("9c", "8c", "5d")
        assert not told.state.suspension

    def test_a_late_one_came_when_the_hand_last_could_take_one(self) -> None:
        told = waiting(f"{DEALT} 1:stand 2:hit 2h")
        seen = consequences(told.state, assign(1, "5d"))
        assert seen.sentences == (
            "Card 5d came late to seat 1",
            "Card 7 (5d) goes to seat 1",
            "stand of seat 1 falls away",
            "Then: Seat 2 has 19: hit or stand",
        )
        notes = told.tell(replace(assign(1, "5d"), token=seen.token))
        assert told.state.round.seats[1].hands[0].cards == ("8h", "8s", "5d")
        assert told.state.ledger.out == 8 == told.state.ledger.fates["dealt"]
        assert not told.state.strays
        assert not told.state.suspension
        assert of(RoundCorrected, notes)
        told.play("2:stand 7h pay")
        assert told.state.rounds[0].corrections == ("card 5d came late to seat 1",)

    def test_to_the_dealer_whose_cards_are_out(self) -> None:
        told = waiting(f"{DEALT} 1:stand 2:stand 2d")
        assert told.prompt.startswith("Suspended")
        seen = consequences(told.state, assign(0, "5d"))
        assert "Card 8 (2d) has no place any more: it is burned" in seen.sentences
        told.tell(replace(assign(0, "5d"), token=seen.token))
        assert told.state.round.dealer.cards == ("6d", "Qh", "5d")
        assert told.state.ledger.fates == {"dealt": 7, "burned": 1}

    def test_a_late_one_is_named_by_who_sees_it(self) -> None:
        told = waiting(f"{DEALT} 1:stand")
        with pytest.raises(NotAllowed, match="card 7 is not due there: name it"):
            consequences(told.state, assign(1))

    @pytest.mark.parametrize(
        ("seat", "hand", "why"),
        [
            (4, 1, "seat 4 could take no card in this round"),
            (1, 2, "hand 2 of seat 1 could take no card in this round"),
            (0, 1, "the dealer's face-down card would be another one"),
        ],
    )
    def test_not_where_no_card_could_go(self, seat: int, hand: int, why: str) -> None:
        told = waiting(f"{DEALT} 1:stand")
        with pytest.raises(NotAllowed, match=why):
            consequences(told.state, assign(seat, "5d", hand))

    def test_not_without_a_card_a_round_or_a_token(self) -> None:
        with pytest.raises(NotAllowed, match="no card waits"):
            Told().tell(assign(1))
        with pytest.raises(NotAllowed, match="no round is in play"):
            waiting("").tell(assign(1, "5d"))
        told = waiting(f"{DEALT} 1:stand")
        with pytest.raises(NotAllowed, match="its token is missing"):
            check(told.state, assign(1, "5d"))
        assert len(told.state.strays) == 1


class TestReadAgain:
    def unread(self) -> Told:
        told = Told()
        told.play("1:main=500 close")
        told.script.cards += 1
        told.shoe(CardUnreadable(1))
        return told

    def test_it_is_the_same_card(self) -> None:
        told = self.unread()
        told.say("reread")
        assert told.prompt == "Suspended: put card 1 through the shoe once more, and nothing else"
        assert (permit(told.state), keys(told.state)) == (2, frozenset())
        told.tell(told.script.card("5h"))
        assert told.state.round.seats[1].hands[0].cards == ("5h",)
        assert not told.state.suspension
        assert (told.state.ledger.out, told.state.ledger.seen["5h"]) == (1, 1)
        assert permit(told.state) == 3

    @pytest.mark.parametrize("body", [CardUnreadable(2), CardInterrupted(2), CardDrawn(2, "")])
    def test_it_waits_again_where_it_cannot_be_read(self, body: CardUnreadable) -> None:
        told = self.unread()
        told.say("reread")
        told.script.cards += 1
        notes = told.shoe(body)
        assert notes == [Alert("Card 1 could not be read again: name it, or void the round")]
        assert told.prompt == "Suspended: Card 1 could not be read"
        assert (permit(told.state), len(told.state.strays)) == (0, 1)
        told.say("reread")
        told.tell(told.script.card("5h"))
        assert told.state.round.seats[1].hands[0].cards == ("5h",)

    def test_an_unexpected_one_still_waits_for_a_person(self) -> None:
        told = waiting(f"{DEALT} 1:stand", "")
        told.say("reread")
        told.tell(told.script.card("5d"))
        assert told.prompt == "Suspended: Card 7 left the shoe although it was locked"
        told.say("burn")
        assert (told.state.ledger.seen["5d"], told.state.ledger.fates["burned"]) == (1, 1)

    def test_nothing_may_leave_while_a_device_is_missing(self) -> None:
        told = self.unread()
        told.say("reread")
        told.tell(DeviceLost("sensors", "gone"))
        assert permit(told.state) == 0
        told.tell(DeviceRunning("sensors"))
        assert permit(told.state) == 2

    def test_another_word_ends_it(self) -> None:
        told = self.unread()
        told.say("reread")
        with pytest.raises(NotAllowed, match="already"):
            told.say("reread")
        told.say("card", "5h")
        assert permit(told.state) == 2
        assert told.state.round.seats[1].hands[0].cards == ("5h",)

    def test_a_card_that_others_went_before_is_another_one(self) -> None:
        told = self.unread()
        told.say("reread")
        told.script.cards += 1
        told.tell(told.script.card("5h"))
        assert [stray.count for stray in told.state.strays] == [1, 3]


class TestEntry:
    def test_is_nothing_but_kept(self) -> None:
        told = Told()
        assert told.tell(Supervisor("entry", "Ann", "new lamp", None, device="shoe", licence="4711")) == []
        assert told.tell(Supervisor("entry", "Ann", "dust", None, device="table", licence="4711")) == []
        with pytest.raises(NotAllowed, match="device = 'fridge': not allowed; allowed: table, shoe, sensors"):
            told.tell(Supervisor("entry", "Ann", "dust", None, device="fridge", licence="4711"))
