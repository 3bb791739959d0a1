"""The listener of the script runner: what a side sends in a sealed session must be sealed as the vectors
say."""

from dataclasses import replace

import pytest
from cryptography.exceptions import InvalidTag

from drivers.link.frames import WireFrame, encode
from drivers.link.key_schedule import SessionKeys
from drivers.link.seal import Sealer, Sealing
from drivers.protocol.codes import Flag, Side

from .listener import Ear

TO_DEVICE = b"\1" * 32
TO_HOST = b"\2" * 32
KEYS = {"to_device": TO_DEVICE.hex(), "to_host": TO_HOST.hex()}
QUIET = WireFrame(0, 0, 0, 7, 8, b"")
HELLO = WireFrame(0, 0, 0, 0, 0, b"\x0a\x02\x08\x02")


def test_sealed_frames_are_heard_in_clear() -> None:
    says, nak = _device(), replace(QUIET, flags=int(Flag.NAK))
    assert _heard(says.seal(QUIET), says.seal(nak), HELLO) == [QUIET, nak, HELLO]


def test_a_clear_frame_of_a_session_is_a_fault() -> None:
    with pytest.raises(AssertionError):
        _heard(_device().seal(QUIET), QUIET)


def test_a_counter_that_was_taken_is_a_fault() -> None:
    with pytest.raises(AssertionError):
        _heard(*[_device().seal(QUIET)] * 2)


def test_a_first_counter_above_0_is_a_fault() -> None:
    says = _device()
    says.seal(QUIET)
    with pytest.raises(AssertionError):
        _heard(says.seal(QUIET))


def test_the_other_directions_key_is_a_fault() -> None:
    with pytest.raises(InvalidTag):
        _heard(Sealing(SessionKeys(TO_DEVICE, TO_HOST), Side.HOST).seal(QUIET))


def test_a_tag_over_another_header_is_a_fault() -> None:
    sealed = replace(QUIET, flags=int(Flag.SEALED), payload=bytes(20))
    with pytest.raises(InvalidTag):
        _heard(replace(sealed, payload=Sealer(TO_HOST).seal(QUIET.header, b"")))


def test_a_sealed_frame_before_the_session_is_a_fault() -> None:
    with pytest.raises(AssertionError):
        list(Ear("device", None).hear(encode(_device().seal(QUIET))))


def test_new_keys_begin_at_counter_0_again() -> None:
    ear = Ear("device", KEYS)
    assert list(ear.hear(encode(_device().seal(QUIET)))) == [QUIET]
    ear.install(KEYS)
    assert list(ear.hear(encode(_device().seal(QUIET)))) == [QUIET]


def _device() -> Sealing:
    return Sealing(SessionKeys(TO_DEVICE, TO_HOST), Side.DEVICE)


def _heard(*frames: WireFrame) -> list[WireFrame]:
    return list(Ear("device", KEYS).hear(b"".join(map(encode, frames))))
