"""Misread cards of ended rounds, and a restart between preview and decision."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from controller.games import GAMES
from controller.table.errors import NotAllowed
from controller.table.people.consequences import consequences
from controller.table.record.codec import read_record, to_row
from controller.table.record.events import Supervisor
from controller.table.record.notes import RoundCorrected, RoundEnded
from tests.controller.table.correcting.misread import PausedTable
from tests.fixtures.journal_table import RecordedTable
from tests.fixtures.state_table import StateTable, everything, of_kind

PLAYED = "1:main=1000 2:main=1000 close 8h 9c 6d 8s 8c Qh 2:ez-bust=300 1:stand 2:stand 7h pay"


def word(where: str, old: str, new: str, number: int = 1) -> Supervisor:
    seat, hand, card = map(int, where.split("/"))
    return Supervisor("correct", "Ann", "film seen", new, "", seat, hand, card, old, number)


def played() -> StateTable:
    table = StateTable("ez-bust")
    table.play(PLAYED)
    return table


def accept(table: StateTable, said: Supervisor) -> RoundCorrected:
    (note,) = of_kind(RoundCorrected, table.apply(replace(said, token=consequences(table.state, said).token)))
    assert isinstance(note, RoundCorrected)
    return note


class TestEnded:
    def test_is_settled_once_more_and_says_so_for_ever(self) -> None:
        table = played()
        note = accept(table, word("0/1/3", "7h", "2h"))
        (shown,) = table.state.ended_views
        assert shown.corrections == ("card 2h of the dealer was read as 7h",)
        assert (shown.dealer.cards, shown.dealer.total) == (("6d", "Qh", "2h"), 18)
        assert [line.paid for line in shown.lines] == [-1000, -1000, -300]
        assert [seat.net for seat in shown.seats[:2]] == [-1000, -1300]
        assert note.ended == table.state.ended_rounds[0]
        assert note.told == ("Seat 1 was paid: it gives back 20.00", "Seat 2 was paid: it gives back 26.00")
        assert (table.state.ledger.seen["7h"], table.state.ledger.seen["2h"]) == (0, 1)
        assert read_record(to_row(0.0, note)) == note

    def test_an_ended_round_is_corrected_a_second_time(self) -> None:
        table = played()
        accept(table, word("0/1/3", "7h", "2h"))
        accept(table, word("1/1/1", "8h", "Th"))
        assert [line.outcome for line in table.state.ended_views[0].lines] == ["push", "lose", "lose"]
        assert len(table.state.ended_views[0].corrections) == 2

    def test_of_another_shoe_leaves_the_ledger_alone(self) -> None:
        table = played()
        table.apply(table.script.loaded(6))
        accept(table, word("0/1/3", "7h", "2h"))
        assert table.state.ledger.out == 0
        assert +table.state.ledger.seen == {}

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
        table = played()
        if why is None:
            assert consequences(table.state, said).token
            return
        with pytest.raises(NotAllowed, match=why):
            consequences(table.state, said)

    def test_a_void_one_is_not_corrected(self) -> None:
        table = StateTable("ez-bust")
        table.play("1:main=1000 close 8h 6d 8s Qh")
        table.apply_choice("void")
        with pytest.raises(NotAllowed, match="round 1 is void"):
            consequences(table.state, word("1/1/1", "8h", "9h"))

    def test_of_an_older_version_has_no_script(self) -> None:
        table = played()
        table.state.ended_rounds[0] = RoundEnded(table.state.ended_views[0])
        with pytest.raises(NotAllowed, match="the journal keeps no script of it"):
            consequences(table.state, word("1/1/1", "8h", "9h"))

    @pytest.mark.parametrize("game", sorted(GAMES))
    @settings(max_examples=12)
    @given(st.integers(0, 2**32 - 1))
    def test_is_as_if_the_right_card_had_been_read(self, game: str, seed: int) -> None:
        table = PausedTable(game, seed)
        said = table.misread(seed)
        assert said is not None
        right, pay = table.with_card(said), table.event("pay")
        assume(right is not None and right.state.round.phase == "paying")
        assert right is not None
        table.apply(pay)
        right.apply(pay)
        try:
            table.accept(replace(said, round=1))
        except NotAllowed as refused:
            assume("make the claim void first" not in str(refused))
            raise
        found, meant = table.state.ended_views[0], right.state.ended_views[0]
        assert (found.dealer, found.lines, found.bank) == (meant.dealer, meant.lines, meant.bank)
        assert [(seat.hands, seat.net, seat.insurance) for seat in found.seats] == [
            (seat.hands, seat.net, seat.insurance) for seat in meant.seats
        ]
        assert table.state.ended_rounds[0].script == right.state.ended_rounds[0].script


class TestRestart:
    """The same inputs give the same state, with or without a restart."""

    def test_after_an_ended_round_was_corrected(self, tmp_path: Path) -> None:
        table = RecordedTable(PLAYED)
        accept(table, word("0/1/3", "7h", "2h"))
        before = table.state.ended_views[0]
        assert table.recovered(tmp_path / "first").ended_views == (before,)
        table.play("close 8h 9c 6d 8s 8c Qd 1:stand 2:stand 7d pay")
        assert table.recovered(tmp_path / "second").ended_views == table.state.ended_views
        assert table.state.ended_views[1] == before

    def test_while_a_card_is_read_again(self, tmp_path: Path) -> None:
        table = RecordedTable("1:main=500 close 8h")
        table.unreadable_card()
        table.apply_choice("reread")
        state = table.recovered(tmp_path / "journal")
        assert everything(state) == everything(table.state)
        assert state.unplaced[0].again

    def test_between_a_preview_and_its_acceptance(self, tmp_path: Path) -> None:
        table, said = RecordedTable("1:main=1000 close 8h 6d 8s Qh 1:hit 5c"), word("1/1/3", "5c", "4c", 0)
        state = table.recovered(tmp_path / "journal")
        assert consequences(state, said) == consequences(table.state, said)

    def test_after_a_correction_in_play(self, tmp_path: Path) -> None:
        table = RecordedTable("1:main=1000 close 8h 6d 8s Qh 1:hit 5c")
        accept(table, word("1/1/3", "5c", "4c", 0))
        assert everything(table.recovered(tmp_path / "journal")) == everything(table.state)

    def test_the_alert_and_the_reason_are_shown_again(self, tmp_path: Path) -> None:
        table = RecordedTable("1:main=1000 close 8h 6d 8s Qh 1:main=")
        table.unreadable_card()
        state = table.recovered(tmp_path / "journal")
        assert list(state.alerts) == ["seat 1: a main wager vanished after betting closed"]
        assert state.suspension.reasons == ("Card 5 could not be read",)
