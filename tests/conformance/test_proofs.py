"""Transcripts and MACs match the vectors."""

import pytest

from drivers.link.seal import mac, session_keys, transcript
from drivers.protocol.codes import Side

from .vectors import Vector, load, name_of


@pytest.mark.parametrize("vector", load("proofs", "sealed-proofs"), ids=name_of)
def test_the_transcript_and_macs_match_the_vectors(vector: Vector) -> None:
    hellos = (bytes.fromhex(vector[name]) for name in ("host_hello", "device_hello"))
    whole = transcript(*hellos)
    key = bytes.fromhex(vector["key"])
    assert whole.hex() == vector["transcript"]
    assert mac(Side.HOST, key, whole).hex() == vector["host_mac"]
    assert mac(Side.DEVICE, key, whole).hex() == vector["device_mac"]


@pytest.mark.parametrize("vector", load("sealed-proofs"), ids=name_of)
def test_the_session_keys_match_the_vectors(vector: Vector) -> None:
    keys = session_keys(bytes.fromhex(vector["key"]), bytes.fromhex(vector["transcript"]))
    assert (keys.to_device.hex(), keys.to_host.hex()) == (vector["to_device"], vector["to_host"])
