"""`python -m systemd.oci` builds the image of a table in dist/tableside-image, as root.

Its files are those of a small Debian, from packages, and those of the Debian package of Tableside. No image
is downloaded. The bytes depend on the sources, on SOURCE_DATE_EPOCH and on Debian's packages only.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from systemd.deb import environment, sources
from systemd.oci.layout import Image, write_layout

OUT: Final = sources.ROOT / "dist" / "tableside-image"
RELEASE: Final = "bookworm"
PACKAGES: Final = "python3-minimal,libpython3-stdlib,tzdata"
ARCHITECTURES: Final = {"amd64": "amd64", "arm64": "arm64", "armhf": "arm", "i386": "386"}
"""By Debian's name: Go's."""
PROGRAM: Final = f"/{environment.HOME}/bin/tableside"
SETTINGS: Final[dict[str, Any]] = {
    "User": "1000:1000",
    "Env": ["PATH=/opt/tableside/bin:/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8"],
    "Entrypoint": [PROGRAM],
    "Cmd": ["demo"],
    "WorkingDir": "/",
    "Labels": {
        "org.opencontainers.image.title": "Tableside",
        "org.opencontainers.image.licenses": "Apache-2.0",
    },
}
UNNEEDED: Final = (
    "dev",
    "usr/share/doc",
    "usr/share/man",
    "usr/share/locale",
    "usr/share/info",
    "var/cache",
    "var/lib/apt",
    "var/log",
    "var/lib/dpkg/info",
)
"""Folders whose files nobody reads in a container, or which differ from build to build."""


def build(out: Path, epoch: int) -> None:
    """Builds the image in the folder `out`, which is replaced. Raises CalledProcessError after mmdebstrap or
    pip has printed why."""
    version = sources.version()
    with TemporaryDirectory() as place:
        root = Path(place, "root")
        command = [
            "mmdebstrap",
            "--quiet",
            "--variant=essential",
            f"--include={PACKAGES}",
            RELEASE,
            str(root),
        ]
        subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)})
        environment.install(root, version)
        _empty(root)
        _compile(root)
        shutil.rmtree(out, ignore_errors=True)
        write_layout(Image(version, _architecture(), epoch, SETTINGS), root, out)


def _empty(root: Path) -> None:
    for name in UNNEEDED:
        shutil.rmtree(root / name, ignore_errors=True)
        (root / name).mkdir(parents=True)


def _compile(root: Path) -> None:
    """Compiles Python's own library by its hashes, because all files get the same time."""
    library = root / "usr" / "lib" / environment.PYTHON
    words = [
        "-m",
        "compileall",
        "-q",
        "-f",
        "--invalidation-mode",
        "unchecked-hash",
        "-s",
        str(root),
        "-p",
        "/",
    ]
    subprocess.run([sys.executable, *words, str(library)], check=True)


def _architecture() -> str:
    words = ["dpkg", "--print-architecture"]
    name = subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()
    return ARCHITECTURES.get(name, name)


if __name__ == "__main__":
    build(OUT, int(os.environ.get("SOURCE_DATE_EPOCH", "0")))
    print(OUT)
