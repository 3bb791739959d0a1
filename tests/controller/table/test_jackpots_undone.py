"""What a void round and a corrected card do to meters and claims."""

from dataclasses import replace

import pytest

from controller.cards import Card
from controller.jackpot import Meter, Parameters
from controller.table.apply import jackpots
from controller.table.errors import NotAllowed
from controller.table.record.events import ClaimStep
from controller.table.record.notes import MeterMoved
from tests.controller.table.jackpot import IN, PAID, SEED, SPOT, VOID, moved, shown, table
from tests.fixtures.state_table import of


class TestVoid:
    def test_puts_the_contributions_back(self) -> None:
        told = table()
        before = told.state.meters[SPOT]
        told.play(f"{IN} 7h 9c")
        notes = told.tell(VOID)
        assert of(MeterMoved, notes) == [
            MeterMoved(
                SPOT, "correction", SEED + 30, SEED, "Round 1 is void: seen", "Ann", "Bob", before.books
            )
        ]
        assert told.state.meters[SPOT] == before

    def test_takes_claims_along_that_nobody_verified(self) -> None:
        told = table()
        before = told.state.meters[SPOT]
        told.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand")
        assert shown(told) < SEED
        told.tell(ClaimStep(1, "confirm", "Dee", "seen"), VOID)
        assert told.state.meters[SPOT] == before
        claim = told.state.register.named(1)
        assert (claim.state, claim.voided_by, claim.why) == ("void", "Ann", "Round 1 is void: seen")

    @pytest.mark.parametrize("second", ["", "  ", "ann ", "ANN"])
    def test_needs_a_second_person(self, second: str) -> None:
        told = table()
        told.play(f"{IN} 7h 9c")
        with pytest.raises(NotAllowed, match="round 1 moved the jackpot of blazing-7s: second = "):
            told.tell(replace(VOID, second=second))
        assert shown(told) == SEED + 30

    def test_is_not_possible_while_a_claim_is_verified(self) -> None:
        told = table()
        told.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand")
        told.tell(ClaimStep(1, "confirm", "Dee", "seen"), ClaimStep(1, "verify", "Sue", "seen"))
        with pytest.raises(NotAllowed, match="claim 1 of this round is verified: make the claim void first"):
            told.tell(VOID)
        told.tell(ClaimStep(1, "void", "Sue", "no stake"), VOID)
        assert told.state.meters[SPOT].books == Meter(Parameters()).books

    def test_is_never_possible_once_one_is_paid(self) -> None:
        told = table()
        told.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand")
        told.tell(*PAID)
        with pytest.raises(NotAllowed, match="claim 1 of this round is paid: the round stays as it is"):
            told.tell(VOID)

    def test_of_a_round_that_moved_nothing_notes_nothing(self) -> None:
        told = table()
        told.play("1:main=500 close")
        assert moved(told.say("void")) == []

    def test_leaves_what_older_claims_moved(self) -> None:
        told = table()
        told.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand pay 1:blazing-7s=")
        told.play("close 9h")
        before = told.state.unmoved[SPOT].books
        told.tell(*PAID, VOID)
        after = told.state.meters[SPOT].books
        assert (after.display, after.locked, after.paid) == (before.display, 0, before.locked)


class TestRecompute:
    def test_takes_the_steps_of_a_round_back_and_takes_them_again(self) -> None:
        told = table()
        told.play(f"{IN} 7h 9c 7h 7h 8c Th")
        seats = told.state.round._state.layout.seats
        hand = seats[1].hands[0]
        seats[1] = seats[1].put(0, replace(hand, cards=(Card("7d"), Card("7h"))))
        jackpots.recompute(told.state, "misread", "Ann", "Bob")
        assert not told.state.register.open
        assert shown(told) == SEED + 30
        seats[1] = seats[1].put(0, hand)
        jackpots.recompute(told.state, "misread again", "Ann", "Bob")
        assert [(claim.number, claim.cents) for claim in told.state.register.open] == [(2, 100_003)]
        assert told.state.meters[SPOT].books.wagers == 2
        jackpots.audit(told.state)
        told.play("1:stand 2:stand pay")

    def test_leaves_alone_what_is_the_same(self) -> None:
        told = table()
        told.play(f"{IN} 7h 9c 7h 7h 8c Th")
        told.tell(*PAID)
        before = told.state.meters, told.state.register
        jackpots.recompute(told.state, "misread", "Ann", "")
        assert (told.state.meters, told.state.register) == before

    def test_leaves_a_share_void_that_a_person_made_so(self) -> None:
        told = table()
        told.play(f"{IN} 7h 9c 7h 7h 8c Th")
        told.tell(ClaimStep(1, "void", "Sue", "no stake"))
        jackpots.recompute(told.state, "misread", "Ann", "")
        assert not told.state.register.open
        told.play("1:stand 2:stand pay")

    def test_is_refused_while_a_claim_holds_the_round(self) -> None:
        told = table()
        told.play(f"{IN} 7h 9c 7h 7h 8c Th")
        told.tell(*PAID)
        seats = told.state.round._state.layout.seats
        seats[1] = seats[1].put(0, replace(seats[1].hands[0], cards=(Card("7d"), Card("7h"))))
        with pytest.raises(NotAllowed, match="claim 1 of this round is paid"):
            jackpots.recompute(told.state, "misread", "Ann", "Bob")
