from dataclasses import replace
from typing import Any

import pytest

from controller.jackpot import HITS_KEPT, Claim, ClaimRefused, Register

CLAIM = Claim(1, "blazing-7s", 7, 2, ("7d", "7d", "7d"), "three 7s of diamonds", "100%", 900, 900, 500)


def numbered(number: int, **fields: Any) -> Claim:
    return replace(CLAIM, number=number, **fields)


def test_claims_are_numbered_in_the_order_of_their_hits() -> None:
    register = Register().add(CLAIM).add(numbered(2))
    assert [claim.number for claim in register.claims] == [1, 2]
    for wrong in (2, 4):
        with pytest.raises(ValueError, match=f"claim {wrong} is not the next one, 3"):
            register.add(numbered(wrong))


def test_what_is_locked_is_of_the_open_claims_of_a_jackpot() -> None:
    register = Register().add(CLAIM).add(numbered(2, cents=50)).add(numbered(3, spot="other", cents=7))
    assert (register.locked("blazing-7s"), register.locked("other")) == (950, 7)
    paid = register.put(numbered(1, state="paid"))
    assert paid.locked("blazing-7s") == 50
    assert [claim.number for claim in paid.open] == [2, 3]


def test_the_claims_of_a_round_leave_out_void_ones() -> None:
    register = Register().add(CLAIM).add(numbered(2)).add(numbered(3, round=8)).put(numbered(1, state="void"))
    assert [claim.number for claim in register.of_round(7)] == [2]


def test_an_unknown_claim_number_is_refused() -> None:
    with pytest.raises(ClaimRefused, match="there is no claim 1; open claims: none is open"):
        Register().by_number(1)
    with pytest.raises(ClaimRefused, match="there is no claim 9; open claims: 1, 2"):
        Register().add(CLAIM).add(numbered(2)).by_number(9)


def test_the_last_hits_of_each_jackpot_are_kept_and_all_that_are_open() -> None:
    register = (
        Register().add(CLAIM).add(numbered(2, spot="other")).put(numbered(2, spot="other", state="paid"))
    )
    for number in range(3, 3 + HITS_KEPT + 5):
        register = register.add(numbered(number)).put(numbered(number, state="paid"))
    numbers = [claim.number for claim in register.claims]
    assert numbers == [1, 2, *range(8, 33)]
