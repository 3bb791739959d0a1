"""What dpkg needs to know about a package: its fields, its sums, and its maintainer scripts."""

import hashlib
import shutil
import sys
from pathlib import Path

from systemd.deb.packages import Package
from systemd.deb.sources import description

MAINTAINER = Path(__file__).parent / "maintainer"
SCRIPTS = ("postinst", "prerm", "postrm")
KIB = 1024
FIELDS = """\
Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: Tableside <root@localhost>
Section: misc
Priority: optional
Installed-Size: {size}
"""


def write_control(root: Path, package: Package, version: str, architecture: str) -> None:
    """Writes DEBIAN/ for the files that are below `root` now."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    folder = root / "DEBIAN"
    folder.mkdir()
    sums = (f"{_sum(path)}  {path.relative_to(root)}\n" for path in files)
    (folder / "md5sums").write_text("".join(sums))
    (folder / "control").write_text(_fields(package, version, architecture, files))
    for script in SCRIPTS:
        shutil.copy(MAINTAINER / package.name / script, folder / script)
        (folder / script).chmod(0o755)


def _fields(package: Package, version: str, architecture: str, files: list[Path]) -> str:
    major, minor = sys.version_info[:2]
    return (FIELDS + package.fields).format(
        name=package.name,
        version=version,
        architecture=architecture,
        size=sum(-(-path.stat().st_size // KIB) for path in files),
        python=f"{major}.{minor}",
        next_python=f"{major}.{minor + 1}",
        title=description().split(":")[0],
    )


def _sum(path: Path) -> str:
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()  # what dpkg --verify reads
