"""A spot plays for a linked progressive: when it takes wagers, what it counts, and claims whose amount comes
from outside."""

from dataclasses import replace

import pytest

from controller.jackpot import Register
from controller.table.errors import NotAllowed
from controller.table.people.decisions import preview_decision
from controller.table.record.events import (
    ClaimStep,
    LevelChanged,
    RequestAnswered,
    RequestMade,
    ShareWon,
    Supervisor,
)
from controller.table.record.notes import Alert, ClaimMoved, LevelRead, MeterMoved, RoundEnded
from controller.table.state.snapshot import restore_snapshot, take_snapshot
from controller.table.view.build import build_view
from controller.table.view.console import prompt
from controller.table.view.display import display, levels
from drivers.protocol.codes import Lamp, LevelState
from tests.fixtures.jackpot_table import IN, LOSES, SPOT
from tests.fixtures.linked_table import EPOCH, LEVEL, SHOWN, TABLE, LinkedTable, linked_table, signed
from tests.fixtures.state_table import lamp, of_kind

CLAIM = f"{TABLE}/{EPOCH}/1/1/{LEVEL}"
HIT = f"{IN} 7h 9c 7h 7h 8c"
"""Seat 1 has three suited 7s: a tenth."""
TO_THE_END = "Th 1:stand 2:stand"
SHARE = 100_003


def place(table: LinkedTable) -> int:
    return table.table.state.game.spots.index(SPOT)


def contradict(table: LinkedTable) -> None:
    """The progressive announces another history, which the table then has in its journal."""
    amount = table.says.next().model_copy(update={"hash": "f" * 64})
    table.levels.hear(amount, signed(amount))
    table.levels.check()


def decide(table: LinkedTable, cents: int = SHARE, claim: str = CLAIM) -> None:
    table.says.decided(claim, 1, cents)
    table.hear()


class TestOpening:
    def test_a_level_takes_no_wager_before_three_amounts(self) -> None:
        table = linked_table(opened=False)
        for _ in range(2):
            table.hear()
            assert (table.state, lamp(table.table.state, 1, place(table))) == ("lost", Lamp.OFF)
        table.hear()
        assert (table.state, lamp(table.table.state, 1, place(table))) == ("open", Lamp.OPEN)

    def test_chips_on_a_closed_spot_are_no_wager_until_it_opens(self) -> None:
        table = linked_table(opened=False)
        table.play("1:main=500 1:blazing-7s=100")
        assert SPOT not in table.table.state.round.seats[1].wagers
        assert "not in play" in " ".join(table.table.state.standing.values())
        table.hear(3)
        assert table.table.state.round.seats[1].wagers[SPOT] == 100
        assert not table.table.state.standing

    def test_five_seconds_without_an_amount_close_it_and_less_do_not(self) -> None:
        table = linked_table()
        table.play("1:main=500 1:blazing-7s=100")
        table.wait(4.9)
        assert table.state == "open"
        table.hear(every=0.05)
        table.wait(5.1)
        assert table.state == "lost"
        state = table.table.state
        assert lamp(state, 1, place(table)) == Lamp.OFF
        assert state.round.seats[1].wagers == {"main": 500}
        assert state.standing["linked sevens"] == (
            "The linked jackpot sevens is closed: no new amount for 5 seconds"
        )
        assert levels(state) == ((SHOWN, LevelState.LINK_LOST),)
        assert display(state)[2] == "Closed now: blazing-7s"
        table.play("close 9h 9d 9s 9c 1:stand pay")  # the base game goes on
        table.hear(2)
        assert table.state == "lost"
        table.hear()
        assert table.state == "open"
        assert "linked sevens" not in state.standing

    def test_a_latched_wager_counts_although_the_level_closes(self) -> None:
        table = linked_table()
        table.play(IN)
        table.wait(5.1)
        state = table.table.state
        assert lamp(state, 1, place(table)) == Lamp.LATCHED
        assert "linked sevens" in state.standing
        assert not [about for about in state.standing if about.startswith("unplayed")]
        table.play("7h 9c 7h 7h 8c")
        assert [claim.seat for claim in state.register.open] == [1]

    def test_the_time_of_the_next_look_is_when_silence_ends(self) -> None:
        table = linked_table()
        assert table.levels.due() == table.now + 5.0

    def test_a_start_closes_it_until_three_amounts_come_and_warns_after_five_seconds(self) -> None:
        table = linked_table()
        table.table.restart()
        table.begin()
        assert (table.state, table.table.state.standing) == ("lost", {})
        table.wait(5.0)
        assert "linked sevens" in table.table.state.standing
        table.hear(3)
        assert table.state == "open"

    @pytest.mark.parametrize("state", ["closed", "inoperable"])
    def test_what_the_progressive_closes_is_closed(self, state: str) -> None:
        table = linked_table()
        table.says = replace(table.says, state=state)  # type: ignore[arg-type]
        table.hear()
        assert table.state == "closed"
        assert "does not play now" in table.table.state.standing["linked sevens"]
        table.says = replace(table.says, state="open")
        table.hear(3)
        assert table.state == "open"

    def test_a_progressive_in_another_currency_is_closed_with_both_named(self) -> None:
        table = linked_table(currency="EUR")
        table.says.currency = "USD"
        table.hear()
        assert table.state == "closed"
        assert table.table.state.standing["linked sevens"].endswith(
            "its progressive counts in USD, and this table plays in EUR"
        )
        table.says.currency = "EUR"
        table.hear(3)
        assert (table.state, table.table.state.standing) == ("open", {})

    def test_an_old_amount_after_a_start_is_ignored(self) -> None:
        table = linked_table()
        old = table.says.next()
        table.says.n, table.says.version = 9, 0
        table.hear(3)
        table.play(IN)
        table.table.restart()
        table.begin()
        for _ in range(3):
            table.levels.hear(old, signed(old))
        assert table.levels.levels[LEVEL].heard_at is None


