"""Every simulated device passes every check of its class, clear and sealed, in virtual time."""

import pytest

from drivers.conformance.check import Need
from drivers.conformance.checks import CHECKS, checks_of
from drivers.conformance.checks.strict import READABLE, UNREADABLE
from drivers.conformance.invariants import RULES
from drivers.link.codec import Unreadable, parse
from drivers.protocol import tsl_pb2 as tsl
from drivers.sim.kinds import KINDS
from tests.conformance.vectors import load
from tests.drivers.conformance.rig import KEY, report, unit

KEYS = {"clear": b"", "sealed": KEY}


@pytest.mark.parametrize("seal", KEYS)
@pytest.mark.parametrize("kind", KINDS)
async def test_each_simulated_device_passes_every_check_of_its_class(kind: str, seal: str) -> None:
    key = KEYS[seal]
    made = await report(unit(kind, key=key), key=key)
    excused = {Need.LONG, Need.PROFILE, Need.CLEAR if key else Need.SEALED}
    left_out = {check.name for check in checks_of(KINDS[kind].device_class) if excused & set(check.needs)}
    assert {outcome.check: outcome.why for outcome in made.outcomes if outcome.verdict == "fail"} == {}
    assert {outcome.check for outcome in made.outcomes if outcome.verdict == "not run"} == left_out


@pytest.mark.parametrize("baud", [9600, 19_200, 115_200])
async def test_a_slow_line_is_no_fault(baud: int) -> None:
    made = await report(unit("shoe", key=KEY, baud=baud), key=KEY, baud=baud)
    assert {outcome.check: outcome.why for outcome in made.outcomes if outcome.verdict == "fail"} == {}


async def test_the_check_of_wrapping_sequences_passes() -> None:
    made = await report(unit("shoe"), "link.wrap")
    assert [outcome.verdict for outcome in made.outcomes][:1] == ["pass"]


def test_no_two_checks_or_rules_share_a_name() -> None:
    names = [check.name for check in CHECKS] + [rule.name for rule in RULES]
    assert len(set(names)) == len(names)


def test_the_payloads_of_the_strict_check_are_those_of_vectors() -> None:
    """Each case has the name of the vector that shows the same, and breaks the same rule."""
    vectors = {vector["name"]: vector["shows"] for vector in load("strange")}
    key = 5
    for name, (rule, _, build) in UNREADABLE.items():
        read = parse(build(key))
        assert isinstance(read, Unreadable)
        assert read.rule == rule
        assert name == "varint-endless" or f"ule {rule}" in vectors[name]
    for name, (_, build) in READABLE.items():
        assert name in vectors or name == "order"
        read = parse(build(key))
        assert not isinstance(read, Unreadable)
        message = read[1]
        assert isinstance(message, tsl.Command)
        assert (message.key, message.WhichOneof("body")) == (key, "disarm")
