"""Signatures of updates: what is signed, by whom, and which image it stands for."""

import hashlib
import struct

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl

from .vectors import Vector, load, name_of, shown

UPDATES = load("updates")
FIELDS = ("version", "size", "sha256", "signature")


@pytest.mark.parametrize("vector", UPDATES, ids=name_of)
def test_the_payload_says_what_is_stated(vector: Vector) -> None:
    assert shown(_begin(vector)) == {name: vector[name] for name in FIELDS if vector[name]}


@pytest.mark.parametrize("vector", UPDATES, ids=name_of)
def test_verdict(vector: Vector) -> None:
    assert _verdict(vector) == vector["verdict"]


def test_every_verdict_is_there() -> None:
    assert {vector["verdict"] for vector in UPDATES} == {"good", "range", "signature", "image"}


def _verdict(vector: Vector) -> str:
    begin = _begin(vector)
    if (len(begin.sha256), len(begin.signature)) != (32, 64) or not begin.size:
        return "range"
    numbers = struct.pack("<BII", vector["device_class"], begin.version, begin.size)
    signed = b"TSL/1 update" + numbers + begin.sha256
    assert signed.hex() == vector["signed"]
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(vector["public_key"])).verify(
            begin.signature, signed
        )
    except InvalidSignature:
        return "signature"
    image = bytes.fromhex(vector["image"])
    whole = len(image) == begin.size and hashlib.sha256(image).digest() == begin.sha256
    return "good" if whole else "image"


def _begin(vector: Vector) -> common.UpdateBegin:
    return tsl.Frame.FromString(bytes.fromhex(vector["payload"])).command.update_begin