class TestConflict:
    def test_two_hashes_of_one_entry_close_the_level_also_after_a_start(self) -> None:
        table = linked_table()
        contradict(table)
        assert table.state == "closed"
        table.hear(4)
        assert table.state == "closed"
        table.table.restart()
        table.begin()
        table.hear(4)
        assert table.state == "closed"
        assert "entry 1 is" in table.table.state.standing["linked sevens"]

    def test_two_persons_clear_it_and_three_amounts_open_the_level(self) -> None:
        table = linked_table()
        contradict(table)
        choice = Supervisor("relink", "Ann", "settled", None)
        assert preview_decision(table.table.state, choice).by_two
        with pytest.raises(NotAllowed, match="allowed: another person than Ann"):
            table.table.apply(choice)
        table.table.apply(replace(choice, second="Bob"))
        table.levels.check()
        table.hear(2)
        assert table.state == "lost"
        table.hear()
        assert (table.state, table.table.state.standing) == ("open", {})
        with pytest.raises(NotAllowed, match="no linked jackpot contradicts itself"):
            preview_decision(table.table.state, choice)

    def test_a_request_to_clear_it_needs_another_supervisor(self) -> None:
        table = linked_table()
        contradict(table)
        word = Supervisor("relink", "Ann", "settled", None)
        table.table.apply(RequestMade("relink", "Ann", "supervisor", "settled", word))
        (request,) = table.table.state.shift.requests.open
        assert request.needs == 1
        table.table.apply(RequestAnswered(request.number, True, "Bob", "supervisor", "agreed"))
        assert table.table.state.linked[LEVEL].conflict == ""


