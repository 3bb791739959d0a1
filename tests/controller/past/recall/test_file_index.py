"""What a search remembers of closed files."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal.closed_files import list_closed_files
from controller.journal.errors import JournalError
from controller.journal.history import History, TimeSpan, open_file
from controller.past.closed_file_memory import ClosedFileMemory, version_of
from controller.past.recall.condensed import condense, condition
from controller.past.recall.file_index import FileIndex
from controller.past.recall.query import OUTCOMES, RoundQuery, cards_of
from controller.past.recall.search import SearchMemory, search
from tests.fixtures.journal_files import closed_files, overwrite, write
from tests.fixtures.random_nights import kept

FILES = (12, 9, 7)
QUERIES = (
    RoundQuery(),
    *(RoundQuery(outcome=outcome) for outcome in OUTCOMES),
    RoundQuery(seat=4),
    RoundQuery(wager="buster", over=1),
    RoundQuery(cards=cards_of("7 7")),
    RoundQuery(dealer="dana"),
    RoundQuery(person="zoë"),
    RoundQuery(person="okafor", outcome="corrected"),
    RoundQuery(span=TimeSpan(1_700_002_000.0, 1_700_009_000.0)),
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("index") / "table.db"
    kept(path, files=FILES)
    return path


@pytest.mark.parametrize("most", [1, 2, 100])
def test_searches_that_remember_files_find_the_same(path: Path, most: int) -> None:
    memory = SearchMemory(ClosedFileMemory(most))
    for query in (*QUERIES, *QUERIES):
        known = search(path, query, 100)
        assert search(path, query, 100, memory=memory) == known
        for found in known.rounds[:3]:
            before = replace(query, before=found.row)
            assert search(path, before, 100, memory=memory) == search(path, before, 100)


def test_a_search_reads_no_remembered_file_that_has_no_candidate(tmp_path: Path) -> None:
    """The index that the memory gets is that of another file, and no row in it may match."""
    path, memory = tmp_path / "t.db", SearchMemory()
    kept(path, files=FILES)
    with open_file(path) as reader:
        memory.indexes.add(version_of(History(path).files()[0]), FileIndex(reader))
    below = RoundQuery(before=list_closed_files(path)[0].last + 1)
    assert len(search(path, below, 100).rounds) == FILES[0]
    assert search(path, below, 100, memory=memory).rounds == ()


def test_a_search_does_not_trust_a_file_whose_time_was_set_back(tmp_path: Path) -> None:
    path, memory = tmp_path / "t.db", SearchMemory()
    kept(path, files=FILES)
    search(path, RoundQuery(), 100, memory=memory)
    first = closed_files(path)[0]
    stamp = first.stat()
    overwrite(first, b'"outcome":"settled"', b'"outcome":"sextled"')
    os.utime(first, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    with pytest.raises(JournalError, match=f"journal {first} is damaged: "):
        search(path, RoundQuery(outcome="void"), 100, memory=memory)


def test_a_search_checks_the_rows_that_came_after_the_last_one(tmp_path: Path) -> None:
    path, memory = tmp_path / "t.db", SearchMemory()
    entries = kept(path, files=FILES)
    live = [entry for entry in entries if entry.row > list_closed_files(path)[-1].last]
    write(path, live[:100])
    search(path, RoundQuery(), 100, memory=memory)
    assert (memory.checked.last, memory.checked.hash) == (live[99].row, live[99].hash)
    write(path, [*live[:-1], replace(live[-1], hash=bytes(32))])
    with pytest.raises(JournalError, match=f"row {live[-1].row} does not follow from the one before"):
        search(path, RoundQuery(outcome="void"), 100, memory=memory)
    write(path, [*live[:50], replace(live[50], hash=bytes(32)), *live[51:]])
    with pytest.raises(JournalError, match=f"row {live[50].row} does not follow from the one before"):
        search(path, RoundQuery(outcome="void"), 100, memory=SearchMemory())


def test_a_search_that_takes_too_long_goes_on_with_the_next_file(path: Path) -> None:
    first = search(path, RoundQuery(), 100, seconds=-1)
    second = search(path, RoundQuery(before=first.before), 100, seconds=-1)
    assert [round_.number for round_ in (*first.rounds, *second.rounds)] == list(
        range(sum(FILES), FILES[0], -1)
    )


def test_a_file_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    memory = SearchMemory()
    for seed in (1, 2):
        folder = tmp_path / str(seed)
        folder.mkdir()
        kept(folder / "t.db", seed, files=FILES)
    path = tmp_path / "t.db"
    for seed in (1, 2):
        path.unlink(missing_ok=True)
        path.symlink_to(tmp_path / str(seed) / "t.db")
        (tmp_path / "t.db.archive").unlink(missing_ok=True)
        (tmp_path / "t.db.archive").symlink_to(tmp_path / str(seed) / "t.db.archive")
        assert search(path, RoundQuery(), 100, memory=memory) == search(path, RoundQuery(), 100)
    assert list_closed_files(path)


def test_a_condition_on_cards_counts_each_card() -> None:
    assert condition("card_1_As") == "instr(cards, :card_1_As)"
    assert condition("card_2_7") == "length(cards) - length(replace(cards, :card_2_7, '')) >= 2"


def test_a_condensed_round_has_no_amount_of_an_unknown_win() -> None:
    line = {"seat": 3, "wager": "main", "paid": None, "pays": None}
    hand = {"cards": ["Ts", "6h", "7d"], "label": "bust"}
    shown = {"outcome": "settled", "dealer": hand, "seats": [{"hands": [hand]}], "lines": [line]}
    found = condense(shown)
    assert (found.outcome, found.won_most, found.lines) == ("settled bust", 0, ";3:main=")
    assert found.cards == "Ts6h7d" * 2
