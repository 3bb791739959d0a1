"""The computer and the daemon that a table runs on, as they are now."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from controller.journal.names import archive, parts


@dataclass(frozen=True, slots=True)
class HostStatus:
    """Sizes in bytes, times in seconds of Unix time."""

    version: str = ""
    started: float = 0.0
    """When the daemon began."""
    free_bytes: Mapping[str, int] = field(default_factory=dict)
    """Room on the disks of the journal and of its mirror, by name, at the last look."""
    rows: int = 0
    """The journal's last row."""
    journal_bytes: int = 0
    """What the journal and its closed files take."""
    followers: int = 0
    """Open pages."""
    sessions: int = 0
    """Persons who are signed in."""
    certificate: float | None = None
    """When the certificate of the page expires; None: it is served without."""


def journal_size(journal: Path) -> int:
    """What a journal takes with all that lies beside it; what is taken away meanwhile counts nothing."""
    closed = archive(journal)
    files = (*parts(journal), *(closed.iterdir() if closed.is_dir() else ()))
    return sum(map(_size, files))


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
