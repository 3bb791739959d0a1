"""What a void round and a corrected card do to meters and claims."""

from dataclasses import replace

import pytest

from controller.cards import Card
from controller.jackpot import Meter, Parameters
from controller.table.apply import jackpots
from controller.table.errors import NotAllowed
from controller.table.record.events import ClaimStep
from controller.table.record.notes import MeterMoved
from tests.fixtures.jackpot_table import IN, PAID, SEED, SPOT, VOID, moved, shown, table
from tests.fixtures.state_table import of_kind


class TestVoid:
    def test_puts_the_contributions_back(self) -> None:
        state_table = table()
        before = state_table.state.meters[SPOT]
        state_table.play(f"{IN} 7h 9c")
        notes = state_table.apply(VOID)
        assert of_kind(MeterMoved, notes) == [
            MeterMoved(
                SPOT, "correction", SEED + 30, SEED, "Round 1 is void: seen", "Ann", "Bob", before.books
            )
        ]
        assert state_table.state.meters[SPOT] == before

    def test_takes_claims_along_that_nobody_verified(self) -> None:
        state_table = table()
        before = state_table.state.meters[SPOT]
        state_table.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand")
        assert shown(state_table) < SEED
        state_table.apply(ClaimStep(1, "confirm", "Dee", "seen"), VOID)
        assert state_table.state.meters[SPOT] == before
        claim = state_table.state.register.by_number(1)
        assert (claim.state, claim.voided_by, claim.why) == ("void", "Ann", "Round 1 is void: seen")

    @pytest.mark.parametrize("second", ["", "  ", "ann ", "ANN"])
    def test_needs_a_second_person(self, second: str) -> None:
        state_table = table()
        state_table.play(f"{IN} 7h 9c")
        with pytest.raises(NotAllowed, match="round 1 moved the jackpot of blazing-7s: second = "):
            state_table.apply(replace(VOID, second=second))
        assert shown(state_table) == SEED + 30

    def test_is_not_possible_while_a_claim_is_verified(self) -> None:
        state_table = table()
        state_table.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand")
        state_table.apply(ClaimStep(1, "confirm", "Dee", "seen"), ClaimStep(1, "verify", "Sue", "seen"))
        with pytest.raises(NotAllowed, match="claim 1 of this round is verified: make the claim void first"):
            state_table.apply(VOID)
        state_table.apply(ClaimStep(1, "void", "Sue", "no stake"), VOID)
        assert state_table.state.meters[SPOT].books == Meter(Parameters()).books

    def test_is_never_possible_once_one_is_paid(self) -> None:
        state_table = table()
        state_table.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand")
        state_table.apply(*PAID)
        with pytest.raises(NotAllowed, match="claim 1 of this round is paid: the round stays as it is"):
            state_table.apply(VOID)

    def test_of_a_round_that_moved_nothing_notes_nothing(self) -> None:
        state_table = table()
        state_table.play("1:main=500 close")
        assert moved(state_table.apply_choice("void")) == []

    def test_leaves_what_older_claims_moved(self) -> None:
        state_table = table()
        state_table.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand pay 1:blazing-7s=")
        state_table.play("close 9h")
        before = state_table.state.meters_before[SPOT].books
        state_table.apply(*PAID, VOID)
        after = state_table.state.meters[SPOT].books
        assert (after.display, after.locked, after.paid) == (before.display, 0, before.locked)


class TestRecompute:
    def test_takes_the_steps_of_a_round_back_and_takes_them_again(self) -> None:
        state_table = table()
        state_table.play(f"{IN} 7h 9c 7h 7h 8c Th")
        seats = state_table.state.round._state.layout.seats
        hand = seats[1].hands[0]
        seats[1] = seats[1].put(0, replace(hand, cards=(Card("7d"), Card("7h"))))
        jackpots.recompute_shares(state_table.state, "misread", "Ann", "Bob")
        assert not state_table.state.register.open
        assert shown(state_table) == SEED + 30
        seats[1] = seats[1].put(0, hand)
        jackpots.recompute_shares(state_table.state, "misread again", "Ann", "Bob")
        assert [(claim.number, claim.cents) for claim in state_table.state.register.open] == [(2, 100_003)]
        assert state_table.state.meters[SPOT].books.wagers == 2
        jackpots.audit(state_table.state)
        state_table.play("1:stand 2:stand pay")

    def test_leaves_alone_what_is_the_same(self) -> None:
        state_table = table()
        state_table.play(f"{IN} 7h 9c 7h 7h 8c Th")
        state_table.apply(*PAID)
        before = state_table.state.meters, state_table.state.register
        jackpots.recompute_shares(state_table.state, "misread", "Ann", "")
        assert (state_table.state.meters, state_table.state.register) == before

    def test_leaves_a_share_void_that_a_person_made_so(self) -> None:
        state_table = table()
        state_table.play(f"{IN} 7h 9c 7h 7h 8c Th")
        state_table.apply(ClaimStep(1, "void", "Sue", "no stake"))
        jackpots.recompute_shares(state_table.state, "misread", "Ann", "")
        assert not state_table.state.register.open
        state_table.play("1:stand 2:stand pay")

    def test_is_refused_while_a_claim_holds_the_round(self) -> None:
        state_table = table()
        state_table.play(f"{IN} 7h 9c 7h 7h 8c Th")
        state_table.apply(*PAID)
        seats = state_table.state.round._state.layout.seats
        seats[1] = seats[1].put(0, replace(seats[1].hands[0], cards=(Card("7d"), Card("7h"))))
        with pytest.raises(NotAllowed, match="claim 1 of this round is paid"):
            jackpots.recompute_shares(state_table.state, "misread", "Ann", "Bob")
