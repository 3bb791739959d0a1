"""From a checkout to a .deb whose bytes depend on the sources only."""

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from systemd.deb.control import write_control
from systemd.deb.packages import Package

PLAIN = 0o644
RUNNABLE = 0o755
PACK = ("dpkg-deb", "--root-owner-group", "--threads-max=1")
"""One thread, because the number of threads shows in the bytes."""
SMALL = ("-Zxz", "-z6")
QUICK = ("-Zzstd", "-z3")
"""A file that is larger by a third, in a fiftieth of the time."""


def build(
    package: Package,
    out: Path,
    version: str,
    epoch: int,
    key: Path | None = None,
    compression: tuple[str, str] = SMALL,
) -> Path:
    """Builds the package in the folder `out`. All its files are as old as `epoch`, in seconds of Unix time.
    The release key in the file `key` signs the list of the program's files.

    Raises CalledProcessError if pip or dpkg-deb fail. They print why.
    """
    with TemporaryDirectory() as place:
        root = Path(place, "root")
        root.mkdir()
        package.install(root, version, key)
        package.layout.copy(root)
        architecture = _output_of("dpkg", "--print-architecture")
        write_control(root, package, version, architecture)
        _settle(root, epoch)
        out.mkdir(parents=True, exist_ok=True)
        packed = out / f"{package.name}_{version}_{architecture}.deb"
        _output_of(*PACK, *compression, "--build", str(root), str(packed), SOURCE_DATE_EPOCH=str(epoch))
    return packed


def _settle(root: Path, epoch: int) -> None:
    """Sets modes and times that do not depend on the builder."""
    for path in [*root.rglob("*"), root]:
        if not path.is_symlink():
            runnable = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(RUNNABLE if runnable and not _library(path) else PLAIN)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def _library(path: Path) -> bool:
    return path.is_file() and path.suffix == ".so"


def _output_of(*command: str, **environment: str) -> str:
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}
    )
    return done.stdout.strip()
