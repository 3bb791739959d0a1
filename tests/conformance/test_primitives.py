"""The generator's own cryptography, compared with the published values of its RFCs and with a library."""

import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from .vectors import generator

PRIMITIVES = generator("primitives")
HKDF_SHA256 = PRIMITIVES.hkdf
LENGTHS = (0, 1, 15, 16, 17, 63, 64, 65, 209)
SUNSCREEN = (
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    b"sunscreen would be it."
)
SIGNED = (
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        "387b2eaeb4302aeeb00d291612bb0c00",
    ),
)


def test_the_key_stream_matches_rfc_8439() -> None:
    made = PRIMITIVES.block(bytes(range(32)), bytes.fromhex("000000090000004a00000000"), 1)
    assert made.hex() == (
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )


def test_the_authenticator_matches_rfc_8439() -> None:
    key = bytes.fromhex("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b")
    made = PRIMITIVES.poly1305(key, b"Cryptographic Forum Research Group")
    assert made.hex() == "a8061dc1305136c6c22b8baf0c0127a9"


def test_the_sealed_text_matches_rfc_8439() -> None:
    key, nonce = bytes(range(0x80, 0xA0)), bytes.fromhex("070000004041424344454647")
    associated = bytes.fromhex("50515253c0c1c2c3c4c5c6c7")
    sealed = PRIMITIVES.encrypt(key, nonce, SUNSCREEN, associated)
    assert sealed.hex() == (
        "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
        "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
        "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
        "3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691"
    )
    assert PRIMITIVES.decrypt(key, nonce, sealed, associated) == SUNSCREEN


@pytest.mark.parametrize("length", LENGTHS)
def test_sealing_matches_the_library(length: int) -> None:
    key, nonce, message, associated = _noise("key", 32), _noise("nonce", 12), _noise("m", length), b"header"
    sealed = ChaCha20Poly1305(key).encrypt(nonce, message, associated)
    assert PRIMITIVES.encrypt(key, nonce, message, associated) == sealed
    assert PRIMITIVES.decrypt(key, nonce, sealed, associated) == message
    assert PRIMITIVES.decrypt(key, nonce, sealed, b"Header") is None


@pytest.mark.parametrize(
    ("salt", "info", "made"),
    [
        (
            bytes(range(13)),
            bytes(range(0xF0, 0xFA)),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
        ),
        (
            b"",
            b"",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
        ),
    ],
)
def test_derived_keys_match_rfc_5869(salt: bytes, info: bytes, made: str) -> None:
    assert HKDF_SHA256(b"\x0b" * 22, salt, info, 42).hex() == made


@pytest.mark.parametrize("length", [1, 32, 33, 64, 100])
def test_derived_keys_match_the_library(length: int) -> None:
    material, salt, info = _noise("key", 32), _noise("salt", 32), _noise("info", 20)
    library = HKDF(algorithm=SHA256(), length=length, salt=salt, info=info)
    assert HKDF_SHA256(material, salt, info, length) == library.derive(material)


@pytest.mark.parametrize(("secret", "public", "message", "signature"), SIGNED)
def test_signatures_match_rfc_8032(secret: str, public: str, message: str, signature: str) -> None:
    assert PRIMITIVES.public_key(bytes.fromhex(secret)).hex() == public
    assert PRIMITIVES.sign(bytes.fromhex(secret), bytes.fromhex(message)).hex() == signature
    assert PRIMITIVES.verify(*map(bytes.fromhex, (public, message, signature)))


@pytest.mark.parametrize("length", LENGTHS)
def test_signatures_match_the_library(length: int) -> None:
    secret, message = _noise("secret", 32), _noise("message", length)
    library = Ed25519PrivateKey.from_private_bytes(secret)
    public = library.public_key().public_bytes_raw()
    assert PRIMITIVES.public_key(secret) == public
    assert PRIMITIVES.sign(secret, message) == library.sign(message)
    assert not PRIMITIVES.verify(public, message + b"!", library.sign(message))


@pytest.mark.parametrize("place", [0, 31, 32, 63])
def test_a_changed_signature_does_not_verify(place: int) -> None:
    secret = _noise("secret", 32)
    signature = bytearray(PRIMITIVES.sign(secret, b"message"))
    signature[place] ^= 1
    assert not PRIMITIVES.verify(PRIMITIVES.public_key(secret), b"message", bytes(signature))


@pytest.mark.parametrize("length", [0, 1, 31, 32, 63, 65])
def test_a_signature_has_64_bytes(length: int) -> None:
    secret = _noise("secret", 32)
    signature = (PRIMITIVES.sign(secret, b"message") + b"\0")[:length]
    assert not PRIMITIVES.verify(PRIMITIVES.public_key(secret), b"message", signature)


def _noise(name: str, length: int) -> bytes:
    return hashlib.shake_256(name.encode()).digest(length)