class TestCounting:
    def test_wagers_count_when_betting_closes_and_no_meter_of_the_table_moves(self) -> None:
        table = linked_table()
        own = table.table.state.meters[SPOT]
        notes = table.play(IN)
        assert of_kind(LevelRead, notes) == [LevelRead(LEVEL, 1, 2, 200, 0, 0)]
        assert not of_kind(MeterMoved, notes)
        assert table.table.state.meters[SPOT] == own
        assert table.table.state.script_writer.linked == [SPOT]

    def test_players_play_for_the_amount_that_the_journal_then_has(self) -> None:
        table = linked_table()
        table.says.cents = SHOWN + 77
        table.hear()
        before = len(table.delivered)
        table.play(IN)
        (recorded,) = table.delivered[before:]
        assert isinstance(recorded, LevelChanged)
        assert (recorded.cents, recorded.state) == (SHOWN + 77, "open")
        assert table.table.state.script_writer.meters == {SPOT: SHOWN + 77}

    def test_an_amount_that_nobody_plays_for_is_not_recorded(self) -> None:
        table = linked_table()
        table.says.cents = SHOWN + 77
        table.hear()
        before = len(table.delivered)
        table.play("1:main=500 close")
        assert table.delivered[before:] == []

    def test_the_wagers_of_a_void_round_are_void_and_stay_in_the_count(self) -> None:
        table = linked_table()
        table.play(IN)
        decision = Supervisor("void", "Ann", "seen", None, "Bob")
        preview = preview_decision(table.table.state, decision)
        assert preview.by_two
        assert (
            "The linked jackpot of blazing-7s loses what the wagers of this round brought"
            in preview.sentences
        )
        notes = table.table.apply(decision)
        assert of_kind(LevelRead, notes) == [LevelRead(LEVEL, 1, 2, 200, 2, 200)]
        table.play(IN)
        assert table.table.state.linked[LEVEL].counts.wagers == 4

    def test_counts_are_in_the_snapshot(self) -> None:
        table = linked_table()
        table.play(f"{IN} {LOSES} 1:stand 2:stand 9d pay")
        restored = restore_snapshot(take_snapshot(table.table.state))
        assert restored.linked == table.table.state.linked


