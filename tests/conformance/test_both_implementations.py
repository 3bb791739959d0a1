"""Both implementations of the device's end behave alike under any input, and a difference is reported."""

from itertools import islice
from random import Random
from typing import Any

import pytest
from google.protobuf.message import DecodeError

from drivers.link import strict
from drivers.messages import Cover
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import DeviceClass, Reset

from .differ import conversations
from .firmware import Program, event_body
from .mutations import compare, mutated
from .twins import DifferenceError, Shape, Twins


@pytest.mark.parametrize("seed", ["clear and sealed", "long silences", "whatever comes"])
def test_a_hostile_host_finds_no_difference(seed: str, firmware: Program) -> None:
    talks = list(islice(conversations(seed, firmware), 5))
    assert sum(talk.frames for talk in talks) > 1000


def test_changed_payloads_are_read_alike(firmware: Program) -> None:
    verdicts = compare(mutated(Random("quick")), 20_000, firmware)
    assert min(verdicts.values()) > 1000


def _by_the_library_alone(payload: bytes) -> None:
    try:
        tsl.Frame.FromString(payload)
    except DecodeError as error:
        raise strict.UnreadableError(1, "not protobuf") from error


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("check", _by_the_library_alone),
        ("LONGEST_VARINT", 11),
        ("_check_wire_type", lambda _row, _wire: None),
        ("MOST", dict.fromkeys(strict.MOST, 2**53 - 1)),
        ("_is_text", lambda _contents: True),
        ("WITH_CARD", {}),
    ],
)
def test_changed_payloads_are_read_differently_without_a_rule(
    name: str, instead: Any, firmware: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strict, name, instead)
    with pytest.raises((DifferenceError, DecodeError)):
        compare(mutated(Random("quick")), 20_000, firmware)


def test_a_difference_between_the_implementations_is_reported(firmware: Program) -> None:
    twins = Twins(Shape(DeviceClass.SHOE, b"", bytes(32), 100), firmware, Random(1).randbytes)
    twins.reboot(Reset.POWER, 0.0)
    firmware.ask("record", 0, event_body(Cover(open=True)))
    with pytest.raises(DifferenceError, match=r"\('newest', 2\).* in C, .*\('newest', 1\).* in Python"):
        twins.take(0.0)
