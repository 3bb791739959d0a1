"""From a checkout to a .deb whose bytes depend on the sources and on nothing else."""

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from systemd.deb.control import write_control
from systemd.deb.environment import install
from systemd.deb.layout import copy_files

PLAIN, RUNNABLE = 0o644, 0o755
PACK = ("dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--threads-max=1", "--build")
"""One thread: how many there are shows in the bytes."""


def build(out: Path, version: str, epoch: int) -> Path:
    """The package, in the folder `out`. `epoch`: seconds of Unix time, the age of all its files.

    Raises CalledProcessError where pip or dpkg-deb fail, which say why.
    """
    with TemporaryDirectory() as place:
        root = Path(place, "root")
        root.mkdir()
        install(root, version)
        copy_files(root)
        architecture = _output_of("dpkg", "--print-architecture")
        write_control(root, version, architecture)
        _settle(root, epoch)
        out.mkdir(parents=True, exist_ok=True)
        package = out / f"tableside_{version}_{architecture}.deb"
        _output_of(*PACK, str(root), str(package), SOURCE_DATE_EPOCH=str(epoch))
    return package


def _settle(root: Path, epoch: int) -> None:
    """Modes and times that do not depend on who builds, and when."""
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
