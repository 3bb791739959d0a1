"""Frames are sealed and opened as the vectors say."""

import pytest

from drivers.link.frames import Deframer, WireFrame, encode
from drivers.link.key_schedule import SessionKeys
from drivers.link.seal import BadTag, Opener, Replay, Sealer, Sealing
from drivers.protocol.codes import Flag, Side

from .vectors import Vector, load, name_of, number

SEALED = load("sealed-frames")
OPENING = load("opening")
NO_ONE = bytes(32)
FIELDS = ("flags", "channel", "sequence", "acknowledgement", "credit")


@pytest.mark.parametrize("vector", SEALED, ids=name_of)
def test_a_frame_seals_to_the_stated_bytes(vector: Vector) -> None:
    sealer = Sealer(bytes.fromhex(vector["key"]), number(vector["counter"]))
    payload = sealer.seal(bytes.fromhex(vector["header"]), _message(vector))
    assert payload.hex() == vector["payload"]


@pytest.mark.parametrize("vector", SEALED, ids=name_of)
def test_sealed_bytes_open_to_the_stated_frame(vector: Vector) -> None:
    opener = Opener(bytes.fromhex(vector["key"]), number(vector["counter"]) - 1)
    frame = _heard(vector["wire"])
    assert frame.header.hex() == vector["header"]
    assert opener.open(frame.header, frame.payload) == _message(vector)


@pytest.mark.parametrize("vector", [one for one in SEALED if number(one["counter"]) < 10], ids=name_of)
def test_a_whole_frame_is_written_as_the_stated_bytes(vector: Vector) -> None:
    key = bytes.fromhex(vector["key"])
    sides = {
        "to_device": (SessionKeys(key, NO_ONE), Side.HOST),
        "to_host": (SessionKeys(NO_ONE, key), Side.DEVICE),
    }
    sealing = Sealing(*sides[vector["direction"]])
    clear = {name: vector["frame"][name] for name in FIELDS}
    frame = WireFrame(**clear, payload=_message(vector))
    sealed = [sealing.seal(frame) for _ in range(number(vector["counter"]) + 1)]
    assert encode(sealed[-1]).hex() == vector["wire"]


@pytest.mark.parametrize("vector", OPENING, ids=name_of)
def test_the_opener_returns_the_stated_verdicts_and_counters(vector: Vector) -> None:
    opener = Opener(bytes.fromhex(vector["key"]))
    for stated in vector["frames"]:
        frame = _heard(stated["wire"])
        assert (frame.header.hex(), frame.payload.hex()) == (stated["header"], stated["payload"])
        found = opener.open(frame.header, frame.payload)
        assert _verdict(found) == (stated["verdict"], stated.get("message"))
        assert opener.last == stated["counter"]


def test_every_verdict_is_there() -> None:
    assert {one["verdict"] for vector in OPENING for one in vector["frames"]} == {"good", "replay", "tag"}


def _heard(wire: str) -> WireFrame:
    (frame,) = Deframer().feed(bytes.fromhex(wire))
    assert isinstance(frame, WireFrame)
    assert frame.flags & Flag.SEALED
    return frame


def _verdict(found: bytes | Replay | BadTag) -> tuple[str, str | None]:
    if isinstance(found, bytes):
        return "good", found.hex()
    return ("replay" if isinstance(found, Replay) else "tag"), None


def _message(vector: Vector) -> bytes:
    return bytes.fromhex(vector["frame"]["payload"])
