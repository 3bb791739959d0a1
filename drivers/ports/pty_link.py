"""A pseudo-terminal that is offered as a port, under a name that stays.

The kernel gives the number of a pseudo-terminal to another program as soon as it is free. If a simulator is
killed, its link stays, and may soon lead to another program's terminal. So the link alone does not make a
port:

- beside LINK lies LINK.lock. It has one line, the path that LINK leads to;
- the process that serves the pseudo-terminal holds a lock on that file (flock) until it stops serving it. The
  kernel releases the lock when the process ends, however it ends;
- the file is complete and locked before it gets its name, and has its name before LINK leads to the new path.

A port whose name is a link to a pseudo-terminal is opened only if the file names the same path and is locked.
Only the file is opened to find that out. Other names, such as that of a serial port, are not checked.
"""

import fcntl
import os
import re
from contextlib import suppress
from pathlib import Path

from drivers.errors import Absent

SUFFIX = ".lock"
_PSEUDO_TERMINAL = re.compile(r"/dev/pts/\d+")


class PtyLink:
    """The link to one pseudo-terminal at a time, and its lock file."""

    def __init__(self, link: Path) -> None:
        self._link = link
        self._lock = -1

    def point(self, target: str) -> None:
        """Point the link at the pseudo-terminal `target`, whatever it led to before. Raises OSError."""
        self.remove()
        fresh = _sibling(self._link, SUFFIX + ".new")
        fresh.unlink(missing_ok=True)
        self._lock = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        os.write(self._lock, f"{target}\n".encode())
        fresh.replace(_sibling(self._link, SUFFIX))
        new = _sibling(self._link, ".new")
        new.unlink(missing_ok=True)
        new.symlink_to(target)
        new.replace(self._link)

    def remove(self) -> None:
        """Remove the link and the file, unless another process has taken the name over."""
        if self._lock < 0:
            return
        record = _sibling(self._link, SUFFIX)
        with suppress(FileNotFoundError):
            if os.path.samestat(record.stat(), os.fstat(self._lock)):
                self._link.unlink(missing_ok=True)
                record.unlink()
        os.close(self._lock)
        self._lock = -1


def check(name: str) -> None:
    """Raises Absent if the port's name links to a pseudo-terminal that no process offers under that name."""
    target = os.path.realpath(name)
    if not _PSEUDO_TERMINAL.fullmatch(target) or not Path(name).is_symlink():
        return
    link = _last_link(Path(name))
    if not _served(_sibling(link, SUFFIX), target):
        raise Absent(
            f"port {name} cannot be opened: the simulator at {link} does not run"
            f" ({target} may be a terminal in use)"
        )


def _served(record: Path, target: str) -> bool:
    """Whether a running process says that it serves this pseudo-terminal."""
    try:
        with record.open("rb") as file:
            return file.read().decode(errors="replace") == f"{target}\n" and _locked(file.fileno())
    except OSError:
        return False


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _last_link(link: Path) -> Path:
    """The link of a chain that leads to the pseudo-terminal itself."""
    while (following := link.parent / link.readlink()).is_symlink():
        link = following
    return link


def _sibling(link: Path, suffix: str) -> Path:
    return link.with_name(link.name + suffix)
