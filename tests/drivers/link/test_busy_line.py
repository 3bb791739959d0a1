"""A line that loses one of a hundred frames each way carries a thousand events a second, in virtual time."""

from typing import Final

import pytest

from drivers.link.facts import Expected
from drivers.link.reports import DeviceEvent, EventsMissing
from drivers.messages import Wager
from drivers.protocol.codes import DeviceClass
from tests.drivers.link.rig import Rig
from tests.drivers.link.world import Faults
from tests.fixtures.link_pair import START, LinkPair

RATE: Final = 1000
SECONDS: Final = 10
LOSS: Final = 0.01
MOST_WAITING: Final = 150
"""Events that are not committed. Some hundred come while a sender waits for a time-out with a full window."""


@pytest.mark.parametrize("seed", range(2))
def test_a_device_on_a_lossy_line_keeps_up_with_its_events(seed: int) -> None:
    device = Rig(START, DeviceClass.SENSORS)
    pair = LinkPair(
        device,
        expected=Expected(DeviceClass.SENSORS, "SH-1"),
        faults=Faults(drop=LOSS),
        seed=seed,
    )
    pair.reach()
    most = 0
    for _ in range(RATE * SECONDS):
        device.event(Wager(1, 0, True, 500), pair.now)
        pair.run(1 / RATE)
        most = max(most, device.memory.newest - device.memory.committed)
    assert most < MOST_WAITING
    pair.run_until(lambda: device.memory.committed == device.memory.newest)
    assert not pair.events_of(EventsMissing)
    assert len(pair.events_of(DeviceEvent)) >= RATE * SECONDS
