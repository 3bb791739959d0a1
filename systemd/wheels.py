"""`python -m systemd.wheels` builds a wheel and an sdist in dist/.

The bytes depend on the sources and on SOURCE_DATE_EPOCH only. The wheel is built from the unpacked sdist, so
the sdist has all that a build needs.
"""

import gzip
import io
import os
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from systemd.deb import sources

OUT = sources.ROOT / "dist"


@dataclass(frozen=True, slots=True)
class Distributions:
    wheel: Path
    sdist: Path


def build(out: Path, version: str, epoch: int) -> Distributions:
    """Builds both in the folder `out`. Every file in them is as old as `epoch`, in seconds of Unix time.

    Raises CalledProcessError after the build has printed why.
    """
    out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place:
        source, built = Path(place, "source"), Path(place, "built")
        source.mkdir()
        sources.copy(source, version)
        _set_modes(source)
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(built), str(source)]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch), "PYTHONHASHSEED": "0"}
        done = subprocess.run(
            command, cwd=place, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.stderr.write(done.stdout + done.stderr)
            done.check_returncode()
        [wheel], [sdist] = built.glob("*.whl"), built.glob("*.tar.gz")
        packed = out / sdist.name
        packed.write_bytes(_repacked(sdist.read_bytes(), epoch))
        return Distributions(wheel.replace(out / wheel.name), packed)


def _set_modes(folder: Path) -> None:
    """Modes that do not depend on the umask of a checkout."""
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


def _repacked(packed: bytes, epoch: int) -> bytes:
    """The same files in the order of their names, of nobody, and as old as `epoch`."""
    plain = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(packed)) as old,
        tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old, key=lambda member: member.name):
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mtime, member.pax_headers = epoch, {}
            new.addfile(member, old.extractfile(member) if member.isreg() else None)
    return gzip.compress(plain.getvalue(), mtime=epoch)


if __name__ == "__main__":
    found = build(OUT, sources.version(), int(os.environ.get("SOURCE_DATE_EPOCH", "0")))
    print(found.wheel, found.sdist, sep="\n")
