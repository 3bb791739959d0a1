"""Credentials with which a program signs in at the servers."""

import base64
import binascii
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.floor.credentials import Credentials, CredentialsError

KEY = bytes(range(32))
USER = 20 << 3
USER_SEED = bytes((18 << 3 | USER >> 5, (USER & 31) << 3))
"""The two bytes before the seed of a user, "SU" in base32."""


def seed(key: bytes = KEY) -> str:
    content = USER_SEED + key
    checksum = binascii.crc_hqx(content, 0).to_bytes(2, "little")
    return base64.b32encode(content + checksum).decode().rstrip("=")


def written(folder: Path, seed: str) -> Path:
    path = folder / "floor.creds"
    path.write_text(
        "-----BEGIN NATS USER JWT-----\nhead.body.signature\n------END NATS USER JWT------\n\n"
        f"-----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    )
    return path


def test_a_nonce_is_signed_with_the_key_of_the_file(tmp_path: Path) -> None:
    assert seed().startswith("SU")
    options = Credentials.read(written(tmp_path, seed())).options()
    assert options["user_jwt_cb"]() == b"head.body.signature"
    signature = base64.b64decode(options["signature_cb"]("nonce"))
    Ed25519PrivateKey.from_private_bytes(KEY).public_key().verify(signature, b"nonce")


@pytest.mark.parametrize("damaged", [seed()[:-1] + "A", seed()[:-2], "not base32", seed()[:10]])
def test_a_damaged_seed_is_refused_without_repeating_it(tmp_path: Path, damaged: str) -> None:
    with pytest.raises(CredentialsError, match=r"lack a part|is damaged") as caught:
        Credentials.read(written(tmp_path, damaged))
    assert damaged not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CredentialsError, match=r"none\.creds cannot be read: No such file"):
        Credentials.read(tmp_path / "none.creds")


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    path = tmp_path / "floor.creds"
    path.write_text("nothing")
    with pytest.raises(CredentialsError, match="NATS USER JWT and USER NKEY SEED"):
        Credentials.read(path)
