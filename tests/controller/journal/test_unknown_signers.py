"""Whose signature is under a journal that is opened."""

from pathlib import Path

import pytest

from controller.journal.chain import RowContent
from controller.journal.errors import JournalDamaged
from controller.journal.journal import Journal
from controller.journal.signing import Signer, checkpoint

OURS = Signer(bytes(range(32)))
THEIRS = Signer(bytes(range(1, 33)))
ROWS = [RowContent(1.0, "alert", "{}"), RowContent(2.0, "alert", "{}")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Journal(tmp_path / "table.db", signer=OURS) as journal:
        journal.append(ROWS)
    return tmp_path / "table.db"


def test_a_journal_signed_by_this_table_raises_nothing(path: Path) -> None:
    with Journal(path, signer=OURS) as journal:
        assert journal.healed == ()


def test_a_foreign_signature_is_reported_until_this_table_signs(path: Path) -> None:
    with Journal(path, signer=THEIRS) as journal:
        (sentence,) = journal.healed
        assert f"row 3, is signed by the key {OURS.public.hex()}, not by this table's" in sentence
        journal.append(ROWS)
    with Journal(path, signer=THEIRS) as journal:
        assert journal.healed == ()


def test_a_table_without_a_key_knows_no_foreign_signer(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.healed == ()


def test_an_invalid_signature_is_damage(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.head
        forged = checkpoint(THEIRS, 3.0, journal.head)
        journal.append([RowContent(3.0, forged.kind, forged.body.replace('"row":3', '"row":2'))])
    with pytest.raises(JournalDamaged, match=r"table\.db is damaged: the checkpoint in row 4 is not signed"):
        Journal(path, signer=OURS)
