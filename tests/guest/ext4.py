"""The file system on a lossy disk, as the host sees it: made, and read without a kernel that mounts it."""

import os
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from tests.guest.nbd import BLOCK

AT_ONCE: Final = ("-E", "lazy_itable_init=0,lazy_journal_init=0")
"""The kernel writes none of its tables later, in the background."""
LOG: Final = "-wal"
"""Behind the name of an SQLite database: its write-ahead log."""


def formatted(label: str, megabytes: int) -> dict[int, bytes]:
    """The blocks of an empty file system."""
    with image_of({}, megabytes) as image:
        subprocess.run(
            ["mke2fs", "-q", "-t", "ext4", *AT_ONCE, "-b", str(BLOCK), "-L", label, image], check=True
        )
        return blocks_of(image)


def journal_rows(content: Mapping[int, bytes], megabytes: int, journal: str) -> int:
    """How many rows a start would find in the journal with this path: first the file system recovers, and
    then SQLite. 0 if the journal is missing or cannot be read."""
    with image_of(content, megabytes) as image, tempfile.TemporaryDirectory() as place:
        subprocess.run(["e2fsck", "-fy", image], check=False, capture_output=True)
        copy = Path(place) / "journal"
        for end in ("", LOG):
            subprocess.run(
                ["debugfs", "-R", f"dump {journal}{end} {copy}{end}", image],
                check=True,
                stderr=subprocess.DEVNULL,
            )
        try:
            with closing(sqlite3.connect(copy)) as database:
                return int(database.execute("SELECT count(*) FROM journal").fetchone()[0])
        except sqlite3.Error:
            return 0


@contextmanager
def image_of(content: Mapping[int, bytes], megabytes: int) -> Iterator[Path]:
    """A sparse file with these blocks."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "disk"
        with path.open("wb") as file:
            os.truncate(path, megabytes << 20)
            for number, block in content.items():
                os.pwrite(file.fileno(), block, number * BLOCK)
        yield path


def blocks_of(image: Path) -> dict[int, bytes]:
    """The blocks of a file, by their number, without those that are zeros."""
    empty = bytes(BLOCK)
    with image.open("rb") as file:
        blocks = enumerate(iter(lambda: file.read(BLOCK), b""))
        return {number: block for number, block in blocks if block != empty}
