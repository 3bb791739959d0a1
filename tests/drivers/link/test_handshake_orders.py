"""Every order of the first frames of a sealed conversation: each passes, is lost, comes twice or late, with
either side or both restarting at any moment. All end in one running session, and nothing happens twice."""

from itertools import product

import pytest

from drivers.link.reports import DeviceEvent, DeviceRefused
from tests.drivers.link.fated import COPIES, fated
from tests.drivers.link.rig import Rig
from tests.fixtures.link_pair import LinkPair

FATES = tuple(COPIES)
LONGEST = 12.0
"""Seconds until a session runs, at most: a late frame, eight repeats, a new nonce."""


def check(stage: LinkPair, rig: Rig) -> None:
    """The common end of all tests."""
    stage.reach(seconds=LONGEST)
    numbers = [event.number for event in stage.events_of(DeviceEvent)]
    assert numbers == sorted(set(numbers))
    assert not stage.events_of(DeviceRefused)
    stage.run(1.0)
    assert stage.host.phase == "running"
    for counters in (stage.host.counters, rig.link.counters):
        assert counters.tag <= 4
        assert (counters.seal, counters.message, counters.direction) == (0, 0, 0)


@pytest.mark.parametrize("first", FATES)
@pytest.mark.parametrize("second", FATES)
def test_a_session_forms_whatever_happens_to_the_first_four_frames(first: str, second: str) -> None:
    for rest in product(FATES, repeat=2):
        stage, rig = fated((first, second, *rest))
        check(stage, rig)
        assert rig.link.counters.sessions <= stage.host.counters.sessions + 2, rest


@pytest.mark.parametrize("who", ["device", "host", "both"])
@pytest.mark.parametrize("moment", range(9))
def test_a_session_forms_whichever_side_restarts_in_the_handshake(who: str, moment: int) -> None:
    for fates in product(("passes", "drops", "comes again late"), repeat=3):
        stage, rig = fated(fates)
        for _ in range(moment):
            stage.now = max(stage.now, stage._soonest())
            stage.step()
        if who != "host":
            rig.boot(stage.now)
        if who != "device":
            stage.host_again()
        check(stage, rig)
        assert rig.link.counters.sessions >= 1, fates


def test_hellos_of_two_hosts_at_once_form_one_session() -> None:
    """Two controllers on one line, by mistake: one handshake is pending, and the first to prove itself
    serves."""
    stage, _rig = fated(())
    other = stage.host
    stage.host_again()
    for _ in range(20):
        stage.down.put(other.take(stage.now), stage.now)
        stage.run(0.25)
    assert stage.host.phase == "running"
    assert other.phase in ("hello", "proof")
