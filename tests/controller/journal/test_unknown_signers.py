"""Whose signature is under a journal that is opened."""

from pathlib import Path

import pytest

from controller.journal.chain import Row
from controller.journal.errors import JournalDamaged
from controller.journal.journal import Journal
from controller.journal.signing import Signer, checkpoint

OURS, THEIRS = Signer(bytes(range(32))), Signer(bytes(range(1, 33)))
ROWS = [Row(1.0, "alert", "{}"), Row(2.0, "alert", "{}")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Journal(tmp_path / "table.db", signer=OURS) as journal:
        journal.append(ROWS)
    return tmp_path / "table.db"


def test_ours_is_nothing_to_tell(path: Path) -> None:
    with Journal(path, signer=OURS) as journal:
        assert journal.healed == ()


def test_anothers_is_told_until_the_table_signed_itself(path: Path) -> None:
    with Journal(path, signer=THEIRS) as journal:
        (told,) = journal.healed
        assert f"row 3, is signed by the key {OURS.public.hex()}, not by this table's" in told
        journal.append(ROWS)
    with Journal(path, signer=THEIRS) as journal:
        assert journal.healed == ()


def test_without_a_key_nobody_is_strange(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.healed == ()


def test_a_signature_that_is_none_is_damage(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.head
        forged = checkpoint(THEIRS, 3.0, journal.head)
        journal.append([Row(3.0, forged.kind, forged.body.replace('"row":3', '"row":2'))])
    with pytest.raises(JournalDamaged, match=r"table\.db is damaged: the checkpoint in row 4 is not signed"):
        Journal(path, signer=OURS)