class TestClaims:
    def test_a_share_is_claimed_without_an_amount_and_shown_as_pending(self) -> None:
        table = linked_table()
        notes = table.play(HIT)
        (claim,) = table.table.state.register.open
        assert (claim.level, claim.share, claim.decided, claim.shown) == (LEVEL, "10%", False, SHOWN)
        assert of_kind(Alert, notes)[-1] == Alert(
            "Jackpot: seat 1, three suited 7s: 10% of the jackpot: the amount is PENDING, claim 1"
        )
        state = table.table.state
        assert levels(state) == ((SHOWN, LevelState.PENDING),)
        assert display(state)[2] == "Jackpot, seat 1: PENDING"
        assert prompt(state)[0].startswith("Jackpot PENDING, seat 1: confirm claim 1. ")
        assert build_view("T", state, ()).claims[0].amount is None

    def test_the_decided_amount_is_an_input_and_then_shown(self) -> None:
        table = linked_table()
        table.play(HIT)
        decide(table)
        (won,) = [event for event in table.delivered if isinstance(event, ShareWon)]
        assert (won.claim, won.cents, won.order, won.n) == (1, SHARE, (17, 0), 2)
        state = table.table.state
        (claim,) = state.register.open
        assert (claim.cents, claim.order, claim.decided) == (SHARE, (17, 0), True)
        assert levels(state) == ((SHARE, LevelState.WIN),)
        assert display(state)[2] == "Jackpot, seat 1: 1000.03"
        assert prompt(state)[0].startswith("Jackpot 1000.03, seat 1: confirm claim 1. ")
        table.hear()
        assert len([event for event in table.delivered if isinstance(event, ShareWon)]) == 1

    def test_a_claim_is_paid_only_after_its_amount_is_decided(self) -> None:
        table = linked_table()
        table.play(HIT)
        table.table.apply(ClaimStep(1, "confirm", "Dee", "seen"))
        with pytest.raises(NotAllowed, match="sevens has not decided its amount: verify is not possible"):
            table.table.apply(ClaimStep(1, "verify", "Sue", "seen"))
        decide(table)
        own = table.table.state.meters[SPOT]
        notes = table.table.apply(
            ClaimStep(1, "verify", "Sue", "seen"), ClaimStep(1, "pay", "Pat", "paid by hand")
        )
        assert [note.claim.state for note in notes if isinstance(note, ClaimMoved)] == ["verified", "paid"]
        assert table.table.state.meters[SPOT] == own

    def test_a_large_share_needs_a_second_person_once_it_is_known(self) -> None:
        table = linked_table()
        table.play(HIT)
        decide(table, 600_000)
        table.table.apply(ClaimStep(1, "confirm", "Dee", "seen"), ClaimStep(1, "verify", "Sue", "seen"))
        assert table.table.state.register.by_number(1).state == "checked"

    def test_the_round_ends_without_an_amount_and_the_claim_stays(self) -> None:
        table = linked_table()
        notes = table.play(f"{HIT} {TO_THE_END} pay")
        (ended,) = of_kind(RoundEnded, notes)
        assert isinstance(ended, RoundEnded)
        (line,) = [line for line in ended.round.lines if line.pays == "10%"]
        assert (line.outcome, line.paid) == ("win", None)
        assert ended.script is not None
        assert ended.script.linked == (SPOT,)
        decide(table)
        assert table.table.state.register.by_number(1).cents == SHARE

    def test_a_void_round_makes_its_claim_void_also_before_the_amount_is_known(self) -> None:
        table = linked_table()
        table.play(HIT)
        table.table.apply(Supervisor("void", "Ann", "seen", None, "Bob"))
        table.levels.check()
        assert table.table.state.register.open == ()
        level = table.levels.levels[LEVEL]
        assert level.undecided == (CLAIM,)  # whether the progressive locked it is not known
        decide(table)
        (own,) = table.levels.levels[LEVEL].unconfirmed
        assert (own.claim, own.ended) == (CLAIM, "void")
        assert table.table.state.register.by_number(1).cents == SHARE

    def test_two_amounts_of_one_claim_close_the_level(self) -> None:
        table = linked_table()
        table.play(HIT)
        decide(table)
        (announced,) = table.says.claims
        table.says.claims = (announced.model_copy(update={"cents": SHARE + 1}),)
        table.hear()
        assert table.state == "closed"
        assert "100004 cents, and was 100003" in table.table.state.standing["linked sevens"]

    def test_claims_survive_a_start(self) -> None:
        table = linked_table()
        table.play(f"{HIT} {TO_THE_END} pay 1:blazing-7s= 2:blazing-7s=")
        state = restore_snapshot(take_snapshot(table.table.state))
        assert isinstance(state.register, Register)
        table.table.state = state
        table.table.restart()
        table.begin()
        assert table.levels.levels[LEVEL].undecided == (CLAIM,)
        decide(table)
        assert state.register.by_number(1).cents == SHARE

    def test_a_misread_card_voids_its_claim_and_no_wager(self) -> None:
        table = linked_table()
        table.play(HIT)
        fix = Supervisor("correct", "Ann", "seen", "8h", "Bob", seat=1, hand=1, number=1, old="7h")
        assert preview_decision(table.table.state, fix)
        table.table.apply(fix)
        assert table.table.state.register.open == ()
        assert table.table.state.linked[LEVEL].counts.voided == 0

    def test_a_claim_that_stays_is_not_made_again_when_another_one_goes(self) -> None:
        table = linked_table()
        table.play(f"{IN} 7h 7h 7h 7h 7h")
        assert [claim.seat for claim in table.table.state.register.open] == [2, 1]
        table.table.apply(
            Supervisor("correct", "Ann", "seen", "8h", "Bob", seat=1, hand=1, number=1, old="7h")
        )
        assert [(claim.number, claim.state) for claim in table.table.state.register.claims] == [
            (1, "pending"),
            (2, "void"),
        ]

    def test_a_seat_cannot_claim_another_share_of_the_same_round(self) -> None:
        table = linked_table()
        table.play(HIT)
        table.table.apply(
            Supervisor("correct", "Ann", "seen", "8h", "Bob", seat=1, hand=1, number=1, old="7h")
        )
        back = Supervisor("correct", "Ann", "seen", "7h", "Bob", seat=1, hand=1, number=1, old="8h")
        with pytest.raises(NotAllowed, match="its claim 1 for 10% is void, and there is one claim of a seat"):
            table.table.apply(back)
        assert [claim.state for claim in table.table.state.register.claims] == ["void"]
