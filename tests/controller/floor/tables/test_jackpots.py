"""The linked progressives on the floor's page: amounts, open claims, and what is wrong."""

from typing import Any

import pytest

from controller.floor.tables.alerts import FloorCause
from controller.floor.tables.jackpots import SILENCE, LinkedJackpots
from controller.jackpot.linked.messages import Amount, read_amount


def amount(n: int, version: int = 1, **more: Any) -> Amount:
    fields = {"v": 1, "level": "grand", "n": n, "hash": "ab" * 32, "version": version, "cents": 1000 * n}
    return Amount.model_validate(fields | {"state": "open"} | more)


def claim(name: str, state: str, order: int = 1) -> dict[str, Any]:
    fields = {"claim": name, "table": "bj-1", "seat": 3, "cents": 500, "order": (order, 0), "n": 4}
    return fields | {"state": state}


A, B = (f"bj-1/0123456789abcdef/4{digit}/3/grand" for digit in "12")


def causes(jackpots: LinkedJackpots, now: float) -> dict[tuple[str, str], str]:
    return {(cause.kind, cause.table): text for cause, text in jackpots.faults(now)}


def test_the_last_amount_counts_and_a_late_one_does_not() -> None:
    jackpots = LinkedJackpots(("grand",), 0.0)
    jackpots.take(amount(4, 2), 1.0)
    for late in (amount(3, 9), amount(4, 1), amount(4, 2, cents=1)):
        jackpots.take(late, 2.0)
    jackpots.take(amount(9, level="other"), 2.0)
    assert [(one.cents, one.heard) for one in jackpots.shown.values()] == [(4000, 1.0)]


def test_a_jackpot_has_the_currency_that_its_level_announces() -> None:
    jackpots = LinkedJackpots(("grand",), 0.0)
    jackpots.take(amount(4, currency="JPY"), 1.0)
    assert [one.currency for one in jackpots.look()] == ["JPY"]


def test_open_claims_stay_until_they_end_in_their_order() -> None:
    jackpots = LinkedJackpots(("grand",), 0.0)
    jackpots.take(amount(4, claims=(claim(B, "open", 2), claim(A, "open", 1))), 1.0)
    jackpots.take(amount(5), 2.0)
    assert [one.claim for one in jackpots.shown["grand"].claims] == [A, B]
    jackpots.take(amount(6, claims=(claim(A, "paid"),)), 3.0)
    assert [one.claim for one in jackpots.shown["grand"].claims] == [B]


def test_a_level_that_nobody_announces_and_one_that_stands_still_are_alerts() -> None:
    jackpots = LinkedJackpots(("grand",), 100.0)
    assert causes(jackpots, 100.0 + SILENCE) == {}
    silent = {("leader", ""): "No instance announces the progressive grand: tables close it"}
    assert causes(jackpots, 100.1 + SILENCE) == silent
    jackpots.take(amount(4), 106.0)
    assert causes(jackpots, 106.0) == {}
    jackpots.take(amount(4, 2, state="inoperable"), 107.0)
    assert "two persons must decide" in causes(jackpots, 107.0)["leader", ""]


def test_a_table_whose_meter_fell_is_an_alert_until_it_is_settled() -> None:
    jackpots = LinkedJackpots(("grand",), 0.0)
    jackpots.take(amount(4, closed=("bj-1",)), 1.0)
    assert [cause for cause, _ in jackpots.faults(1.0)] == [FloorCause("meter fell", "bj-1", "grand")]
    jackpots.take(amount(5), 2.0)
    assert causes(jackpots, 2.0) == {}


@pytest.mark.parametrize("version", [2, 3])
def test_what_pages_show_differs_only_if_somebody_can_see_it(version: int) -> None:
    jackpots = LinkedJackpots(("grand",), 0.0)
    jackpots.take(amount(4), 1.0)
    before = jackpots.look()
    jackpots.take(amount(4, version), 2.0)
    assert jackpots.look() == before
    jackpots.take(amount(5), 3.0)
    assert jackpots.look() != before


def test_an_amount_on_the_wire_is_read_as_the_floor_takes_it() -> None:
    sent = amount(4, claims=(claim(A, "open"),), closed=("bj-2",))
    assert read_amount(sent.payload) == sent
