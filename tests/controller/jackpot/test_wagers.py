"""A short form of `python -m tests.controller.jackpot.wagers`."""

import pytest

from tests.controller.jackpot.fire import Differs, Fire
from tests.controller.jackpot.hits import play
from tests.controller.jackpot.interleaved import interleave
from tests.controller.jackpot.wagers import run

HAPPENED = (
    "hits of 10 %",
    "hits of 100 %",
    "claims: pay",
    "claims: void",
    "claims: second",
    "voids",
    "voids refused",
    "corrections",
    "changes",
    "crashes",
    "steps refused",
)


def test_wagers_hits_and_crashes_leave_every_unit_where_the_ledger_has_it() -> None:
    count = run(100_000, 7)
    assert count["wagers"] >= 100_000
    assert all(count[what] for what in HAPPENED), count


def test_steps_of_claims_in_any_order_end_each_of_them_once() -> None:
    count = interleave(300, 7)
    assert count["orders"] == 300
    assert count["paid"] + count["void"] == 900


def test_the_ledger_notices_a_unit() -> None:
    fire = Fire(1)
    fire.ledger.reserve += 1
    with pytest.raises(Differs):
        fire.feed(1)


def test_the_ledger_notices_a_claim() -> None:
    fire = Fire(1)
    play(fire, [2], {2: "hh"}, "h")
    fire.ledger.claims[1].state = "verified"
    with pytest.raises(Differs):
        fire.check()
