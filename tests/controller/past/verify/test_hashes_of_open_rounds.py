"""No hash of the round in play is shown: somebody could try all cards against the row of the face-down
card."""

from pathlib import Path

import pytest

from controller.journal.history import History
from controller.past.anchor import Anchor
from controller.past.verify.audit import VerifyReport
from controller.past.verify.external import VerifyDemands
from tests.fixtures.journal_table import findings, report
from tests.fixtures.played_journal import PlayedTable, journal, played_table

BEFORE = "1:main=500 1:dealer-bust=100"


def play(table: PlayedTable, words: str) -> None:
    for word in words.split():
        table.apply(table.event(word))


@pytest.mark.parametrize("words", ["close", "close 5h 9c", "close 5h 9c 1:hit"])
def test_the_last_hash_before_the_first_key_is_shown(tmp_path: Path, words: str) -> None:
    with played_table(tmp_path) as table:
        play(table, BEFORE)
        before = report(journal(tmp_path))
        assert (before.publishable, before.head) == last(tmp_path)
        play(table, words)
        assert shown_hash(report(journal(tmp_path))) == shown_hash(before)


def test_every_hash_of_an_ended_round_is_shown(tmp_path: Path) -> None:
    with played_table(tmp_path) as table:
        play(table, f"{BEFORE} close 5h 9c 1:stand pay")
        assert shown_hash(report(journal(tmp_path))) == last(tmp_path)


def test_a_card_that_waits_may_yet_lie_face_down(tmp_path: Path) -> None:
    with played_table(tmp_path) as table:
        play(table, BEFORE)
        before = report(journal(tmp_path))
        play(table, "9c")
        assert shown_hash(report(journal(tmp_path))) == shown_hash(before)


def test_a_row_of_a_round_in_play_is_not_compared(tmp_path: Path) -> None:
    with played_table(tmp_path) as table:
        play(table, f"{BEFORE} close 5h 9c")
        row, digest = last(tmp_path)
        for asked in (bytes.fromhex(digest), bytes(32)):
            (found,) = findings(journal(tmp_path), VerifyDemands(anchors=(Anchor(row, asked),)))
            assert "it is of the round in play: ask when that has ended" in str(found)


def shown_hash(found: VerifyReport) -> tuple[int, str]:
    return found.publishable, found.head


def last(folder: Path) -> tuple[int, str]:
    *_, entry = History(journal(folder)).rows()
    return entry.row, entry.hash.hex()
