"""Flips every bit of every page of a small journal, and of its log, its record and its sums.

`python -m tests.controller.journal.bits` does so for a whole real journal, which takes some minutes. The
tests flip a sample.
"""

import random
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.journal import names
from controller.journal.chain import JournalRow
from controller.journal.errors import JournalDamaged
from controller.journal.inspection import JournalBytes, examine, read
from controller.journal.journal import Journal
from controller.journal.sqlite_format import FRAME, HEADER, read_log

OLD = Path(__file__).with_name("old") / "sealed-blackjack-x-killed.db"
"""A round of Blackjack X, and another one that was broken off."""


@dataclass
class Count:
    """How many bits were flipped, and which flips were not noticed: file, byte, bit."""

    flipped: int
    undetected: list[tuple[str, int, int]]


@cache
def real_rows() -> list[JournalRow]:
    """The rows of a real table."""
    with TemporaryDirectory() as folder:
        shutil.copy(OLD, Path(folder) / "old")
        with Journal(Path(folder) / "old") as journal:
            return list(journal.since(0))


def closed(path: Path, rows: int) -> JournalBytes:
    """A journal of the first rows, closed in order."""
    with Journal(path) as journal:
        journal.append([entry.content for entry in real_rows()[:rows]])
    return read(path)


def killed(path: Path, rows: int, commits: int) -> JournalBytes:
    """The same with this many commits of one row each, left as a kill leaves it: those rows are in the
    log."""
    entries = real_rows()
    closed(path, rows)
    with Journal(path) as journal:
        for entry in entries[rows : rows + commits]:
            journal.append([entry.content])
        return read(path)


def committed(path: Path, files: JournalBytes) -> range:
    """The committed bytes of the log."""
    return range(HEADER + read_log(path, files.log).frames * FRAME)


def flip(path: Path, files: JournalBytes, name: str, at: Iterable[tuple[int, int]]) -> Count:
    """Flips bits of one of the files, one after the other."""
    count, content = Count(0, []), bytearray(getattr(files, name))
    for byte, bit in at:
        content[byte] ^= 1 << bit
        count.flipped += 1
        if not noticed(path, replace(files, **{name: bytes(content)})):
            count.undetected.append((name, byte, bit))
        content[byte] ^= 1 << bit
    return count


def noticed(path: Path, files: JournalBytes) -> bool:
    """Whether the bytes alone are refused, or reported as repaired."""
    try:
        return bool(examine(path, files).faults)
    except JournalDamaged as damage:
        return str(path) in str(damage)


def every(places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """All bits of these bytes."""
    return ((byte, bit) for byte in places for bit in range(8))


def some(places: range, seed: int) -> Iterator[tuple[int, int]]:
    """One bit of each of these bytes."""
    chance = random.Random(seed)
    return ((byte, chance.randrange(8)) for byte in places)


def main() -> int:
    """All bits of a closed journal, its record and its sums; and of a log of ten commits."""
    undetected = 0
    with TemporaryDirectory() as folder:
        whole, left = Path(folder) / "whole.db", Path(folder) / "left.db"
        shut, open_ = closed(whole, 100), killed(left, 60, 10)
        assert shut.head is not None
        assert shut.sums is not None
        for path, files, name, places in (
            (whole, shut, "main", range(len(shut.main))),
            (whole, shut, "head", range(len(shut.head))),
            (whole, shut, "sums", range(len(shut.sums))),
            (left, open_, "log", committed(left, open_)),
        ):
            started = time.monotonic()
            count = flip(path, files, name, every(places))
            undetected += len(count.undetected)
            print(
                f"{name}: {len(places)} bytes of {names.log(path) if name == 'log' else path}, "
                f"{count.flipped} bits flipped, undetected {len(count.undetected)} {count.undetected[:5]}, "
                f"{time.monotonic() - started:.0f} s"
            )
    return int(undetected > 0)


if __name__ == "__main__":
    sys.exit(main())
