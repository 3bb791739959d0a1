"""A reader with every right on the folder of the journal, its mirror, its archive and a backup tries all 52
cards while one lies face down."""

import hashlib
import re
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from controller.cards import DECK
from controller.games import GAMES
from controller.journal import names
from controller.journal.chain import JournalRow, RowContent, row_hash
from controller.journal.sealing import SealKey
from controller.journal.signing import Signer
from controller.table.record.codec import read_input, to_row
from controller.table.record.sealed import openings, seal_in, with_cards
from tests.fixtures.crewed_table import InputRecorder
from tests.fixtures.loop_table import LoopTable, loop_table

KEY, SIGNER = bytes(range(32)), Signer(bytes(range(1, 33)))
ROWS = 40
"""Rows after which a file is closed, so that the archive is not empty."""
PIECE = 4096
OVERLAP = 1024
"""Bytes; no guess is longer than the second."""
NAMED = re.compile('"card":"(..)"')
PARTS = {"table.db", "table.db-wal", "table.db-head", "table.db-sums"}


def tables(folder: Path, game: str, key: SealKey | None) -> Generator[tuple[LoopTable, Path, str]]:
    """A table in its second round, after each row in which a card lies face down, with its folder and the
    card. The first round is in the archive."""
    recorder = InputRecorder(game, 0)
    recorder.play_by_chance()
    recorder.play_by_chance()
    path, mirror = folder / "table.db", folder / "mirror" / "table.db"
    mirror.parent.mkdir()
    made = loop_table(path, recorder.script.started(), most=ROWS, key=key, signer=SIGNER, mirror=mirror)
    with made as table:
        for event in recorder.inputs[1:]:
            table.apply(event)
            state = table.table.state
            if state.number == 2 and state.round.hidden:
                yield table, folder, str(state.round._state.layout.hole)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file, and a backup that SQLite makes."""
    with closing(sqlite3.connect(f"file:{folder}/table.db?mode=ro", uri=True)) as live:
        found = {"backup": live.serialize()}
    return found | {str(path.relative_to(folder)): path.read_bytes() for path in _files(folder)}


class Fresh:
    """What is new in files since the last look: guesses need not be searched twice in the same bytes."""

    def __init__(self) -> None:
        self._known = set[bytes]()

    def of(self, content: bytes) -> bytes:
        """Each new piece with the beginning of the next one."""
        pieces = dict.fromkeys(content[at : at + PIECE + OVERLAP] for at in range(0, len(content), PIECE))
        fresh = [piece for piece in pieces if piece not in self._known]
        self._known.update(fresh)
        return b"".join(fresh)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def guesses(before: JournalRow, entry: JournalRow, card: str) -> Iterator[bytes]:
    """What would be in a file that gave this card away: the row as it would be in the clear, its hash in the
    chain, and hashes of the row and of the card alone, as bytes and as text."""
    clear = _clear(entry, card)
    event = to_row(clear.at, read_input(clear))
    yield clear.body.encode()
    yield event.body.encode()
    hashed = (clear.body, f"{entry.row}{clear.body}", card, f'"{card}"', f'{{"card":"{card}"}}')
    digests = [hashlib.sha256(text.encode()).digest() for text in hashed]
    for digest in (row_hash(before.hash, entry.row, clear), *digests):
        yield digest
        yield digest.hex().encode()


def _clear(entry: JournalRow, card: str) -> RowContent:
    """The row with this card instead of its box, or of the one that it names."""
    (found,) = with_cards([entry], {entry.row: card})
    return replace(found.content, body=NAMED.sub(f'"card":"{card}"', found.content.body))


def found_by_trying(table: LoopTable, files: dict[str, bytes], place: int) -> set[tuple[str, str]]:
    """The names of files with the guesses about the row at this place that are right."""
    rows = list(table.journal.since(0))
    return {
        (name, card)
        for card in DECK
        for guess in guesses(rows[place - 1], rows[place], card)
        for name, content in files.items()
        if guess in content
    }


def sealed_place(table: LoopTable) -> int:
    """The place of the row with the box that is still closed."""
    rows = list(table.journal.since(0))
    closed = {seal.sealed.row for entry in rows if (seal := seal_in(entry))} - openings(rows).keys()
    (place,) = (place for place, entry in enumerate(rows) if entry.row in closed)
    return place


@pytest.mark.parametrize("game", GAMES)
def test_no_file_gives_the_face_down_card_to_whoever_tries_all_cards(tmp_path: Path, game: str) -> None:
    looks, fresh = 0, Fresh()
    for table, folder, _ in tables(tmp_path, game, SealKey(KEY)):
        files = contents(folder)
        new = {name: fresh.of(content) for name, content in files.items()}
        assert found_by_trying(table, new, sealed_place(table)) == set()
        assert not [
            name for name, content in files.items() if KEY in content or KEY.hex().encode() in content
        ]
        assert PARTS | {f"mirror/{name}" for name in PARTS} <= files.keys()
        assert names.archive(folder / "table.db").name in {name.partition("/")[0] for name in files}
        looks += 1
    assert looks


@pytest.mark.parametrize("game", GAMES)
def test_files_give_the_card_away_where_it_is_not_sealed(tmp_path: Path, game: str) -> None:
    """The search can succeed."""
    with closing(tables(tmp_path, game, None)) as looks:
        table, folder, hole = next(looks)
        rows = list(table.journal.since(0))
        place = max(at for at, entry in enumerate(rows) if f'"card":"{hole}"' in entry.content.body)
        found = found_by_trying(table, contents(folder), place)
    assert {card for _, card in found} == {hole}
    assert {"backup", "table.db-wal", "mirror/table.db-wal"} <= {name for name, _ in found}
