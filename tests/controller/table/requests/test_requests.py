"""Requests: who may make and grant them, what is done, and what comes too late."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.table.errors import NotAllowed
from controller.table.people.consequences import check_token, consequences
from controller.table.record.events import ClaimStep
from controller.table.record.notes import KeyUndone, MeterMoved, RoundEnded
from controller.table.record.views import TableView
from controller.table.state.snapshot import restore_snapshot, take_snapshot
from controller.table.state.table_state import ROUNDS_KEPT
from controller.table.state_machine import apply
from controller.table.view.build import build_view
from tests.controller.table.requests.asking import declined, granted, make_request, moves
from tests.fixtures.jackpot_table import IN, SPOT, moved, shown, table
from tests.fixtures.journal_table import RecordedTable
from tests.fixtures.state_table import StateTable, everything, of_kind

PLAYED = "1:main=500 2:main=500 close 8h 7d 9c 8s Tc 9d 1:stand"
FED = f"{IN} 9h 9d 9s 9c 9h 7s"


def table_after(tokens: str = PLAYED) -> StateTable:
    at = StateTable("ez-bust")
    at.play(tokens)
    return at


def seen(at: StateTable) -> TableView:
    return build_view("T", at.state, ())


class TestUndo:
    def test_is_done_by_who_grants_it(self) -> None:
        at = table_after()
        assert moves(at.apply(make_request("undo"))) == [(1, "open", "Dee")]
        (one,) = seen(at).requests
        assert (one.about, one.who, one.needs, one.round) == ("undo", "Dee", 1, 1)
        assert one.sentences[:2] == ("Stand of seat 1 is taken back", "Seat 1 plays on")
        notes = at.apply(granted(1, "Ann"))
        assert moves(notes) == [(1, "granted", "Ann")]
        (note,) = of_kind(KeyUndone, notes)
        assert isinstance(note, KeyUndone)
        assert (note.who, note.second, note.why) == ("Ann", "", "asked for")
        assert at.state.round.due.seat == 1
        (done,) = seen(at).answered
        assert (done.request.state, done.who, seen(at).requests) == ("granted", "Ann", ())

    @pytest.mark.parametrize(
        ("happens", "why"),
        [("2:stand", "the round has gone on since"), ("4c", "a card has come since")],
    )
    def test_comes_too_late(self, happens: str, why: str) -> None:
        at = table_after()
        at.apply(make_request("undo"))
        assert moves(at.play(happens)) == [(1, "failed", "")]
        with pytest.raises(NotAllowed, match=f"request 1 came too late: {why}"):
            at.apply(granted(1, "Ann"))

    def test_is_asked_for_only_where_it_can_be_done(self) -> None:
        at = table_after("1:main=500")
        with pytest.raises(NotAllowed, match="no key of round 1"):
            at.apply(make_request("undo"))
        assert seen(at).requests == ()

    def test_holds_for_what_was_looked_at(self) -> None:
        at = table_after()
        at.apply(make_request("undo"))
        fresh = consequences(at.state, granted(1, "Ann"))
        with pytest.raises(NotAllowed, match="allowed: that of a fresh preview"):
            check_token(at.state, granted(1, "Ann", token=fresh.token[::-1]))
        check_token(at.state, granted(1, "Ann", token=fresh.token))
        assert moves(at.apply(granted(1, "Ann", token=fresh.token))) == [(1, "granted", "Ann")]


class TestPersons:
    def test_who_asks_grants_nothing(self) -> None:
        at = table()
        at.play(FED)
        at.apply(make_request("void", "Ann", "supervisor"))
        for name in ("Ann", " ann "):
            with pytest.raises(NotAllowed, match="has asked for it: another person grants it"):
                at.apply(granted(1, name))

    def test_a_dealer_grants_nothing_and_declines_nothing_of_others(self) -> None:
        at = table_after()
        at.apply(make_request("undo"))
        with pytest.raises(NotAllowed, match="Don is dealer: a supervisor grants"):
            at.apply(granted(1, "Don", "dealer"))
        with pytest.raises(NotAllowed, match="Don is dealer: a supervisor declines what Dee"):
            at.apply(declined(1, "Don", "dealer"))

    def test_of_two_who_answer_one_is_told_of_the_other(self) -> None:
        at = table_after()
        at.apply(make_request("undo"), granted(1, "Ann"))
        for late in (granted(1, "Bob"), declined(1, "Bob")):
            with pytest.raises(NotAllowed, match="request 1 was granted by Ann"):
                at.apply(late)

    def test_who_asked_may_withdraw_it(self) -> None:
        at = table_after()
        at.apply(make_request("help"))
        assert moves(at.apply(declined(1, "dee", "dealer"))) == [(1, "withdrawn", "dee")]

    def test_nobody_asks_twice_for_the_same(self) -> None:
        at = table_after()
        at.apply(make_request("help"))
        with pytest.raises(NotAllowed, match="request 1 of Dee asks for that already"):
            at.apply(make_request("help", "DEE"))

    def test_who_may_ask_for_what(self) -> None:
        at = table_after()
        with pytest.raises(NotAllowed, match="a supervisor cannot ask for undo; allowed: assign, correct"):
            at.apply(make_request("undo", "Ann", "supervisor"))
        with pytest.raises(NotAllowed, match="a technician cannot ask for help; allowed: nothing"):
            at.apply(make_request("help", "Ted", "technician"))


class TestVoid:
    def test_begun_by_one_supervisor_is_granted_by_another(self) -> None:
        at = table()
        before = shown(at)
        at.play(FED)
        fed = shown(at)
        assert fed > before
        at.apply(make_request("void", "Ann", "supervisor"))
        (one,) = seen(at).requests
        assert (one.needs, one.sentences[0]) == (1, "Every wager of round 1 is given back")
        assert any(sentence.startswith(f"The jackpot of {SPOT}") for sentence in one.sentences)
        assert not consequences(at.state, granted(1, "Bob")).by_two  # the second person is whoever grants it
        notes = at.apply(granted(1, "Bob"))
        (move,) = of_kind(MeterMoved, notes)
        assert isinstance(move, MeterMoved)
        assert (move.who, move.second, shown(at)) == ("Ann", "Bob", before)
        assert of_kind(RoundEnded, notes)
        assert moves(notes) == [(1, "granted", "Bob")]

    def test_asked_by_a_dealer_takes_two_where_a_meter_moved(self) -> None:
        at = table()
        at.play(FED)
        at.apply(make_request("void"))
        assert seen(at).requests[0].needs == 2
        assert moves(at.apply(granted(1, "Ann"))) == [(1, "open", "Ann")]
        assert seen(at).requests[0].grants == ("Ann",)
        with pytest.raises(NotAllowed, match="Ann has granted it already"):
            at.apply(granted(1, "ANN"))
        notes = at.apply(granted(1, "Bob"))
        assert moves(notes) == [(1, "granted", "Bob")]
        (move,) = of_kind(MeterMoved, notes)
        assert isinstance(move, MeterMoved)
        assert (move.who, move.second) == ("Ann", "Bob")

    def test_asked_by_a_dealer_takes_one_where_none_did(self) -> None:
        at = table_after()
        at.apply(make_request("void"))
        assert of_kind(RoundEnded, at.apply(granted(1, "Ann")))

    def test_takes_one_more_where_a_jackpot_had_moved_and_an_older_version_took_the_grant(self) -> None:
        at = table()
        at.play("1:main=500 1:blazing-7s=100")
        at.apply(make_request("void"))
        at.play("close")
        with pytest.raises(NotAllowed, match="would do something else now than Dee asked for"):
            consequences(at.state, granted(1, "Ann"))
        assert moves(at.apply(granted(1, "Ann"))) == [(1, "open", "Ann")]
        assert seen(at).requests[0].needs == 2
        assert of_kind(RoundEnded, at.apply(granted(1, "Bob")))

    def test_tells_of_its_claims_and_comes_too_late_once_one_is_verified(self) -> None:
        at = table()
        at.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand")
        at.apply(make_request("void", "Ann", "supervisor"))
        assert "Claim 1 of seat 1, 1000.03, is void with it" in seen(at).requests[0].sentences
        at.apply(ClaimStep(1, "confirm", "Dee", "seen"))
        assert moves(at.apply(ClaimStep(1, "verify", "Bob", "seen"))) == [(1, "failed", "")]
        why = "claim 1 of this round is verified: make the claim void first"
        assert seen(at).answered[0].why == why

    def test_comes_too_late_for_another_round(self) -> None:
        at = table_after()
        at.apply(make_request("void"))
        assert moves(at.play("2:stand")) == []
        at.play("pay")
        (done,) = seen(at).answered
        assert (done.request.state, done.why, done.who) == ("failed", "round 1 has ended", "")


class TestCorrect:
    def test_is_told_and_done_as_a_supervisor_would(self) -> None:
        at = table_after("1:main=500 close 8h 9c 9d Kc")
        at.apply(make_request("correct", seat=1, number=1, old="8h", card="7h"))
        assert seen(at).requests[0].sentences[0] == "Card 7h of seat 1 was read as 8h"
        at.apply(granted(1, "Ann"))
        assert at.state.round.seats[1].hands[0].cards[0] == "7h"

    def test_of_an_ended_round_waits_while_others_are_played(self) -> None:
        at = table_after("1:main=500 close 8h 9c 9d Kc 1:stand pay")
        at.apply(make_request("correct", seat=1, number=1, old="8h", card="7h", round=1))
        at.play("2:main=500 close 8h 7c 5d Kc")
        assert moves(at.apply(granted(1, "Ann"))) == [(1, "granted", "Ann")]
        assert at.state.ended_views[0].corrections

    def test_of_an_ended_round_comes_too_late_once_that_was_put_right(self) -> None:
        at = table_after("1:main=500 close 8h 9c 9d Kc 1:stand pay")
        for who, new in (("Dee", "7h"), ("Don", "6h")):
            at.apply(make_request("correct", who, seat=1, number=1, old="8h", card=new, round=1))
        assert moves(at.apply(granted(1, "Ann"))) == [(1, "granted", "Ann"), (2, "failed", "")]
        assert seen(at).answered[0].why == "round 1 was corrected since"

    def test_of_a_round_that_is_not_kept_any_more(self) -> None:
        at = table_after("1:main=500 close 8h 9c 9d Kc 1:stand pay")
        at.apply(make_request("correct", seat=1, number=1, old="8h", card="7h", round=1))
        at.state.ended_rounds.clear()
        assert moves(at.play("2:main=500")) == [(1, "failed", "")]
        assert seen(at).answered[0].why == "round 1 is not kept any more"

    def test_is_not_asked_for_with_what_was_seen_before_something_happened(self) -> None:
        at = table_after()
        stale = make_request("correct", seat=1, number=1, old="8h", card="7h")
        assert stale.word is not None
        token = consequences(at.state, stale).token
        at.play("2:stand")
        with pytest.raises(NotAllowed, match="what it does has changed meanwhile"):
            check_token(at.state, replace(stale, word=replace(stale.word, token=token)))

    def test_that_is_not_possible_is_not_asked_for(self) -> None:
        at = table_after()
        with pytest.raises(NotAllowed, match="was read as 8h"):
            at.apply(make_request("correct", seat=1, number=1, old="2h", card="7h"))


class TestMeter:
    def test_is_corrected_once_another_supervisor_grants_it(self) -> None:
        at = table()
        before = shown(at)
        at.apply(make_request("meter", "Ann", "supervisor", spot=SPOT, cents=before + 500))
        assert len(seen(at).requests[0].sentences) == 1
        notes = at.apply(granted(1, "Bob"))
        assert moved(notes) == [("correction", before, before + 500)]
        (note,) = of_kind(MeterMoved, notes)
        assert isinstance(note, MeterMoved)
        assert (note.who, note.second) == ("Ann", "Bob")

    def test_comes_too_late_once_it_has_moved(self) -> None:
        at = table()
        at.apply(make_request("meter", "Ann", "supervisor", spot=SPOT, cents=shown(at) + 500))
        at.play(IN)
        assert "has gone from" in seen(at).answered[0].why

    def test_that_is_not_there(self) -> None:
        with pytest.raises(NotAllowed, match="there is no jackpot blazing-8s; allowed: blazing-7s"):
            table().apply(make_request("meter", "Ann", "supervisor", spot="blazing-8s", cents=500))


def test_requests_come_back_with_a_snapshot() -> None:
    at = table_after("1:main=500")
    at.apply(make_request("help"), declined(1, "Ann"), make_request("help"))
    assert restore_snapshot(take_snapshot(at.state)).shift.requests == at.state.shift.requests


def test_open_requests_survive_a_restart(tmp_path: Path) -> None:
    at = RecordedTable(PLAYED)
    at.apply(make_request("undo"), make_request("help", "Don"), granted(1, "Ann"))
    state = at.recovered(tmp_path / "journal")
    assert everything(state) == everything(at.state)
    assert [one.number for one in state.shift.requests.open] == [2]
    apply(state, granted(2, "Ann"))
    assert not state.shift.requests.open


def test_answers_are_dropped_with_their_rounds() -> None:
    at = table_after("1:main=500")
    at.apply(make_request("help"), declined(1, "Ann"))
    at.state.number += ROUNDS_KEPT
    at.play("2:main=500")
    assert len(seen(at).answered) == 1
    at.apply(make_request("help"))
    at.state.number += 1
    at.play("2:main=")
    assert seen(at).answered == ()
    at.state.number += ROUNDS_KEPT
    at.apply(granted(2, "Ann"))
    assert [done.who for done in seen(at).answered] == ["Ann"]


def test_a_request_beyond_the_limit_is_refused() -> None:
    at = table_after()
    at.apply(*(make_request("help", f"Dee {number}") for number in range(20)))
    with pytest.raises(NotAllowed, match="20 requests are open"):
        at.apply(make_request("help", "Dee 20"))


def test_an_unknown_request_is_refused() -> None:
    at = table_after()
    at.apply(make_request("help"))
    with pytest.raises(NotAllowed, match="there is no open request 7; open: 1"):
        at.apply(granted(7, "Ann"))
