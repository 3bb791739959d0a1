"""Claims at the table: each step, the meters that follow, and what is frozen until then."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.jackpot import UNITS, Register, Step, Unbalanced
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.table.apply import jackpots
from controller.table.errors import NotAllowed
from controller.table.record.events import ClaimStep, MeterCorrection
from controller.table.record.notes import ClaimMoved, MeterMoved, Refusal
from controller.table.record.rules import Progressive
from controller.table.recovery import recover
from controller.table.state.snapshot import restore_snapshot, snapshot_row, take_snapshot
from controller.table.view.console import keys, prompt
from controller.table.view.display import display
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import loop_table
from tests.fixtures.state_table import StateTable, of_kind

SPOT = "blazing-7s"
SEED = 1_000_000
SHARE = (SEED + 15) // 10
HIT = "1:main=500 1:blazing-7s=100 close 7h 7h 7h 9c 1:stand 9d pay"
"""Seat 1 has won a tenth; the round is over, and its chips are still there."""
WHO = {"confirm": "Dee", "verify": "Sue", "second": "Tom", "pay": "Pat", "void": "Van"}


def hit(fed: Progressive | None = None, tokens: str = HIT) -> StateTable:
    table = StateTable("blackjack-x")
    if fed:
        table.script = Script("blackjack-x", jackpots={SPOT: fed})
        table.begin()
    table.play(tokens)
    return table


def said(step: Step, number: int = 1, who: str = "") -> ClaimStep:
    return ClaimStep(number, step, who or WHO[step], f"why {step}")


def take_steps(table: StateTable, *steps: Step) -> None:
    table.apply(*map(said, steps))


class TestSteps:
    def test_lead_to_a_payment_from_what_is_locked(self) -> None:
        table = hit()
        books = table.state.meters[SPOT].books
        assert (books.locked, books.paid, books.hits) == (SHARE * UNITS, 0, 1)
        notes = table.apply(said("confirm"), said("verify"))
        assert of_kind(MeterMoved, notes) == []
        assert [note.claim.state for note in notes if isinstance(note, ClaimMoved)] == [
            "confirmed",
            "verified",
        ]
        (move, claim) = table.apply(said("pay"))
        books = table.state.meters[SPOT].books
        left = SEED + 15 - SHARE
        assert move == MeterMoved(SPOT, "win", left, left, "Claim 1: why pay", "Pat", "", books)
        assert (books.locked, books.paid) == (0, SHARE * UNITS)
        assert isinstance(claim, ClaimMoved)
        assert (claim.claim.payer, table.state.register.open) == ("Pat", ())

    def test_void_gives_it_back_to_the_jackpot(self) -> None:
        table = hit()
        notes = table.apply(said("void"))
        (move,) = of_kind(MeterMoved, notes)
        assert isinstance(move, MeterMoved)
        assert (move.kind, move.before, move.after, move.who) == (
            "correction",
            SEED + 15 - SHARE,
            SEED + 15,
            "Van",
        )

    def test_of_a_large_share_need_a_second_person(self) -> None:
        table = hit(Progressive(second_over=SHARE - 1))
        take_steps(table, "confirm", "verify")
        with pytest.raises(
            NotAllowed, match="claim 1 is checked: pay is not possible; allowed: second, void"
        ):
            table.apply(said("pay"))
        with pytest.raises(NotAllowed, match="claim 1: sue is its supervisor; second needs another person"):
            table.apply(said("second", who="sue"))
        take_steps(table, "second", "pay")
        assert table.state.register.claims[0].second == "Tom"

    def test_that_approve_keep_the_reason_of_the_verification(self) -> None:
        table = hit(Progressive(second_over=SHARE - 1))
        take_steps(table, "confirm", "verify")
        table.apply(ClaimStep(1, "second", "Tom", ""))
        move, claim = table.apply(ClaimStep(1, "pay", "Pat", ""))
        assert isinstance(move, MeterMoved)
        assert isinstance(claim, ClaimMoved)
        assert (move.why, claim.claim.why) == ("Claim 1: why verify", "why verify")

    def test_of_a_share_that_is_no_larger_do_not(self) -> None:
        table = hit(Progressive(second_over=SHARE))
        assert not table.state.register.claims[0].by_two

    def test_that_are_refused_change_nothing(self) -> None:
        table = hit()
        before = table.state.register, dict(table.state.meters)
        for wrong in (said("pay"), said("confirm", 2), said("second")):
            with pytest.raises(NotAllowed):
                table.apply(wrong)
        assert (table.state.register, table.state.meters) == before

    @pytest.mark.parametrize(("over", "tax"), [(SHARE, False), (SHARE - 1, True)])
    def test_a_tax_form_is_due_over_an_amount(self, over: int, tax: bool) -> None:
        assert hit(Progressive(tax_over=over)).state.register.claims[0].tax == tax

    @pytest.mark.parametrize(("seed", "tax"), [(299_990, True), (299_970, False)])
    def test_and_for_300_for_1(self, seed: int, tax: bool) -> None:
        (claim,) = hit(Progressive(seed, tax_over=1)).state.register.claims
        assert (claim.cents >= 30_000, claim.tax) == (tax, tax)


class TestFrozen:
    def test_betting_does_not_close_over_chips_on_a_frozen_spot(self) -> None:
        table = hit()
        says = "Seat 1: blazing-7s is frozen until claim 1 is paid or void: lift the chips"
        assert prompt(table.state) == (f"Jackpot 1000.01, seat 1: confirm claim 1. {says}", 1)
        assert keys(table.state) == frozenset()
        (refused,) = table.play("close")
        assert refused == Refusal("close", 0, says)

    @pytest.mark.parametrize(
        "freed",
        [
            lambda table: table.play("1:blazing-7s="),
            lambda table: table.apply(said("void")),
            lambda table: take_steps(table, "confirm", "verify", "pay"),
        ],
    )
    def test_it_closes_once_they_are_lifted_or_the_claim_is_over(
        self, freed: Callable[[StateTable], object]
    ) -> None:
        table = hit()
        freed(table)
        assert keys(table.state) == {"close"}
        table.play("close")
        assert table.state.underway

    def test_others_play_on(self) -> None:
        table = hit()
        table.play("1:blazing-7s= 2:main=500 2:blazing-7s=100 close 7h 7h 9c 9c 8c 9d 1:stand 2:stand pay")
        assert table.state.number == 3
        assert [claim.number for claim in table.state.register.open] == [1]


class TestDisplay:
    def test_names_the_seat_the_amount_and_what_it_begins_with_again(self) -> None:
        table = hit(tokens=HIT.replace("7h", "7d").replace(" pay", ""))
        table.state.table = "Main 3"
        assert display(table.state) == (
            "Main 3: now 10000.00",
            "Dealer busts with 25",
            "Jackpot, seat 1: 10000.15",
        )
        table.play("pay")
        assert display(table.state)[2] == "Jackpot, seat 1: 10000.15"
        take_steps(table, "confirm", "verify", "second", "pay")
        assert display(table.state) == ("Buster Blackjack X", "Place your bets", "")


class TestCorrection:
    WORD = MeterCorrection(SPOT, SEED + 500, "Ann", "Bob", "sensor counted twice")

    def test_sets_what_a_meter_shows(self) -> None:
        table = StateTable("blackjack-x")
        (move,) = table.apply(self.WORD)
        assert move == MeterMoved(
            SPOT,
            "correction",
            SEED,
            SEED + 500,
            "sensor counted twice",
            "Ann",
            "Bob",
            table.state.meters[SPOT].books,
        )
        table.apply(replace(self.WORD, cents=SEED))
        assert table.state.meters[SPOT].cents == SEED

    @pytest.mark.parametrize(
        ("fields", "says"),
        [
            ({"second": "ann "}, "second = 'ann ': not allowed; allowed: another person than Ann"),
            ({"second": " "}, "second = ' ': not allowed"),
            ({"spot": "main"}, "there is no jackpot main; allowed: blazing-7s"),
            ({"cents": SEED - 1}, r"a meter of 9999.99 is not possible; allowed: 10000.00 or more"),
        ],
    )
    def test_of_what_is_not_allowed(self, fields: dict[str, Any], says: str) -> None:
        table = StateTable("blackjack-x")
        with pytest.raises(NotAllowed, match=says):
            table.apply(replace(self.WORD, **fields))
        assert table.state.meters[SPOT].cents == SEED

    def test_waits_while_wagers_are_in_play(self) -> None:
        table = hit(tokens="1:main=500 1:blazing-7s=100 close")
        with pytest.raises(NotAllowed, match="round 1 is in play: a meter is corrected between rounds"):
            table.apply(self.WORD)


def test_claims_survive_a_snapshot() -> None:
    table = hit()
    take_steps(table, "confirm")
    again = restore_snapshot(take_snapshot(table.state))
    assert (again.register, again.meters) == (table.state.register, table.state.meters)


def test_a_start_refuses_what_is_locked_without_a_claim(tmp_path: Path) -> None:
    script = Script("blackjack-x")
    with loop_table(tmp_path / "j", script.started()) as played:
        played.apply(*list(script.opening())[1:], script.loaded(8))
        table = StateTable.of(played.table.state, script)
        played.apply(*map(table.event, HIT.split()))
        table.state.register = Register(1)
        played.journal.append([snapshot_row(0.0, table.state)])
    with (
        Journal(tmp_path / "j") as journal,
        pytest.raises(JournalError, match="units are locked, open claims are for 0"),
    ):
        recover(journal, script.started())


def test_what_is_locked_without_a_claim_is_a_fault_of_ours() -> None:
    table = hit()
    table.state.register = replace(table.state.register, claims=())
    with pytest.raises(
        Unbalanced, match=f"blazing-7s: {SHARE * UNITS} units are locked, open claims are for 0"
    ):
        jackpots.audit(table.state)
    with pytest.raises(Unbalanced):
        table.play("1:main=")
