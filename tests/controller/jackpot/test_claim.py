"""Every step of a claim in every state, and who may take it."""

from dataclasses import replace
from typing import get_args

import pytest

from controller.jackpot import BINDING, OPEN, Claim, ClaimRefused, Step, move, void_claim
from controller.jackpot.claims import MOVES, State
from controller.text.characters import same_name

STATES: tuple[State, ...] = get_args(State)
STEPS: tuple[Step, ...] = get_args(Step)

ALONE = Claim(3, "blazing-7s", 7, 2, ("7d", "7d", "7d"), "three 7s of diamonds", "100%", 900, 900, 500)
TWO = replace(ALONE, by_two=True)
CREW = {"confirm": "Dee", "verify": "Sue", "second": "Tom", "pay": "Pat", "void": "Van"}


def after(claim: Claim, *steps: Step) -> Claim:
    for step in steps:
        claim = move(claim, step, CREW[step], f"why {step}")
    return claim


def test_one_supervisor_verifies_what_is_not_over_the_amount() -> None:
    paid = after(ALONE, "confirm", "verify", "pay")
    assert (paid.state, paid.dealer, paid.supervisor, paid.second, paid.payer) == (
        "paid",
        "Dee",
        "Sue",
        "",
        "Pat",
    )
    assert paid.why == "why pay"


def test_a_second_person_verifies_what_is() -> None:
    once = after(TWO, "confirm", "verify")
    assert once.state == "checked"
    with pytest.raises(ClaimRefused, match="claim 3 is checked: pay is not possible; allowed: second, void"):
        after(once, "pay")
    assert after(once, "second", "pay").state == "paid"


def test_a_paid_claim_takes_no_further_step() -> None:
    paid = after(ALONE, "confirm", "verify", "pay")
    for step in STEPS:
        with pytest.raises(ClaimRefused, match="is not possible; allowed: nothing more"):
            move(paid, step, "Anna", "")


@pytest.mark.parametrize("claim", [ALONE, TWO])
def test_every_step_in_every_state_is_in_the_table_or_refused(claim: Claim) -> None:
    table = {(one.source, one.step): one.dest for one in MOVES if one.guard(claim)}
    for state in STATES:
        for step in STEPS:
            here = replace(claim, state=state)
            if dest := table.get((state, step)):
                assert move(here, step, "Anna", "").state == dest
            else:
                with pytest.raises(ClaimRefused, match=f"claim 3 is {state}: {step} is not possible"):
                    move(here, step, "Anna", "")


@pytest.mark.parametrize(
    ("steps", "last", "who", "role"),
    [
        (("confirm",), "verify", " dee", "dealer"),
        (("confirm",), "void", "DEE ", "dealer"),
        (("confirm", "verify"), "second", "Dee", "dealer"),
        (("confirm", "verify"), "second", "sue", "supervisor"),
        (("confirm", "verify"), "void", "dee", "dealer"),
        (("confirm", "verify", "second"), "void", "dee", "dealer"),
    ],
)
def test_each_step_needs_a_person_who_has_not_signed(
    steps: tuple[Step, ...], last: Step, who: str, role: str
) -> None:
    with pytest.raises(ClaimRefused, match=f"claim 3: {who} is its {role}; {last} needs another person"):
        move(after(TWO, *steps), last, who, "")


def test_states_that_lock_an_amount_and_that_hold_a_round() -> None:
    assert {one.source for one in MOVES} == OPEN
    assert {"verified", "paid"} == BINDING


@pytest.mark.parametrize("state", STATES)
def test_a_round_takes_along_what_nobody_verified(state: State) -> None:
    here = replace(ALONE, state=state)
    if state in BINDING:
        with pytest.raises(ClaimRefused, match=f"claim 3 is {state}: its round stays as it is"):
            void_claim(here, "Van", "void")
    else:
        gone = void_claim(here, "Van", "void")
        assert (gone.state, gone.voided_by, gone.why) == ("void", "Van", "void")


def test_case_and_spaces_do_not_make_another_person() -> None:
    assert same_name("A. Smith", " a. SMITH ")
    assert not same_name("A. Smith", "B. Smith")
