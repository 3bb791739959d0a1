"""Keys in files: who may read them, what is refused, and that no key is printed."""

import os
import stat
from contextlib import nullcontext
from pathlib import Path

import pytest

from drivers.key_files import (
    ABSENT,
    KeyFault,
    device_key,
    fingerprint,
    key_text,
    make_key,
    parse_key,
    read_key,
    store_key,
)


def test_a_key_comes_back_and_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    key, path = make_key(), tmp_path / "keys" / "shoe.key"
    store_key(key, path)
    assert read_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [entry.name for entry in path.parent.iterdir()] == ["shoe.key"]


def test_no_two_keys_are_alike() -> None:
    assert len({make_key() for _ in range(100)}) == 100


def test_a_key_is_replaced_only_when_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "shoe.key"
    first, second = make_key(), make_key()
    store_key(first, path)
    with pytest.raises(KeyFault, match="already has a key"):
        store_key(second, path)
    assert read_key(path) == first
    store_key(second, path, replace=True)
    assert read_key(path) == second


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o777])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "shoe.key"
    store_key(make_key(), path)
    path.chmod(mode)
    with pytest.raises(KeyFault, match=f"mode {mode:04o}"):
        read_key(path)


@pytest.mark.parametrize(
    "written", ["", "ab" * 31, "ab" * 33, "xy" * 32, "ab" * 32 + "\n\n", " " + "ab" * 32, "00" * 32, "é" * 64]
)
def test_what_is_no_key_is_refused_and_not_repeated(tmp_path: Path, written: str) -> None:
    path = tmp_path / "shoe.key"
    path.write_text(written)
    path.chmod(0o600)
    with pytest.raises(KeyFault) as refused:
        read_key(path)
    assert str(path) in str(refused.value)
    assert not written.strip() or written.strip() not in str(refused.value)


def test_a_key_may_be_written_in_capitals() -> None:
    assert parse_key("AB" * 32, "it") == bytes.fromhex("ab" * 32)


def test_a_missing_key_says_what_makes_one(tmp_path: Path) -> None:
    with pytest.raises(KeyFault, match="tableside device provision"):
        read_key(tmp_path / "shoe.key")


def test_a_folder_is_no_key(tmp_path: Path) -> None:
    with pytest.raises(KeyFault, match="cannot be read"):
        read_key(tmp_path)


def test_a_key_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyFault, match="cannot be kept"):
        store_key(make_key(), tmp_path / "file" / "shoe.key")


def test_a_credential_of_the_service_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given, kept = make_key(), make_key()
    store_key(kept, tmp_path / "shoe.key")
    store_key(kept, tmp_path / "display.key")
    store_key(given, tmp_path / "credentials" / "shoe.key")
    monkeypatch.setitem(os.environ, "CREDENTIALS_DIRECTORY", str(tmp_path / "credentials"))
    assert device_key("shoe", tmp_path / "shoe.key") == given
    assert device_key("display", tmp_path / "display.key") == kept


def test_a_folder_of_keys_is_a_credential_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = make_key()
    store_key(given, tmp_path / "credentials" / "keys_shoe.key")
    monkeypatch.setitem(os.environ, "CREDENTIALS_DIRECTORY", str(tmp_path / "credentials"))
    assert device_key("shoe", tmp_path / "shoe.key") == given


def test_a_credential_that_stands_in_for_a_missing_file_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, credentials = make_key(), tmp_path / "credentials"
    credentials.mkdir()
    (credentials / "shoe.key").write_bytes(ABSENT)
    monkeypatch.setitem(os.environ, "CREDENTIALS_DIRECTORY", str(credentials))
    store_key(kept, tmp_path / "shoe.key")
    assert device_key("shoe", tmp_path / "shoe.key") == kept


@pytest.mark.parametrize(("mode", "taken"), [(0o400, True), (0o440, True), (0o444, False)])
def test_the_mask_of_a_credentials_access_list_opens_it_to_nobody(
    mode: int, taken: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "credentials" / "shoe.key"
    store_key(make_key(), path)
    path.chmod(mode)
    monkeypatch.setitem(os.environ, "CREDENTIALS_DIRECTORY", str(path.parent))
    with nullcontext() if taken else pytest.raises(KeyFault, match="others can read it"):
        device_key("shoe", tmp_path / "shoe.key")


def test_a_fingerprint_tells_keys_apart_and_is_no_part_of_them() -> None:
    key = make_key()
    assert fingerprint(key) == fingerprint(bytes(key)) != fingerprint(make_key())
    assert fingerprint(key) not in key_text(key)
