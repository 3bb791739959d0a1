"""A sealed card: what opens its box, what does not, and the file of the key."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from controller.cards import DECK
from controller.journal.errors import SealUnusable
from controller.journal.sealing import SealBroken, SealedCard, SealKey, open_box, seal_key
from drivers.key_files import CREDENTIALS, key_text, store_key

KEY = SealKey(bytes(range(32)))
AFTER = bytes([7]) * 32


def seal(card: str = "Ts", row: int = 12, number: int = 3, place: str = "face down") -> SealedCard:
    return KEY.seal(card, row, number, place, AFTER)


@pytest.mark.parametrize("card", DECK)
def test_a_card_comes_out_as_it_went_in(card: str) -> None:
    sealed = seal(card)
    assert KEY.open(sealed) == card == open_box(sealed, KEY.card_key(sealed))


def test_all_boxes_have_one_length() -> None:
    assert {len(seal(card, row).box) for card in DECK for row in (1, 2**40)} == {48}


def test_the_same_place_gives_the_same_box() -> None:
    """So a replay needs no randomness."""
    assert seal() == seal()


def test_every_place_has_a_key_of_its_own() -> None:
    places = product((1, 2, 2**40), (1, 2), ("face down", "waiting"), (AFTER, bytes(32)))
    cards = [KEY.seal("Ts", row, number, place, after) for row, number, place, after in places]
    assert len({KEY.card_key(sealed) for sealed in cards}) == len(cards)
    assert len({sealed.box for sealed in cards}) == len(cards)


@pytest.mark.parametrize(
    "changed",
    [
        replace(seal(), row=13),
        replace(seal(), round=4),
        replace(seal(), place="waiting"),
        replace(seal(), after=bytes(32)),
        *(replace(seal(), box=bytes([seal().box[0] ^ bit, *seal().box[1:]])) for bit in (1, 2, 128)),
        replace(seal(), box=b""),
    ],
)
def test_a_changed_box_does_not_open(changed: SealedCard) -> None:
    with pytest.raises(SealBroken):
        KEY.open(changed)


def test_the_key_of_one_card_opens_no_other() -> None:
    with pytest.raises(SealBroken):
        open_box(seal(row=12), KEY.card_key(seal(row=13)))


def test_another_seal_key_opens_nothing() -> None:
    with pytest.raises(SealBroken):
        SealKey(bytes(32)).open(seal())


def test_a_row_number_belongs_to_the_box() -> None:
    """Not only through the key: a published key opens its box in its row only."""
    with pytest.raises(SealBroken):
        open_box(replace(seal(), row=13), KEY.card_key(seal()))


@pytest.mark.parametrize("card", ["", "T", "Ten of spades", "Tß"])
def test_only_a_card_of_two_characters_is_sealed(card: str) -> None:
    with pytest.raises(ValueError, match=r"allowed: 2|ascii"):
        seal(card)


def test_a_box_with_something_behind_the_card_does_not_open() -> None:
    """The zeros make sure that no second key opens the box to another card."""
    empty = replace(seal(), box=b"")
    message, row = b"Ts" + b"\1" * 30, (12).to_bytes(8, "big")
    box = ChaCha20Poly1305(KEY.card_key(empty)).encrypt(bytes(12), message, row)
    with pytest.raises(SealBroken, match="not a card"):
        KEY.open(replace(empty, box=box))


@contextmanager
def an_ordinary_user() -> Iterator[None]:
    """Whoever runs the tests, or nobody instead of root."""
    user = os.geteuid()
    os.seteuid(user or 65_534)
    try:
        yield
    finally:
        os.seteuid(user)


class TestKeyFile:
    def test_the_key_is_read_from_its_file(self, tmp_path: Path) -> None:
        store_key(bytes(range(32)), tmp_path / "journal.seal")
        found = seal_key(tmp_path / "journal.seal", required=True)
        assert found is not None
        assert found.open(seal()) == "Ts"

    def test_a_credential_goes_before_the_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        held = tmp_path / "credentials"
        held.mkdir()
        (held / "keys_journal.seal").write_text(key_text(bytes(range(32))))
        (held / "keys_journal.seal").chmod(0o400)
        monkeypatch.setenv(CREDENTIALS, str(held))
        found = seal_key(tmp_path / "nowhere", required=True)
        assert found is not None
        assert found.open(seal()) == "Ts"

    def test_a_missing_key_is_refused_only_where_it_is_configured(self, tmp_path: Path) -> None:
        assert seal_key(tmp_path / "journal.seal", required=False) is None
        with pytest.raises(SealUnusable, match=r"seal key .*journal\.seal of the journal is missing"):
            seal_key(tmp_path / "journal.seal", required=True)

    def test_a_service_without_a_key_finds_none_in_roots_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = tmp_path / "keys"
        folder.mkdir(mode=0o700 if os.geteuid() == 0 else 0)
        monkeypatch.setenv(CREDENTIALS, "/")
        with an_ordinary_user():
            assert seal_key(folder / "journal.seal", required=False) is None
            with pytest.raises(SealUnusable, match=r"journal\.seal .* cannot be read: Permission denied"):
                seal_key(folder / "journal.seal", required=True)

    def test_a_key_that_others_can_read_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "journal.seal"
        store_key(bytes(range(32)), path)
        path.chmod(0o640)
        with pytest.raises(SealUnusable, match="mode 0640: others can read it"):
            seal_key(path, required=False)

    def test_a_file_that_holds_no_key_is_refused_without_its_content(self, tmp_path: Path) -> None:
        path = tmp_path / "journal.seal"
        path.touch(0o600)
        path.write_text("ab" * 31)
        with pytest.raises(SealUnusable, match="64 hexadecimal digits") as refused:
            seal_key(path, required=False)
        assert "abab" not in str(refused.value)

    def test_a_folder_in_place_of_the_key_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(SealUnusable, match="cannot be read"):
            seal_key(tmp_path, required=False)
