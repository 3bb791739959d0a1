"""Packs: a wrong one locks the shoe until a counted one is loaded; every card of a shoe is accounted for."""

import pytest

from controller.table.record.codec import row
from controller.table.record.events import Action, ActionEnded, CardsMissing, DeviceUp, Input
from controller.table.record.notes import Alert, DeckChecked, Note, ShoeEnded
from controller.table.state.shuffler_cycle import short
from controller.table.view.build import view
from drivers.messages import CardUnreadable, CutCard, DeckCheck, Eject, ShufflerState
from drivers.protocol.codes import ShufflerPhase, Status
from tests.fixtures.device_inputs import DEVICES
from tests.fixtures.state_table import Told, of

GOOD = bytes([8] * 52)
WRONG = bytes([7, 9]) + GOOD[2:]
VOUCH = "Suspended: The shoe was loaded with a pack that nobody counted since a wrong one was found: As 1"


class Shuffled(Told):
    """A table with a shuffler."""

    def __init__(self) -> None:
        super().__init__()
        self.script.devices = DEVICES | {"shuffler": "SHUFFLER-1"}
        self.begin()

    def shuffler(self, *bodies: DeckCheck | ShufflerState) -> list[Note]:
        return self.tell(*(self.script.event("shuffler", body) for body in bodies))

    def counted(self, counts: bytes) -> list[Note]:
        """A pack is shuffled and counted."""
        return self.shuffler(
            ShufflerState(ShufflerPhase.SHUFFLING, 50),
            DeckCheck(8, counts, 0),
            ShufflerState(ShufflerPhase.DONE, 100),
        )

    def given_out(self, key: int = 9) -> None:
        events: tuple[Input, ...] = (
            Action("shuffler", key, Eject()), ActionEnded("shuffler", key, Status.DONE, "")
        )  # fmt: skip
        self.tell(*events)


class TestWrong:
    def test_is_named_and_noted_with_who_counted(self) -> None:
        told = Shuffled()
        notes = told.counted(WRONG)
        (note,) = of(DeckChecked, notes)
        assert note == DeckChecked(
            "shuffler", "SHUFFLER-1", "", "h1", "f1", 8, False, ("As 1 missing", "2s 1 too many")
        )
        assert Alert("The pack of 8 decks in the shuffler is wrong: As 1 missing, 2s 1 too many") in notes
        row(0.0, note)
        assert told.prompt == "Take the wrong pack out of the shuffler: As 1 missing, 2s 1 too many"

    def test_between_rounds_locks_the_shoe_until_a_counted_pack_is_loaded(self) -> None:
        told = Shuffled()
        told.counted(WRONG)
        assert told.state.halted
        told.counted(GOOD)
        told.given_out()
        told.tell(told.script.loaded())
        assert (told.prompt, told.state.cycle.rejected) == ("Place your bets", "")

    def test_in_a_round_lets_it_go_to_its_end(self) -> None:
        told = Shuffled()
        told.deal()
        told.counted(WRONG)
        assert told.prompt == "Seat 1 has 5: hit or stand"
        told.play("1:stand 2:stand pay")
        assert told.prompt == "Take the wrong pack out of the shuffler: As 1 missing, 2s 1 too many"

    @pytest.mark.parametrize("way", ["uncounted", "counted and still there", "found wrong on its way"])
    def test_a_pack_that_nobody_counted_since_waits_for_a_supervisor(self, way: str) -> None:
        told = Shuffled()
        if way == "found wrong on its way":
            told.counted(GOOD)
            told.given_out()
        told.counted(WRONG)
        if way == "counted and still there":
            told.counted(GOOD)
        told.tell(told.script.loaded())
        assert told.prompt.startswith(VOUCH)
        told.say("resume")
        assert (told.prompt, told.state.cycle.rejected) == ("Place your bets", "")

    def test_a_supervisor_may_want_another_one(self) -> None:
        told = Shuffled()
        told.counted(WRONG)
        told.tell(told.script.loaded())
        told.say("reload")
        told.counted(GOOD)
        told.given_out()
        told.say("resume")
        told.tell(told.script.loaded())
        assert told.prompt == "Place your bets"

    def test_many_wrong_cards_are_named_in_short(self) -> None:
        named = short(tuple(map(str, range(7))))
        assert named == "0, 1, 2, 3, 4, and 2 more"


class TestReckoned:
    def ended(self, told: Told, decks: int = 8) -> ShoeEnded:
        (note,) = of(ShoeEnded, told.tell(told.script.loaded(decks)))
        assert isinstance(note, ShoeEnded)
        row(0.0, note)
        return note

    def test_what_was_dealt_burned_unread_and_left(self) -> None:
        told = Told(burn_cards=1)
        told.play("1:main=500 close 2h 5h Kd 1:stand pay")
        told.script.cards += 1
        told.shoe(CardUnreadable(told.script.cards))
        told.say("burn")
        told.tell(CardsMissing("shoe", 6, 4))
        told.script.cards = 6
        told.say("resume")
        told.shoe(CutCard(6))
        note = self.ended(told)
        assert (note.dealt, note.burned, note.unread, note.left) == (2, 2, 2, 410)
        assert (note.seen, note.unseen, note.balanced) == ({"2h": 1, "5h": 1, "Kd": 1}, 3, True)
        said = "Of 416 cards 2 were dealt, 2 burned, 2 never read, 410 left behind"
        assert view("T", told.state, ()).shoe.last == said

    def test_cards_that_do_not_add_up_are_told(self) -> None:
        told = Told()
        told.deal()
        told.play("1:stand 2:stand pay")
        told.state.devices["shoe"].cards += 1
        notes = told.tell(told.script.loaded())
        (note,) = of(ShoeEnded, notes)
        assert isinstance(note, ShoeEnded)
        assert not note.balanced
        assert any(isinstance(one, Alert) and "do not add up" in one.text for one in notes)

    def test_a_face_down_card_that_nobody_turned_is_in_no_count(self) -> None:
        told = Told()
        told.deal()
        note = self.ended(told)
        assert (note.seen, note.unseen, note.dealt) == ({"5h": 1, "7d": 1}, 1, 3)
        told.say("resume")
        told.play("1:stand 2:stand")
        assert (told.state.ledger.out, told.state.ledger.unseen) == (0, 0)

    def test_a_shoe_that_gave_no_card_is_nothing_to_tell(self) -> None:
        told = Told()
        assert of(ShoeEnded, told.tell(told.script.loaded())) == []

    def test_by_a_shoe_that_forgot_its_count_the_ledger_counts(self) -> None:
        told = Told()
        told.deal()
        told.play("1:stand 2:stand pay")
        up = told.script.up("shoe", "new log", b"\x07" * 8)
        assert isinstance(up, DeviceUp)
        told.tell(up)
        told.state.devices["shoe"].cards = 70
        note = self.ended(told)
        assert (note.dealt, note.left, note.balanced) == (3, 413, True)

    def test_corrections_and_cards_read_again_are_counted_once(self) -> None:
        told = Told()
        told.play("1:main=500 close")
        told.script.cards += 1
        told.shoe(CardUnreadable(1))
        told.say("reread")
        told.play("5h Kd 1:stand pay")
        note = self.ended(told)
        assert (note.dealt, note.burned, note.unread, note.balanced) == (2, 0, 0, True)
