"""Whose a journal is: signed by the configured key, by a foreign one, or by one that two persons
confirmed."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal import names
from controller.journal.chain import RowContent
from controller.journal.head import HeadRecord, head_file, read
from controller.journal.key_change import KeyChange
from controller.journal.signing import CHECKPOINT, Signer, checkpoint
from controller.journal.trust import CONFIRMED, write_public
from tests.fixtures.journal_files import build, chain, write
from tests.fixtures.journal_table import SIGNER, findings, played_rows, run
from tests.fixtures.played_journal import CONFIG

THEIRS = Signer(b"\x07" * 32)
PUBLIC = SIGNER.public.hex()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    tmp_path.joinpath("table.toml").write_text(CONFIG)
    write_public(tmp_path / "journal.pub", SIGNER.public)
    return tmp_path / "journal.sqlite"


def of_table(path: Path, *words: str) -> tuple[int, str]:
    """`verify` with the configuration of the table."""
    done = run("--config", path.with_name("table.toml"), *words)
    return done.exit_code, done.stdout


def signed_by_both(path: Path, confirmed: RowContent | None = None) -> int:
    """A round under a foreign key, then one under ours; returns the last row of the foreign part."""
    rows = played_rows()[0]
    half = next(at for at, row in enumerate(rows) if row.kind == "snapshot") + 1
    first = chain(None, rows[:half], THEIRS)
    if confirmed:
        body = {**json.loads(confirmed.body), "row": first[-1].row}
        first += chain(first[-1], [RowContent(confirmed.at, confirmed.kind, json.dumps(body))])
        first += chain(first[-1], [checkpoint(SIGNER, confirmed.at, first[-1])])
    write(path, first + chain(first[-1], rows[half:], SIGNER))
    return half


def by_two(key: bytes = THEIRS.public) -> RowContent:
    confirmation = {
        "found": [],
        "keys": [key.hex()],
        "who": "Ann",
        "second": "Bo",
        "why": "the disk was exchanged",
    }
    return RowContent(1_700_000_000.0, CONFIRMED, json.dumps({**confirmation, "hash": ""}))


def test_a_journal_signed_throughout_by_a_foreign_key_is_found(path: Path) -> None:
    build(path, played_rows(), THEIRS)
    status, said = of_table(path)
    assert (status, "Nothing is wrong." in said) == (1, False)
    assert f"no row is signed by {PUBLIC}" in said
    assert f"signed by {THEIRS.public.hex()}; it should be by {PUBLIC}" in said


def test_a_journal_signed_by_the_configured_key_is_accepted(path: Path) -> None:
    build(path, played_rows(), SIGNER)
    status, said = of_table(path)
    assert (status, "Nothing is wrong." in said, "not compared" in said) == (0, True, False)
    assert json.loads(of_table(path, "--json")[1])["compared"] == PUBLIC


def test_a_journal_without_a_key_to_compare_is_not_called_right(path: Path) -> None:
    build(path, played_rows(), THEIRS)
    done = run(path)
    assert done.exit_code == 0
    assert f"by {THEIRS.public.hex()}, not compared: name the table's public key" in done.stdout
    assert "Nothing is wrong" not in done.stdout
    assert json.loads(run(path, "--json").stdout)["compared"] is None


def test_more_than_one_key_is_a_finding(path: Path) -> None:
    signed_by_both(path)
    (found,) = findings(path)
    assert found[0] == "checkpoint"
    assert f"signed by {THEIRS.public.hex()}; it should be by {PUBLIC}, which signed last" in found[2]


def test_a_foreign_key_that_two_persons_confirmed_is_told_and_no_finding(path: Path) -> None:
    half = signed_by_both(path, by_two())
    status, said = of_table(path)
    assert status == 0
    assert f"Ann and Bo confirmed the rows up to {half + 1} in row {half + 2}: the disk was exchanged" in said
    assert json.loads(of_table(path, "--json")[1])["confirmed"][0]["who"] == "Ann"


def test_what_was_confirmed_of_another_key_excuses_nothing(path: Path) -> None:
    signed_by_both(path, by_two(b"\x09" * 32))
    assert of_table(path)[0] == 1


def test_a_confirmation_that_the_foreign_key_signed_excuses_nothing(path: Path) -> None:
    rows = [*played_rows()[0], by_two()]
    rows[-1] = RowContent(rows[-1].at, CONFIRMED, json.dumps({**json.loads(rows[-1].body), "row": 9999}))
    build(path, [rows], THEIRS)
    assert of_table(path)[0] == 1


def changed_key(path: Path, old: Signer, new: Signer, by: Signer | None = None) -> int:
    """A round under the key `old`, a change of the key, then a round under `by`; returns the row of the
    change."""
    rows = played_rows()[0]
    half = next(at for at, row in enumerate(rows) if row.kind == "snapshot") + 1
    first = chain(None, rows[:half], old)
    change = KeyChange.signed(first[-1], old, new, at=1_700_000_000.0)
    first += chain(first[-1], [change.content()])
    write(path, first + chain(first[-1], rows[half:], by or new))
    return change.row + 1


def test_a_change_of_the_key_that_both_keys_signed_is_told_and_no_finding(path: Path) -> None:
    row = changed_key(path, THEIRS, SIGNER)
    status, said = of_table(path)
    assert status == 0
    assert f"row {row} changes the key {THEIRS.public.hex()} to {PUBLIC}: both signed it" in said
    assert json.loads(of_table(path, "--json")[1])["changes"] == [
        {"row": row, "old": THEIRS.public.hex(), "new": PUBLIC}
    ]
    assert findings(path) == []


def test_whoever_has_only_the_old_public_key_can_check_a_changed_journal(path: Path) -> None:
    changed_key(path, THEIRS, SIGNER)
    assert run(path, "--public", THEIRS.public.hex()).exit_code == 0
    assert run(path, "--public", "ab" * 32).exit_code == 1


def test_a_signature_of_the_old_key_after_its_change_is_found(path: Path) -> None:
    row = changed_key(path, SIGNER, THEIRS, by=SIGNER)
    (found,) = [text for _, _, text in findings(path)]
    assert f"signed by {PUBLIC}, which may sign nothing after row {row}" in found


def test_a_signature_of_the_new_key_before_its_change_is_found(path: Path) -> None:
    rows = played_rows()[0]
    first = chain(None, rows, SIGNER)
    change = KeyChange.signed(first[-1], THEIRS, SIGNER, at=1_700_000_000.0)
    first += chain(first[-1], [change.content()])
    write(path, first + chain(first[-1], [checkpoint(SIGNER, 1_700_000_000.0, first[-1])]))
    assert any("may sign nothing before row" in text for _, _, text in findings(path))


@pytest.mark.parametrize("forged", ["old_signature", "new_signature", "hash"])
def test_a_change_of_the_key_without_both_signatures_is_found(path: Path, forged: str) -> None:
    rows = played_rows()[0]
    half = next(at for at, row in enumerate(rows) if row.kind == "snapshot") + 1
    first = chain(None, rows[:half], THEIRS)
    change = KeyChange.signed(first[-1], THEIRS, SIGNER, at=1_700_000_000.0)
    body = {**json.loads(change.content().body), forged: "00" * (32 if forged == "hash" else 64)}
    first += chain(first[-1], [replace(change.content(), body=json.dumps(body))])
    write(path, first + chain(first[-1], rows[half:], SIGNER))
    status, said = of_table(path)
    assert (status, "did not both sign that after row" in said) == (1, True)
    assert f"signed by {THEIRS.public.hex()}; it should be by {PUBLIC}" in said


def test_a_change_of_the_key_at_another_place_is_found(path: Path) -> None:
    rows = played_rows()[0]
    half = next(at for at, row in enumerate(rows) if row.kind == "snapshot") + 1
    first = chain(None, rows[:half], THEIRS)
    change = KeyChange.signed(first[-2], THEIRS, SIGNER, at=1_700_000_000.0)
    first += chain(first[-1], [change.content()])
    write(path, first + chain(first[-1], rows[half:], SIGNER))
    assert of_table(path)[0] == 1


def test_the_keys_before_a_confirmed_key_are_accepted_too(path: Path) -> None:
    first_key, lost = Signer(b"\x08" * 32), THEIRS
    rows = played_rows()[0]
    half = next(at for at, row in enumerate(rows) if row.kind == "snapshot") + 1
    entries = chain(None, rows[:half], first_key)
    entries += chain(entries[-1], [KeyChange.signed(entries[-1], first_key, lost, at=1.7e9).content()])
    entries += chain(entries[-1], [checkpoint(lost, 1.7e9, entries[-1])])
    confirmed = {**json.loads(by_two(lost.public).body), "row": entries[-1].row}
    entries += chain(entries[-1], [RowContent(1.7e9, CONFIRMED, json.dumps(confirmed))])
    write(path, entries + chain(entries[-1], rows[half:], SIGNER))
    assert of_table(path)[0] == 0


def test_an_ended_round_without_a_signature_is_found(path: Path) -> None:
    rows = played_rows()[0]
    half = next(at for at, row in enumerate(rows) if row.kind == "snapshot") + 1
    first = chain(None, rows[:half], SIGNER)
    write(path, first + chain(first[-1], rows[half:]))
    assert any("no checkpoint signs it, though a round ended there" in text for _, _, text in findings(path))


def test_a_journal_cut_back_to_a_checkpoint_without_its_record_is_found(path: Path) -> None:
    entries = build(path, played_rows()[:1], SIGNER)
    checkpoints = [at for at, entry in enumerate(entries) if entry.content.kind == CHECKPOINT]
    write(path, entries[: checkpoints[-2] + 1])
    names.head(path).unlink()
    (found,) = findings(path)
    assert found[0] == "damage"
    assert f"the record {names.head(path)} of its last row is missing or damaged" in found[2]
    assert "tableside journal confirm" in found[2]


def test_missing_rows_that_the_record_names_are_found(path: Path) -> None:
    entries = build(path, played_rows()[:1], SIGNER)
    record = names.head(path).read_bytes()
    checkpoints = [at for at, entry in enumerate(entries) if entry.content.kind == CHECKPOINT]
    write(path, entries[: checkpoints[-2] + 1])
    names.head(path).write_bytes(record)
    (found,) = findings(path)
    assert f"rows {checkpoints[-2] + 2} to {len(entries)} are gone" in found[2]


def test_another_last_row_than_the_recorded_one_is_found(path: Path) -> None:
    build(path, played_rows()[:1], SIGNER)
    mark = read(names.head(path))
    assert mark
    names.head(path).write_bytes(head_file(HeadRecord(mark.row, bytes(32))))
    assert [text for _, _, text in findings(path) if "it is not the row that was written" in text]
