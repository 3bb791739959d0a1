"""Transcripts, shares, MACs and session keys match the vectors."""

import pytest

from drivers.link.key_schedule import agreement, host_mac, share_of, shared_secret, transcript

from .vectors import Vector, load, name_of


def _bytes(vector: Vector, name: str) -> bytes:
    return bytes.fromhex(vector.get(name, ""))


@pytest.mark.parametrize("vector", load("proofs", "sealed-proofs"), ids=name_of)
def test_the_transcript_and_macs_match_the_vectors(vector: Vector) -> None:
    key, host_share = _bytes(vector, "key"), _bytes(vector, "host_share")
    whole = transcript(_bytes(vector, "host_hello"), _bytes(vector, "device_hello"))
    shares = host_share, _bytes(vector, "device_share"), _bytes(vector, "shared_secret")
    assert whole.hex() == vector["transcript"]
    assert host_mac(key, whole, host_share).hex() == vector["host_mac"]
    assert agreement(key, whole, *shares).device_mac.hex() == vector["device_mac"]


@pytest.mark.parametrize("vector", load("sealed-proofs"), ids=name_of)
def test_the_shares_and_session_keys_match_the_vectors(vector: Vector) -> None:
    secrets = _bytes(vector, "host_secret"), _bytes(vector, "device_secret")
    shares = share_of(secrets[0]), share_of(secrets[1])
    assert [share.hex() for share in shares] == [vector["host_share"], vector["device_share"]]
    shared = shared_secret(secrets[0], shares[1])
    assert shared == shared_secret(secrets[1], shares[0]) == _bytes(vector, "shared_secret")
    keys = agreement(_bytes(vector, "key"), _bytes(vector, "transcript"), *shares, shared).keys
    assert (keys.to_device.hex(), keys.to_host.hex()) == (vector["to_device"], vector["to_host"])
