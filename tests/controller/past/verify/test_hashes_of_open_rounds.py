"""Of a round in play no hash is told: the row with the face-down card could be tried with all cards."""

from pathlib import Path

import pytest

from controller.journal.history import entries
from controller.past.verify.audit import Report
from controller.past.verify.external import Asked
from tests.fixtures.journal_table import findings, report
from tests.fixtures.played_journal import House, house, journal

BEFORE = "1:main=500 1:dealer-bust=100"


def play(table: House, words: str) -> None:
    for word in words.split():
        table.tell(table.event(word))


@pytest.mark.parametrize("words", ["close", "close 5h 9c", "close 5h 9c 1:hit"])
def test_the_hash_of_the_last_row_before_the_first_key_is_told(tmp_path: Path, words: str) -> None:
    with house(tmp_path) as table:
        play(table, BEFORE)
        before = report(journal(tmp_path))
        assert (before.told, before.head) == last(tmp_path)
        play(table, words)
        assert told(report(journal(tmp_path))) == told(before)


def test_all_is_told_of_a_round_that_has_ended(tmp_path: Path) -> None:
    with house(tmp_path) as table:
        play(table, f"{BEFORE} close 5h 9c 1:stand pay")
        assert told(report(journal(tmp_path))) == last(tmp_path)


def test_a_card_that_waits_may_yet_lie_face_down(tmp_path: Path) -> None:
    with house(tmp_path) as table:
        play(table, BEFORE)
        before = report(journal(tmp_path))
        play(table, "9c")
        assert told(report(journal(tmp_path))) == told(before)


def test_a_row_of_a_round_in_play_is_not_compared(tmp_path: Path) -> None:
    with house(tmp_path) as table:
        play(table, f"{BEFORE} close 5h 9c")
        row, digest = last(tmp_path)
        for asked in (bytes.fromhex(digest), bytes(32)):
            (found,) = findings(journal(tmp_path), Asked(expected=((row, asked),)))
            assert "it is of the round in play: ask when that has ended" in str(found)


def told(found: Report) -> tuple[int, str]:
    return found.told, found.head


def last(folder: Path) -> tuple[int, str]:
    *_, entry = entries(journal(folder))
    return entry.row, entry.hash.hex()
