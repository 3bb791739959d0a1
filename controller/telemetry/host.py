"""The current state of the table's computer and daemon."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from controller.journal.names import archive, parts


@dataclass(frozen=True, slots=True)
class HostStatus:
    """The state of computer and daemon. Sizes in bytes, times in Unix time."""

    version: str = ""
    started: float = 0.0
    """When the daemon started."""
    free_bytes: Mapping[str, int] = field(default_factory=dict)
    """Free space on the disks of the journal and of its mirror, by name, at the last check."""
    rows: int = 0
    """Number of the journal's last row."""
    journal_bytes: int = 0
    """Size of the journal and its closed files."""
    followers: int = 0
    """Number of open pages."""
    sessions: int = 0
    """Number of signed-in people."""
    certificate: float | None = None
    """When the certificate of the pages expires; None if they are served without TLS."""


def journal_size(journal: Path) -> int:
    """Size in bytes of a journal with its closed files. A file that is deleted meanwhile counts as 0."""
    closed = archive(journal)
    files = (*parts(journal), *(closed.iterdir() if closed.is_dir() else ()))
    return sum(map(_size, files))


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
