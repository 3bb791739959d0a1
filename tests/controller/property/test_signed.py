"""A signed message holds under its own subject, with its own payload and a pinned key only."""

from dataclasses import replace

import pytest

from controller.journal.signing import Signer
from controller.property.signed import SignedMessage, UnsignedError

SIGNER = Signer(bytes(range(32)))
OTHER = Signer(bytes(32))
MESSAGE = SignedMessage.make("ts.house.command.t1.grant", b'{"v":1}', SIGNER)


def test_a_signed_message_arrives_with_its_headers() -> None:
    arrived = SignedMessage.received(MESSAGE.subject, MESSAGE.payload, MESSAGE.headers())
    assert arrived.verify({SIGNER.public}) == b'{"v":1}'


@pytest.mark.parametrize(
    "changed",
    [
        replace(MESSAGE, subject="ts.house.command.t2.grant"),
        replace(MESSAGE, payload=b'{"v":2}'),
        replace(MESSAGE, signature=bytes(64)),
        replace(MESSAGE, signature=b""),
        replace(MESSAGE, key=OTHER.public),
    ],
    ids=["subject", "payload", "signature", "no signature", "key"],
)
def test_a_changed_message_is_refused(changed: SignedMessage) -> None:
    with pytest.raises(UnsignedError, match=r"^ts\.house\.command\.t\d\.grant: the signature is wrong$"):
        changed.verify({SIGNER.public, OTHER.public})


def test_a_key_that_is_not_pinned_is_refused() -> None:
    with pytest.raises(UnsignedError, match=f"{SIGNER.public.hex()}, which is not pinned"):
        MESSAGE.verify({OTHER.public})


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        (None, "the header Ts-Key is missing"),
        ({"Ts-Key": "00"}, "the header Ts-Sig is missing"),
        ({"Ts-Key": "0g", "Ts-Sig": "00"}, "Ts-Key or Ts-Sig is not hex"),
    ],
)
def test_a_message_without_its_headers_is_refused(headers: dict[str, str] | None, why: str) -> None:
    with pytest.raises(UnsignedError, match=why):
        SignedMessage.received("ts.house.ack.t1", b"", headers)
