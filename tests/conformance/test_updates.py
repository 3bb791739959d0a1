"""Signatures of updates: what is signed, by whom, and for which image."""

import pytest

from drivers.link import codec
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import DeviceClass
from drivers.protocol.common_pb2 import UpdateBegin
from drivers.update.image import ImageManifest, sign, signed_bytes

from .vectors import Vector, generator, load, name_of, shown

UPDATES = load("updates")
FIELDS = ("version", "size", "sha256", "signature")
SECRET = bytes(range(0x80, 0xA0))
"""The maker's secret key; the vectors state the public half."""


@pytest.mark.parametrize("vector", UPDATES, ids=name_of)
def test_the_payload_says_what_is_stated(vector: Vector) -> None:
    assert shown(_begin(vector)) == {name: vector[name] for name in FIELDS if vector[name]}


@pytest.mark.parametrize("vector", UPDATES, ids=name_of)
def test_the_signed_bytes_are_those_stated(vector: Vector) -> None:
    begin = _begin(vector)
    made = signed_bytes(vector["device_class"], vector["hardware"], begin.version, begin.size, begin.sha256)
    assert made.hex() == vector["signed"]


@pytest.mark.parametrize("vector", UPDATES, ids=name_of)
def test_an_update_gets_the_stated_verdict(vector: Vector) -> None:
    assert _verdict(vector) == vector["verdict"]


@pytest.mark.parametrize("vector", [one for one in UPDATES if one["verdict"] == "good"], ids=name_of)
def test_a_maker_computes_the_stated_signature(vector: Vector) -> None:
    assert generator("primitives").public_key(SECRET).hex() == vector["public_key"]
    image, device_class = bytes.fromhex(vector["image"]), DeviceClass(vector["device_class"])
    assert (
        sign(image, device_class, vector["hardware"], vector["version"], SECRET).signature.hex()
        == vector["signature"]
    )


def test_every_verdict_is_there() -> None:
    assert {vector["verdict"] for vector in UPDATES} == {"good", "range", "unreadable", "signature", "image"}


def _verdict(vector: Vector) -> str:
    if isinstance(codec.parse(bytes.fromhex(vector["payload"])), codec.Unreadable):
        return "unreadable"
    begin = _begin(vector)
    try:
        manifest = ImageManifest(
            DeviceClass(vector["device_class"]),
            vector["hardware"],
            begin.version,
            begin.size,
            begin.sha256,
            begin.signature,
        )
    except ValueError:
        return "range"
    if not manifest.signed_by(bytes.fromhex(vector["public_key"])):
        return "signature"
    return "good" if manifest.fits(bytes.fromhex(vector["image"])) else "image"


def _begin(vector: Vector) -> UpdateBegin:
    return tsl.Frame.FromString(bytes.fromhex(vector["payload"])).command.update_begin
