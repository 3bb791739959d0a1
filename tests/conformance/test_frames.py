"""The deframer reads the vectors of frames, noise, junk and splits."""

from collections.abc import Iterable

import pytest

from drivers.link.frames import Deframer, Noise, WireFrame, encode

from .vectors import Vector, load

FILES = ("frames", "noise", "junk", "splits")
STREAMS = load(*FILES)


@pytest.mark.parametrize("file", FILES)
def test_bytes_become_the_stated_frames_and_noise(file: str) -> None:
    seen = {vector["name"]: _seen(map(bytes.fromhex, vector["in"])) for vector in load(file)}
    assert seen == {vector["name"]: vector["out"] for vector in load(file)}


@pytest.mark.parametrize("file", FILES)
def test_byte_by_byte_is_the_same(file: str) -> None:
    seen = {vector["name"]: _seen(bytes([byte]) for byte in _whole(vector)) for vector in load(file)}
    assert seen == {vector["name"]: vector["out"] for vector in load(file)}


def test_a_frame_becomes_the_stated_bytes() -> None:
    reversible = [vector for vector in STREAMS if vector.get("reversible")]
    assert {vector["name"]: _sent(vector) for vector in reversible} == {
        vector["name"]: _whole(vector).hex() for vector in reversible
    }


def test_every_channel_flag_and_kind_of_noise_is_there() -> None:
    frames = [item["frame"] for vector in STREAMS for item in vector["out"] if "frame" in item]
    assert {0, 1, 2, 3, 4} <= {frame["channel"] for frame in frames}
    assert {0, 1, 2, 4, 8} <= {frame["flags"] for frame in frames}
    noise = {item["noise"] for vector in STREAMS for item in vector["out"] if "noise" in item}
    assert noise == {"cobs", "length", "crc", "version", "too long"}


def _whole(vector: Vector) -> bytes:
    return bytes.fromhex("".join(vector["in"]))


def _seen(chunks: Iterable[bytes]) -> list[Vector]:
    deframer = Deframer()
    return [_stated(item) for chunk in chunks for item in deframer.feed(chunk)]


def _sent(vector: Vector) -> str:
    stated = vector["out"][0]["frame"]
    return encode(WireFrame(**stated | {"payload": bytes.fromhex(stated["payload"])})).hex()


def _stated(item: WireFrame | Noise) -> Vector:
    if isinstance(item, Noise):
        return {"noise": item.reason}
    fields = ("flags", "channel", "sequence", "acknowledgement", "credit")
    return {"frame": {name: getattr(item, name) for name in fields} | {"payload": item.payload.hex()}}
