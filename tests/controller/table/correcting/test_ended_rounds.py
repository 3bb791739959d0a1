"""Misread cards of rounds that have ended, and a start in the middle of what a person decides."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from controller.games import GAMES
from controller.table.errors import NotAllowed
from controller.table.people.consequences import consequences
from controller.table.record.codec import read_record, row
from controller.table.record.events import Supervisor
from controller.table.record.notes import RoundCorrected, RoundEnded
from tests.controller.table.correcting.misread import Paused
from tests.controller.table.kept import Kept
from tests.controller.table.test_replay import everything
from tests.fixtures.state_table import Told, of

PLAYED = "1:main=1000 2:main=1000 close 8h 9c 6d 8s 8c Qh 2:ez-bust=300 1:stand 2:stand 7h pay"


def word(where: str, old: str, new: str, number: int = 1) -> Supervisor:
    seat, hand, card = map(int, where.split("/"))
    return Supervisor("correct", "Ann", "film seen", new, "", seat, hand, card, old, number)


def played() -> Told:
    told = Told("ez-bust")
    told.play(PLAYED)
    return told


def accept(told: Told, said: Supervisor) -> RoundCorrected:
    (note,) = of(RoundCorrected, told.tell(replace(said, token=consequences(told.state, said).token)))
    assert isinstance(note, RoundCorrected)
    return note


class TestEnded:
    def test_is_settled_once_more_and_says_so_for_ever(self) -> None:
        told = played()
        note = accept(told, word("0/1/3", "7h", "2h"))
        (shown,) = told.state.rounds
        assert shown.corrections == ("card 2h of the dealer was read as 7h",)
        assert (shown.dealer.cards, shown.dealer.total) == (("6d", "Qh", "2h"), 18)
        assert [line.paid for line in shown.lines] == [-1000, -1000, -300]
        assert [seat.net for seat in shown.seats[:2]] == [-1000, -1300]
        assert note.ended == told.state.ended[0]
        assert note.told == ("Seat 1 was paid: it gives back 20.00", "Seat 2 was paid: it gives back 26.00")
        assert (told.state.ledger.seen["7h"], told.state.ledger.seen["2h"]) == (0, 1)
        assert read_record(row(0.0, note)) == note

    def test_a_second_time(self) -> None:
        told = played()
        accept(told, word("0/1/3", "7h", "2h"))
        accept(told, word("1/1/1", "8h", "Th"))
        assert [line.outcome for line in told.state.rounds[0].lines] == ["push", "lose", "lose"]
        assert len(told.state.rounds[0].corrections) == 2

    def test_of_another_shoe_leaves_the_ledger_alone(self) -> None:
        told = played()
        told.tell(told.script.loaded(6))
        accept(told, word("0/1/3", "7h", "2h"))
        assert told.state.ledger.out == 0
        assert +told.state.ledger.seen == {}

    @pytest.mark.parametrize(
        ("said", "why"),
        [
            (word("0/1/1", "6d", "5d"), None),
            (word("1/1/2", "8s", "3s"), None),
            (word("0/1/2", "Qh", "2d"), "round 1 would not have ended: Dealer has 15: draw"),
            (word("1/1/2", "8s", "3s", 9), "round 9 is not kept by the table; rounds 1 to 1 are kept"),
        ],
    )
    def test_that_would_go_on_is_left_to_people(self, said: Supervisor, why: str | None) -> None:
        told = played()
        if why is None:
            assert consequences(told.state, said).token
            return
        with pytest.raises(NotAllowed, match=why):
            consequences(told.state, said)

    def test_a_void_one_is_not_corrected(self) -> None:
        told = Told("ez-bust")
        told.play("1:main=1000 close 8h 6d 8s Qh")
        told.say("void")
        with pytest.raises(NotAllowed, match="round 1 is void"):
            consequences(told.state, word("1/1/1", "8h", "9h"))

    def test_of_an_older_version_has_no_script(self) -> None:
        told = played()
        told.state.ended[0] = RoundEnded(told.state.rounds[0])
        with pytest.raises(NotAllowed, match="the journal keeps no script of it"):
            consequences(told.state, word("1/1/1", "8h", "9h"))

    @pytest.mark.parametrize("game", sorted(GAMES))
    @settings(max_examples=12)
    @given(st.integers(0, 2**32 - 1))
    def test_is_as_if_the_right_card_had_been_read(self, game: str, seed: int) -> None:
        table = Paused(game, seed)
        said = table.misread(seed)
        assert said is not None
        right, pay = table.with_card(said), table.event("pay")
        assume(right is not None and right.state.round.phase == "paying")
        assert right is not None
        table.tell(pay)
        right.tell(pay)
        try:
            table.accept(replace(said, round=1))
        except NotAllowed as refused:
            assume("make the claim void first" not in str(refused))
            raise
        found, meant = table.state.rounds[0], right.state.rounds[0]
        assert (found.dealer, found.lines, found.bank) == (meant.dealer, meant.lines, meant.bank)
        assert [(seat.hands, seat.net, seat.insurance) for seat in found.seats] == [
            (seat.hands, seat.net, seat.insurance) for seat in meant.seats
        ]
        assert table.state.ended[0].script == right.state.ended[0].script


class TestRestart:
    """The same inputs give the same state, whether the daemon was there or not."""

    def test_after_an_ended_round_was_corrected(self, tmp_path: Path) -> None:
        told = Kept(PLAYED)
        accept(told, word("0/1/3", "7h", "2h"))
        before = told.state.rounds[0]
        assert told.reborn(tmp_path / "first").rounds == (before,)
        told.play("close 8h 9c 6d 8s 8c Qd 1:stand 2:stand 7d pay")
        assert told.reborn(tmp_path / "second").rounds == told.state.rounds
        assert told.state.rounds[1] == before

    def test_while_a_card_is_read_again(self, tmp_path: Path) -> None:
        told = Kept("1:main=500 close 8h")
        told.unread()
        told.say("reread")
        state = told.reborn(tmp_path / "journal")
        assert everything(state) == everything(told.state)
        assert state.strays[0].again

    def test_between_a_preview_and_its_acceptance(self, tmp_path: Path) -> None:
        told, said = Kept("1:main=1000 close 8h 6d 8s Qh 1:hit 5c"), word("1/1/3", "5c", "4c", 0)
        state = told.reborn(tmp_path / "journal")
        assert consequences(state, said) == consequences(told.state, said)

    def test_after_a_correction_in_play(self, tmp_path: Path) -> None:
        told = Kept("1:main=1000 close 8h 6d 8s Qh 1:hit 5c")
        accept(told, word("1/1/3", "5c", "4c", 0))
        assert everything(told.reborn(tmp_path / "journal")) == everything(told.state)

    def test_the_alert_and_the_reason_are_shown_again(self, tmp_path: Path) -> None:
        told = Kept("1:main=1000 close 8h 6d 8s Qh 1:main=")
        told.unread()
        state = told.reborn(tmp_path / "journal")
        assert list(state.alerts) == ["seat 1: a main wager vanished after betting closed"]
        assert state.suspension.reasons == ("Card 5 could not be read",)
