"""Packs: a wrong one locks the shoe until a counted one is loaded; every card of a shoe is accounted for."""

import pytest

from controller.table.record.codec import to_row
from controller.table.record.events import Action, ActionEnded, CardsMissing, DeviceUp, Input
from controller.table.record.notes import Alert, DeckChecked, Note, ShoeEnded
from controller.table.state.shuffler_cycle import shorten
from controller.table.view.build import build_view
from drivers.messages import CardUnreadable, CutCard, DeckCheck, Eject, ShufflerState
from drivers.protocol.codes import ShufflerPhase, Status
from tests.fixtures.device_inputs import DEVICES
from tests.fixtures.state_table import StateTable, of_kind

GOOD = bytes([8] * 52)
WRONG = bytes([7, 9]) + GOOD[2:]
VOUCH = "Suspended: The shoe was loaded with a pack that nobody counted since a wrong one was found: As 1"


class ShuffledTable(StateTable):
    """A table with a shuffler."""

    def __init__(self) -> None:
        super().__init__()
        self.script.devices = DEVICES | {"shuffler": "SHUFFLER-1"}
        self.begin()

    def shuffler(self, *bodies: DeckCheck | ShufflerState) -> list[Note]:
        return self.apply(*(self.script.event("shuffler", body) for body in bodies))

    def counted(self, counts: bytes) -> list[Note]:
        """A pack is shuffled and counted."""
        return self.shuffler(
            ShufflerState(ShufflerPhase.SHUFFLING, 50),
            DeckCheck(8, counts, 0),
            ShufflerState(ShufflerPhase.DONE, 100),
        )

    def given_out(self, key: int = 9) -> None:
        events: tuple[Input, ...] = (
            Action("shuffler", key, Eject()),
            ActionEnded("shuffler", key, Status.DONE, ""),
        )
        self.apply(*events)


class TestWrong:
    def test_is_named_and_noted_with_who_counted(self) -> None:
        table = ShuffledTable()
        notes = table.counted(WRONG)
        (note,) = of_kind(DeckChecked, notes)
        assert note == DeckChecked(
            "shuffler", "SHUFFLER-1", "", "h1", "f1", 8, False, ("As 1 missing", "2s 1 too many")
        )
        assert Alert("The pack of 8 decks in the shuffler is wrong: As 1 missing, 2s 1 too many") in notes
        to_row(0.0, note)
        assert table.prompt == "Take the wrong pack out of the shuffler: As 1 missing, 2s 1 too many"

    def test_between_rounds_locks_the_shoe_until_a_counted_pack_is_loaded(self) -> None:
        table = ShuffledTable()
        table.counted(WRONG)
        assert table.state.halted
        table.counted(GOOD)
        table.given_out()
        table.apply(table.script.loaded())
        assert (table.prompt, table.state.cycle.rejected) == ("Place your bets", "")

    def test_in_a_round_lets_it_go_to_its_end(self) -> None:
        table = ShuffledTable()
        table.deal()
        table.counted(WRONG)
        assert table.prompt == "Seat 1 has 5: hit or stand"
        table.play("1:stand 2:stand pay")
        assert table.prompt == "Take the wrong pack out of the shuffler: As 1 missing, 2s 1 too many"

    @pytest.mark.parametrize("way", ["uncounted", "counted and still there", "found wrong on its way"])
    def test_a_pack_that_nobody_counted_since_waits_for_a_supervisor(self, way: str) -> None:
        table = ShuffledTable()
        if way == "found wrong on its way":
            table.counted(GOOD)
            table.given_out()
        table.counted(WRONG)
        if way == "counted and still there":
            table.counted(GOOD)
        table.apply(table.script.loaded())
        assert table.prompt.startswith(VOUCH)
        table.apply_choice("resume")
        assert (table.prompt, table.state.cycle.rejected) == ("Place your bets", "")

    def test_a_supervisor_may_want_another_one(self) -> None:
        table = ShuffledTable()
        table.counted(WRONG)
        table.apply(table.script.loaded())
        table.apply_choice("reload")
        table.counted(GOOD)
        table.given_out()
        table.apply_choice("resume")
        table.apply(table.script.loaded())
        assert table.prompt == "Place your bets"

    def test_many_wrong_cards_are_named_in_short(self) -> None:
        named = shorten(tuple(map(str, range(7))))
        assert named == "0, 1, 2, 3, 4, and 2 more"


class TestReckoned:
    def ended(self, table: StateTable, decks: int = 8) -> ShoeEnded:
        (note,) = of_kind(ShoeEnded, table.apply(table.script.loaded(decks)))
        assert isinstance(note, ShoeEnded)
        to_row(0.0, note)
        return note

    def test_what_was_dealt_burned_unread_and_left(self) -> None:
        table = StateTable(burn_cards=1)
        table.play("1:main=500 close 2h 5h Kd 1:stand pay")
        table.script.cards += 1
        table.shoe(CardUnreadable(table.script.cards))
        table.apply_choice("burn")
        table.apply(CardsMissing("shoe", 6, 4))
        table.script.cards = 6
        table.apply_choice("resume")
        table.shoe(CutCard(6))
        note = self.ended(table)
        assert (note.dealt, note.burned, note.unread, note.left) == (2, 2, 2, 410)
        assert (note.seen, note.unseen, note.balanced) == ({"2h": 1, "5h": 1, "Kd": 1}, 3, True)
        said = "Of 416 cards 2 were dealt, 2 burned, 2 never read, 410 left behind"
        assert build_view("T", table.state, ()).shoe.last == said

    def test_cards_that_do_not_add_up_are_told(self) -> None:
        table = StateTable()
        table.deal()
        table.play("1:stand 2:stand pay")
        table.state.devices["shoe"].cards += 1
        notes = table.apply(table.script.loaded())
        (note,) = of_kind(ShoeEnded, notes)
        assert isinstance(note, ShoeEnded)
        assert not note.balanced
        assert any(isinstance(one, Alert) and "do not add up" in one.text for one in notes)

    def test_a_face_down_card_that_nobody_turned_is_in_no_count(self) -> None:
        table = StateTable()
        table.deal()
        note = self.ended(table)
        assert (note.seen, note.unseen, note.dealt) == ({"5h": 1, "7d": 1}, 1, 3)
        table.apply_choice("resume")
        table.play("1:stand 2:stand")
        assert (table.state.ledger.out, table.state.ledger.unseen) == (0, 0)

    def test_a_shoe_that_gave_no_card_is_nothing_to_tell(self) -> None:
        table = StateTable()
        assert of_kind(ShoeEnded, table.apply(table.script.loaded())) == []

    def test_by_a_shoe_that_forgot_its_count_the_ledger_counts(self) -> None:
        table = StateTable()
        table.deal()
        table.play("1:stand 2:stand pay")
        up = table.script.up("shoe", "new log", b"\x07" * 8)
        assert isinstance(up, DeviceUp)
        table.apply(up)
        table.state.devices["shoe"].cards = 70
        note = self.ended(table)
        assert (note.dealt, note.left, note.balanced) == (3, 413, True)

    def test_corrections_and_cards_read_again_are_counted_once(self) -> None:
        table = StateTable()
        table.play("1:main=500 close")
        table.script.cards += 1
        table.shoe(CardUnreadable(1))
        table.apply_choice("reread")
        table.play("5h Kd 1:stand pay")
        note = self.ended(table)
        assert (note.dealt, note.burned, note.unread, note.balanced) == (2, 0, 0, True)
