"""Both implementations of the device's end behave alike under any input, and a difference is reported."""

from itertools import islice
from random import Random

import pytest

from drivers.messages import Cover
from drivers.protocol.codes import DeviceClass, Reset

from .differ import conversations
from .firmware import Program, event_body
from .twins import DifferenceError, Shape, Twins


@pytest.mark.parametrize("seed", ["clear and sealed", "long silences", "whatever comes"])
def test_a_hostile_host_finds_no_difference(seed: str, firmware: Program) -> None:
    talks = list(islice(conversations(seed, firmware), 5))
    assert sum(talk.frames for talk in talks) > 1000


def test_a_difference_between_the_implementations_is_reported(firmware: Program) -> None:
    twins = Twins(Shape(DeviceClass.SHOE, b"", bytes(32), 100), firmware, Random(1).randbytes)
    twins.reboot(Reset.POWER, 0.0)
    firmware.ask("record", 0, event_body(Cover(open=True)))
    with pytest.raises(DifferenceError, match=r"\('newest', 2\).* in C, .*\('newest', 1\).* in Python"):
        twins.take(0.0)
