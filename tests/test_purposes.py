"""A long run that does not reach its purposes fails, and names what is missing."""

from collections import Counter

import pytest

from tests.drivers.link.hostile import __main__ as hostile
from tests.purposes import Purposes, unmet, verdict
from tests.system import aftermath, chaos, crashes, liveness, soak

FORMS = {
    "aftermath": aftermath.PURPOSES,
    "chaos": chaos.purposes(soak.OPTIONS),
    "crashes": crashes.purposes(crashes.KINDS, crashes.PROGRAMMES),
    "hostile": hostile.PURPOSES,
    "liveness": liveness.PURPOSES,
    "soak": soak.purposes(soak.KINDS),
}
EVER = 1_000_000_000


@pytest.mark.parametrize("purposes", FORMS.values(), ids=FORMS)
def test_an_empty_run_fails(purposes: Purposes) -> None:
    assert verdict(purposes, 0, Counter()).startswith("not reached: ")


@pytest.mark.parametrize("purposes", FORMS.values(), ids=FORMS)
def test_a_long_run_has_to_meet_everything_and_a_short_one_less(purposes: Purposes) -> None:
    assert unmet(purposes, EVER, Counter()) == list(purposes)
    assert len(unmet(purposes, 0, Counter())) < len(purposes)
    assert not unmet(purposes, EVER, Counter(purposes.keys()))


def test_a_purpose_that_was_not_reached_is_named() -> None:
    purposes = {"round ended": 0, "claim settled": 10, "round void": 100}
    assert verdict(purposes, 10, {"round ended": 3}) == "not reached: claim settled"
    assert verdict(purposes, 100, {"round ended": 3, "claim settled": 1}) == "not reached: round void"
    assert verdict(purposes, 9, {"round ended": 1}) == ""
