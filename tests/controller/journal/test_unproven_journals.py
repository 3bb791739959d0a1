"""A journal that cannot prove that it is complete waits until two persons confirm it."""

import json
import shutil
from pathlib import Path

import pytest

from controller.journal import head, names
from controller.journal.chain import RowContent
from controller.journal.errors import JournalDamaged, JournalError, JournalUnconfirmed
from controller.journal.inspection import inspect
from controller.journal.journal import Journal
from controller.journal.signing import CHECKPOINT, Signer, signed_by
from controller.journal.trust import (
    CONFIRMATION_SECONDS,
    CONFIRMED,
    Confirmation,
    Trust,
    confirmation_path,
    read_confirmation,
    read_public,
    write_for_start,
    write_public,
)
from tests.fixtures.journal_files import build

OURS = Signer(bytes(range(32)))
THEIRS = Signer(bytes(range(1, 33)))
ROUND = [RowContent(1.0, "alert", "{}"), RowContent(2.0, "snapshot", "{}")]
TRUST = Trust(OURS.public)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Journal(tmp_path / "table.db", signer=OURS) as journal:
        for _ in range(3):
            journal.append(ROUND)
    return tmp_path / "table.db"


def by(path: Path, signer: Signer) -> None:
    """The same rows, signed throughout by another key."""
    with Journal(path) as journal:
        rows = [entry.content for entry in journal.since(0) if entry.content.kind != CHECKPOINT]
    for part in names.parts(path):
        part.unlink(missing_ok=True)
    build(path, [rows], signer)


def cut_back(path: Path) -> None:
    """Cut back to an earlier checkpoint, without the record of the last row."""
    with Journal(path) as journal:
        rows = [entry.content for entry in journal.since(0)][:-3]
    for part in names.parts(path):
        part.unlink(missing_ok=True)
    build(path, [[row for row in rows if row.kind != CHECKPOINT]], OURS)
    names.head(path).unlink()


def everything(path: Path) -> dict[str, bytes]:
    parts = (part for part in names.parts(path) if part != names.index(path))
    return {part.name: part.read_bytes() for part in parts if part.exists()}


def refused(path: Path, *sentences: str, mirror: Path | None = None, trust: Trust = TRUST) -> None:
    """The journal is not opened, and nothing on disk changes."""
    before = everything(path)
    with pytest.raises(JournalUnconfirmed) as refusal:
        Journal(path, mirror, OURS, trust=trust)
    assert [sentence for sentence in sentences if sentence not in str(refusal.value)] == []
    assert everything(path) == before


def by_two(path: Path, **other: object) -> Trust:
    """A confirmation by two persons of the journal as it is."""
    last = inspect(path).last
    assert last
    confirmation = {
        "found": ("it was cut",),
        "keys": (),
        "who": "Ann",
        "second": "Ben",
        "why": "seen",
        "at": 9.0,
    }
    said = {"row": last.row, "hash": last.hash.hex(), **confirmation, **other}
    return Trust(OURS.public, Confirmation(**said))  # type: ignore[arg-type]


def test_a_journal_that_is_signed_throughout_by_a_foreign_key_is_not_opened(path: Path) -> None:
    by(path, THEIRS)
    refused(path, "its last checkpoint, row 9, is signed by the key", THEIRS.public.hex(), OURS.public.hex())


def test_a_journal_that_lost_all_its_signatures_is_not_opened(path: Path) -> None:
    with Journal(path) as journal:
        rows = [entry.content for entry in journal.since(0) if entry.content.kind != CHECKPOINT]
    for part in names.parts(path):
        part.unlink(missing_ok=True)
    build(path, [rows])
    refused(path, "no checkpoint signs row 6, though a round ended there")


def test_a_journal_that_was_cut_back_without_its_record_is_not_opened(path: Path) -> None:
    cut_back(path)
    refused(path, "ends at row 6", f"the record {names.head(path)} of its last row is missing or damaged")
    refused(path, "ends at row 6", trust=Trust())


@pytest.mark.parametrize("content", [b"", b"x", bytes(60), bytes(120), b"x" * 4096])
def test_a_record_that_is_damaged_is_as_good_as_none(path: Path, content: bytes) -> None:
    names.head(path).write_bytes(content)
    refused(path, "is missing or damaged")


@pytest.mark.parametrize("cut", range(1, head.SLOT))
def test_a_write_of_the_record_that_power_cut_short_costs_nothing(path: Path, cut: int) -> None:
    """Whichever of its two places was being written."""
    for place in (0, head.SLOT):
        with names.head(path).open("r+b") as file:
            file.seek(place)
            file.write(b"\xa5" * cut)
        with Journal(path, signer=OURS, trust=TRUST) as journal:
            assert [str(names.head(path)) in sentence for sentence in journal.healed] == [True]
        with Journal(path, signer=OURS, trust=TRUST) as journal:
            assert journal.healed == ()


