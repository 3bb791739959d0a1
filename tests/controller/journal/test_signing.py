"""The journal's key, and the rows that it signs."""

import json
import stat
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal.chain import JournalRow, RowContent, chain_rows
from controller.journal.errors import JournalError
from controller.journal.signing import CHECKPOINT, Signer, checkpoint, signed_by, signer

SIGNER = Signer(bytes(range(32)))
HEAD = chain_rows(None, [RowContent(1.0, "a", "{}"), RowContent(2.0, "b", "{}")])[-1]


def test_a_checkpoint_names_who_signed_the_row_before_it() -> None:
    row = checkpoint(SIGNER, 3.0, HEAD)
    assert (row.at, row.kind) == (3.0, CHECKPOINT)
    assert json.loads(row.body)["row"] == 2
    assert signed_by(row, HEAD) == SIGNER.public


def test_the_signature_is_over_one_line_of_ascii() -> None:
    signature = json.loads(checkpoint(SIGNER, 3.0, HEAD).body)["signature"]
    assert bytes.fromhex(signature) == SIGNER.sign(f"tableside checkpoint 1 2 {HEAD.hash.hex()}".encode())


@pytest.mark.parametrize(
    "before", [replace(HEAD, row=3), replace(HEAD, hash=bytes(32)), JournalRow(1, HEAD.content, bytes(32))]
)
def test_a_checkpoint_signs_no_other_row(before: JournalRow) -> None:
    assert signed_by(checkpoint(SIGNER, 3.0, HEAD), before) is None


def test_whoever_writes_another_row_into_a_checkpoint_has_no_signature_for_it() -> None:
    row = checkpoint(SIGNER, 3.0, HEAD)
    moved = replace(HEAD, row=7)
    assert signed_by(replace(row, body=row.body.replace('"row":2', '"row":7')), moved) is None


@pytest.mark.parametrize("field", ["row", "hash", "public", "signature"])
@pytest.mark.parametrize("value", [None, 5, "", "zz", "00", [], {}])
def test_a_body_that_makes_no_sense_signs_nothing(field: str, value: object) -> None:
    body = json.loads(checkpoint(SIGNER, 3.0, HEAD).body) | {field: value}
    assert signed_by(RowContent(3.0, CHECKPOINT, json.dumps(body)), HEAD) is None


@pytest.mark.parametrize("body", ["", "{}", "[]", "5", "null", "[" * 100_000])
def test_what_is_no_body_at_all_signs_nothing(body: str) -> None:
    assert signed_by(RowContent(3.0, CHECKPOINT, body), HEAD) is None


def test_the_first_start_makes_the_key_and_the_next_one_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "journal.key"
    first = signer(path)
    assert signer(path).public == first.public
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["journal.key"]


def test_no_two_tables_get_the_same_key(tmp_path: Path) -> None:
    assert signer(tmp_path / "one").public != signer(tmp_path / "other").public


def test_a_key_that_two_starts_make_at_once_is_one_key(tmp_path: Path) -> None:
    found: list[bytes] = []
    starts = [
        threading.Thread(target=lambda: found.append(signer(tmp_path / "journal.key").public))
        for _ in range(8)
    ]
    for start in starts:
        start.start()
    for start in starts:
        start.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_what_systemd_keeps_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = tmp_path / "held"
    held.mkdir()
    (held / "journal.key").write_text("07" * 32 + "\n")
    (held / "journal.key").chmod(0o400)
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(held))
    assert signer(tmp_path / "journal.key").public == Signer(b"\x07" * 32).public
    assert not (tmp_path / "journal.key").exists()


def test_a_folder_of_systemd_without_the_key_leaves_it_to_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path / "held"))
    signer(tmp_path / "journal.key")
    assert (tmp_path / "journal.key").exists()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "journal.key"
    signer(path)
    path.chmod(mode)
    with pytest.raises(JournalError, match=rf"journal\.key of the journal has mode {mode:04o}"):
        signer(path)


@pytest.mark.parametrize("written", ["", "07" * 31, "07" * 33, "zz" * 32, "00" * 32, "é" * 64])
def test_a_file_that_holds_no_key_is_refused_and_kept(tmp_path: Path, written: str) -> None:
    path = tmp_path / "journal.key"
    path.write_text(written)
    path.chmod(0o600)
    with pytest.raises(JournalError, match=r"journal\.key of the journal"):
        signer(path)
    assert path.read_text() == written


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "keys").symlink_to(tmp_path / "nowhere")
    with pytest.raises(JournalError, match="cannot be kept: File exists"):
        signer(tmp_path / "keys" / "journal.key")


def test_a_key_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "journal.key").mkdir()
    with pytest.raises(JournalError, match="cannot be read: Is a directory"):
        signer(tmp_path / "journal.key")


def test_no_key_is_printed_or_logged(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "journal.key"
    signer(path)
    text = "".join(capfd.readouterr())
    assert signer(path).public.hex() in text
    assert path.read_text().strip() not in text
    assert [file.name for file in tmp_path.iterdir()] == ["journal.key"]
