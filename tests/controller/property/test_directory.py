"""A directory on its way: only its table opens it, and nothing that was changed on the way is used."""

import json
import secrets
import zlib
from base64 import b64decode, b64encode
from typing import Any

import pytest

from controller.property.directory import (
    MOST_CONTENT,
    MOST_PAYLOAD,
    Directory,
    DirectoryAccount,
    DirectoryContent,
    DirectoryTooLong,
)
from controller.property.sealing import SealBroken, SealingKey, seal
from controller.property.wire import MalformedMessage

KEY, OTHER = SealingKey(bytes(range(32))), SealingKey(bytes(range(1, 33)))
HASH = "$argon2id$v=19$m=9216,t=4,p=1$5jBBLeb8yRARQnoPKT/Gvg$XpgUx8DqwacvtSALIapeFVvPU31r+0DIscotA75UDqM"
DEE: dict[str, Any] = {
    "id": "d" * 16,
    "name": "Dee Ray",
    "role": "dealer",
    "secret": HASH,
    "badge": None,
    "locked": False,
}


def content(*accounts: dict[str, Any]) -> DirectoryContent:
    return DirectoryContent.read(json.dumps({"v": 1, "accounts": accounts}).encode())


def made(**changes: Any) -> Directory:
    """A right directory for the table bj-1, with these fields changed."""
    right = Directory.make("bj-1", 7, 100.5, content(DEE), KEY.public)
    return Directory.read(json.dumps(json.loads(right.payload) | changes).encode())


def test_the_table_reads_what_the_floor_wrote() -> None:
    assert made().open(KEY) == content(DEE)


def test_nothing_of_the_content_is_readable_on_the_way() -> None:
    payload = made().payload.decode()
    box = b64decode(json.loads(payload)["sealed"])
    for part in ("Dee", "argon2", HASH[-20:]):
        assert part not in payload
        assert part.encode() not in box


def test_each_message_has_a_key_of_its_own() -> None:
    first, second = (b64decode(made().sealed) for _ in range(2))
    assert first[:32] != second[:32]
    assert first[32:] != second[32:]


@pytest.mark.parametrize("changed", [{"table": "bj-2"}, {"version": 8}])
def test_a_box_in_another_place_is_not_opened(changed: dict[str, Any]) -> None:
    with pytest.raises(SealBroken):
        made(**changed).open(KEY)


def test_another_key_opens_nothing() -> None:
    with pytest.raises(SealBroken):
        made().open(OTHER)


def test_a_box_with_one_changed_bit_is_not_opened() -> None:
    box = bytearray(b64decode(made().sealed))
    for place in (0, 31, 32, len(box) // 2, len(box) - 1):
        box[place] ^= 1
        with pytest.raises(SealBroken):
            made(sealed=b64encode(box).decode()).open(KEY)
        box[place] ^= 1


@pytest.mark.parametrize("length", [0, 1, 31, 32, 47])
def test_a_box_that_is_cut_off_is_not_opened(length: int) -> None:
    with pytest.raises(SealBroken):
        KEY.open(b64decode(made().sealed)[:length], b"directory of bj-1, version 7")


def test_a_public_key_that_no_pair_has_seals_and_opens_nothing() -> None:
    with pytest.raises(ValueError, match="key"):
        seal(bytes(32), b"message", b"context")
    with pytest.raises(SealBroken):
        KEY.open(bytes(32) + b"x" * 40, b"context")


@pytest.mark.parametrize(
    ("packed", "why"),
    [
        (b"not deflated", "cannot be inflated"),
        (zlib.compress(bytes(MOST_CONTENT + 1)), "more than"),
        (zlib.compress(b"{}")[:-3], "cut off"),
        (zlib.compress(b"{}"), "v: Field required"),
        (zlib.compress(json.dumps({"v": 2, "accounts": []}).encode()), "v: Input should be less"),
    ],
)
def test_a_content_that_is_none_is_refused(packed: bytes, why: str) -> None:
    box = seal(KEY.public, packed, b"directory of bj-1, version 7")
    with pytest.raises(MalformedMessage, match=why):
        made(sealed=b64encode(box).decode()).open(KEY)


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "Dee"},
        {"name": ""},
        {"name": "D" * 41},
        {"name": "Dee\u202eyaR"},
        {"role": "owner"},
        {"secret": "2580"},
        {"badge": "$argon2i$v=19$m=9216,t=4,p=1$5jBBLeb8yRARQnoPKT/Gvg"},
        {"locked": "no"},
    ],
    ids=repr,
)
def test_a_wrong_field_of_an_account_is_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(MalformedMessage, match=rf"accounts\.0\.{next(iter(wrong))}"):
        content(DEE | wrong)


def test_an_error_does_not_repeat_a_secret() -> None:
    with pytest.raises(MalformedMessage) as refused:
        content(DEE | {"secret": "2580"})
    assert "2580" not in str(refused.value)


@pytest.mark.parametrize("alike", [{"name": "Other"}, {"id": "e" * 16}, {"id": "e" * 16, "name": "DEE RAY"}])
def test_two_accounts_with_one_id_or_one_name_are_refused(alike: dict[str, Any]) -> None:
    with pytest.raises(MalformedMessage, match="one id or one name"):
        content(DEE, DEE | alike)


def test_a_directory_of_250_people_fits_and_one_that_is_too_long_says_how_many_do() -> None:
    def crowd(count: int) -> DirectoryContent:
        accounts = (
            DirectoryAccount(
                id=secrets.token_hex(8),
                name=f"Person {number}",
                role="dealer",
                secret=_hash(),
                badge=_hash("AAAAAAAAAAAAAAAAAAAAAA"),
            )
            for number in range(count)
        )
        return DirectoryContent(v=1, accounts=tuple(accounts))

    assert len(Directory.make("bj-1", 7, 1.0, crowd(250), KEY.public).payload) <= MOST_PAYLOAD
    with pytest.raises(DirectoryTooLong, match="the directory of bj-1 has 600 accounts"):
        Directory.make("bj-1", 7, 1.0, crowd(600), KEY.public)


def _hash(salt: str = "") -> str:
    """What an argon2id looks like, without its work."""
    texts = (b64encode(secrets.token_bytes(length)).decode().rstrip("=") for length in (16, 32))
    given, digest = texts
    return f"$argon2id$v=19$m=9216,t=4,p=1${salt or given}${digest}"