def test_a_record_written_by_an_older_version_is_read(path: Path) -> None:
    names.head(path).write_bytes(names.head(path).read_bytes()[: head.SLOT])
    with Journal(path, signer=OURS, trust=TRUST) as journal:
        assert journal.healed == ()
    assert names.head(path).stat().st_size == head.SIZE


def test_a_foreign_signature_is_only_reported_without_a_public_key(path: Path) -> None:
    by(path, THEIRS)
    with Journal(path, signer=OURS) as journal:
        assert THEIRS.public.hex() in journal.healed[-1]


def test_one_copy_with_a_record_proves_that_nothing_is_gone(path: Path) -> None:
    mirror = path.with_name("mirror.db")
    Journal(path, mirror, OURS).close()
    names.head(mirror).unlink()
    with Journal(path, mirror, OURS, trust=TRUST) as journal:
        assert [str(names.head(mirror)) in sentence for sentence in journal.healed] == [True]
    for each in (path, mirror):
        names.head(each).unlink()
    refused(path, "is missing or damaged", mirror=mirror)


def test_a_journal_of_an_old_schema_is_no_way_around_it(path: Path) -> None:
    """A table that keeps a public key has never written that schema."""
    old = Path(__file__).with_name("old") / "sealed-no-bust.db"
    for part in names.parts(path):
        part.unlink(missing_ok=True)
    shutil.copy(old, path)
    refused(path, "is missing or damaged")
    Journal(path, signer=OURS).close()


def test_a_journal_that_was_just_made_needs_no_word(tmp_path: Path) -> None:
    """The start was cut short before the record was there."""
    path = tmp_path / "table.db"
    Journal(path).close()
    names.head(path).unlink()
    with Journal(path, signer=OURS, trust=TRUST) as journal:
        assert names.head(path).stat().st_size == head.SIZE
        journal.append(ROUND)


def test_closed_files_without_the_journal_behind_them_are_no_new_table(path: Path) -> None:
    with Journal(path, signer=OURS) as journal:
        journal.roll(ROUND)
    for part in names.parts(path):
        part.unlink(missing_ok=True)
    with pytest.raises(JournalDamaged, match=r"is gone: its last row was 9 or later, says .*0000000009\.db"):
        Journal(path, signer=OURS)


def test_a_journal_that_two_persons_confirmed_goes_on_and_says_so(path: Path) -> None:
    by(path, THEIRS)
    names.head(path).unlink()
    trust = by_two(path, keys=(THEIRS.public.hex(),))
    with Journal(path, signer=OURS, trust=trust) as journal:
        *_, before, row, signed = journal.since(0)
        body = json.loads(row.content.body)
    assert (row.content.kind, row.content.at) == (CONFIRMED, 9.0)
    assert (body["row"], body["hash"]) == (before.row, before.hash.hex())
    assert (body["who"], body["second"], body["why"]) == ("Ann", "Ben", "seen")
    assert signed_by(signed.content, row) == OURS.public
    with Journal(path, signer=OURS, trust=trust) as journal:
        assert [entry.content.kind for entry in journal.since(0)].count(CONFIRMED) == 1
        assert journal.healed == ()


def test_what_was_confirmed_of_another_row_is_worth_nothing(path: Path) -> None:
    by(path, THEIRS)
    refused(path, "its last checkpoint", trust=by_two(path, row=7))
    refused(path, "its last checkpoint", trust=by_two(path, hash="00" * 32))


def test_a_last_checkpoint_that_is_not_signed_is_damage(path: Path) -> None:
    with Journal(path) as journal:
        journal.append([RowContent(3.0, CHECKPOINT, "{}")])
    with pytest.raises(JournalDamaged, match="is not signed"):
        Journal(path, signer=OURS, trust=TRUST)


def test_the_public_key_lies_where_everyone_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.pub"
    assert read_public(path) is None
    write_public(path, OURS.public)
    assert (read_public(path), path.stat().st_mode & 0o777) == (OURS.public, 0o644)
    path.write_text("nothing")
    with pytest.raises(JournalError, match=r"journal\.pub of the journal holds 7 characters; allowed: 64"):
        read_public(path)


def test_a_confirmation_holds_for_an_hour(path: Path) -> None:
    file = confirmation_path(path.with_name("journal.pub"))
    said = by_two(path, at=1000.0).confirmation
    assert said
    assert read_confirmation(file, 1000.0) is None
    write_for_start(file, said, path)
    assert read_confirmation(file, 1000.0 + CONFIRMATION_SECONDS - 1) == said
    assert read_confirmation(file, 1000.0 + CONFIRMATION_SECONDS) is None
    assert read_confirmation(file, 1000.0 - CONFIRMATION_SECONDS) is None
    file.write_text("{}")
    with pytest.raises(JournalError, match="cannot be used"):
        read_confirmation(file, 1000.0)
