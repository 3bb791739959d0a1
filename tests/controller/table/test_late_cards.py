"""Cards that wait for a person: assigned to a hand, or read again."""

from dataclasses import replace

import pytest

from controller.table.errors import NotAllowed
from controller.table.people.consequences import check_token, consequences
from controller.table.record.events import DeviceLost, DeviceRunning, Supervisor
from controller.table.record.notes import Alert, RoundCorrected
from controller.table.view.console import keys, permit
from drivers.messages import CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable
from tests.fixtures.state_table import StateTable, of_kind

DEALT = "1:main=1000 2:main=1000 close 8h 9c 6d 8s 8c Qh"


def waiting(tokens: str, card: str = "5d", **options: object) -> StateTable:
    """A card left the shoe although none was due."""
    table = StateTable("ez-bust", **options)
    table.play(tokens)
    table.script.cards += 1
    table.shoe(CardUnpermitted(table.script.cards, card))
    return table


def assign(seat: int, card: str | None = None, hand: int = 1) -> Supervisor:
    return Supervisor("assign", "Ann", "seen", card, "", seat, hand)


class TestAssigned:
    def test_where_the_next_card_is_due_it_is_put_at_once(self) -> None:
        table = waiting(f"{DEALT} 1:stand")
        assert consequences(table.state, assign(2)).sentences == ("Card 7 is due there",)
        table.apply(assign(2))
        assert table.state.round.seats[2].hands[0].cards == ("9c", "8c", "5d")
        assert not table.state.suspension

    def test_a_late_one_came_when_the_hand_last_could_take_one(self) -> None:
        table = waiting(f"{DEALT} 1:stand 2:hit 2h")
        seen = consequences(table.state, assign(1, "5d"))
        assert seen.sentences == (
            "Card 5d came late to seat 1",
            "Card 7 (5d) goes to seat 1",
            "stand of seat 1 falls away",
            "Then: Seat 2 has 19: hit or stand",
        )
        notes = table.apply(replace(assign(1, "5d"), token=seen.token))
        assert table.state.round.seats[1].hands[0].cards == ("8h", "8s", "5d")
        assert table.state.ledger.out == 8 == table.state.ledger.fates["dealt"]
        assert not table.state.unplaced
        assert not table.state.suspension
        assert of_kind(RoundCorrected, notes)
        table.play("2:stand 7h pay")
        assert table.state.ended_views[0].corrections == ("card 5d came late to seat 1",)

    def test_to_the_dealer_whose_cards_are_out(self) -> None:
        table = waiting(f"{DEALT} 1:stand 2:stand 2d")
        assert table.prompt.startswith("Suspended")
        seen = consequences(table.state, assign(0, "5d"))
        assert "Card 8 (2d) has no place any more: it is burned" in seen.sentences
        table.apply(replace(assign(0, "5d"), token=seen.token))
        assert table.state.round.dealer.cards == ("6d", "Qh", "5d")
        assert table.state.ledger.fates == {"dealt": 7, "burned": 1}

    def test_a_late_one_is_named_by_who_sees_it(self) -> None:
        table = waiting(f"{DEALT} 1:stand")
        with pytest.raises(NotAllowed, match="card 7 is not due there: name it"):
            consequences(table.state, assign(1))

    @pytest.mark.parametrize(
        ("seat", "hand", "why"),
        [
            (4, 1, "seat 4 could take no card in this round"),
            (1, 2, "hand 2 of seat 1 could take no card in this round"),
            (0, 1, "the dealer's face-down card would be another one"),
        ],
    )
    def test_not_where_no_card_could_go(self, seat: int, hand: int, why: str) -> None:
        table = waiting(f"{DEALT} 1:stand")
        with pytest.raises(NotAllowed, match=why):
            consequences(table.state, assign(seat, "5d", hand))

    def test_not_without_a_card_a_round_or_a_token(self) -> None:
        with pytest.raises(NotAllowed, match="no card waits"):
            StateTable().apply(assign(1))
        with pytest.raises(NotAllowed, match="no round is in play"):
            waiting("").apply(assign(1, "5d"))
        table = waiting(f"{DEALT} 1:stand")
        with pytest.raises(NotAllowed, match="its token is missing"):
            check_token(table.state, assign(1, "5d"))
        assert len(table.state.unplaced) == 1


class TestReadAgain:
    def unread(self) -> StateTable:
        table = StateTable()
        table.play("1:main=500 close")
        table.script.cards += 1
        table.shoe(CardUnreadable(1))
        return table

    def test_it_is_the_same_card(self) -> None:
        table = self.unread()
        table.apply_choice("reread")
        assert table.prompt == "Suspended: put card 1 through the shoe once more, and nothing else"
        assert (permit(table.state), keys(table.state)) == (2, frozenset())
        table.apply(table.script.card("5h"))
        assert table.state.round.seats[1].hands[0].cards == ("5h",)
        assert not table.state.suspension
        assert (table.state.ledger.out, table.state.ledger.seen["5h"]) == (1, 1)
        assert permit(table.state) == 3

    @pytest.mark.parametrize("body", [CardUnreadable(2), CardInterrupted(2), CardDrawn(2, "")])
    def test_it_waits_again_where_it_cannot_be_read(self, body: CardUnreadable) -> None:
        table = self.unread()
        table.apply_choice("reread")
        table.script.cards += 1
        notes = table.shoe(body)
        assert notes == [Alert("Card 1 could not be read again: name it, or void the round")]
        assert table.prompt == "Suspended: Card 1 could not be read"
        assert (permit(table.state), len(table.state.unplaced)) == (0, 1)
        table.apply_choice("reread")
        table.apply(table.script.card("5h"))
        assert table.state.round.seats[1].hands[0].cards == ("5h",)

    def test_an_unexpected_one_still_waits_for_a_person(self) -> None:
        table = waiting(f"{DEALT} 1:stand", "")
        table.apply_choice("reread")
        table.apply(table.script.card("5d"))
        assert table.prompt == "Suspended: Card 7 left the shoe although it was locked"
        table.apply_choice("burn")
        assert (table.state.ledger.seen["5d"], table.state.ledger.fates["burned"]) == (1, 1)

    def test_nothing_may_leave_while_a_device_is_missing(self) -> None:
        table = self.unread()
        table.apply_choice("reread")
        table.apply(DeviceLost("sensors", "gone"))
        assert permit(table.state) == 0
        table.apply(DeviceRunning("sensors"))
        assert permit(table.state) == 2

    def test_another_word_ends_it(self) -> None:
        table = self.unread()
        table.apply_choice("reread")
        with pytest.raises(NotAllowed, match="already"):
            table.apply_choice("reread")
        table.apply_choice("card", "5h")
        assert permit(table.state) == 2
        assert table.state.round.seats[1].hands[0].cards == ("5h",)

    def test_a_card_that_others_went_before_is_another_one(self) -> None:
        table = self.unread()
        table.apply_choice("reread")
        table.script.cards += 1
        table.apply(table.script.card("5h"))
        assert [stray.count for stray in table.state.unplaced] == [1, 3]


class TestEntry:
    def test_an_entry_changes_nothing_but_the_journal(self) -> None:
        table = StateTable()
        assert table.apply(Supervisor("entry", "Ann", "new lamp", None, device="shoe", licence="4711")) == []
        assert table.apply(Supervisor("entry", "Ann", "dust", None, device="table", licence="4711")) == []
        with pytest.raises(NotAllowed, match="device = 'fridge': not allowed; allowed: table, shoe, sensors"):
            table.apply(Supervisor("entry", "Ann", "dust", None, device="fridge", licence="4711"))
