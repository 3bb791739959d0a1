"""What dpkg needs to know about the package: its fields, its sums, and its maintainer scripts."""

import hashlib
import shutil
import sys
from pathlib import Path

from systemd.deb.sources import description

SCRIPTS = Path(__file__).parent / "maintainer"
KIB = 1024
FIELDS = """\
Package: tableside
Version: {version}
Architecture: {architecture}
Maintainer: Tableside <root@localhost>
Section: misc
Priority: optional
Installed-Size: {size}
Depends: python3 (>= {major}.{minor}), python3 (<< {major}.{following}), libc6, systemd, udev
Recommends: chromium, cage, xwayland, dbus, libpam-systemd
Description: {title}
 A daemon for the computer under a casino card table, with pages for dealers,
 supervisors and technicians. Its Python libraries are its own, in /opt.
 .
 Nothing starts before a table is configured: see
 /usr/share/doc/tableside/install.md
"""


def write_control(root: Path, version: str, architecture: str) -> None:
    """Writes DEBIAN/ for the files that are below `root` now."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    folder = root / "DEBIAN"
    folder.mkdir()
    sums = (f"{_sum(path)}  {path.relative_to(root)}\n" for path in files)
    (folder / "md5sums").write_text("".join(sums))
    (folder / "control").write_text(_fields(version, architecture, files))
    for script in sorted(SCRIPTS.iterdir()):
        shutil.copy(script, folder / script.name)
        (folder / script.name).chmod(0o755)


def _fields(version: str, architecture: str, files: list[Path]) -> str:
    minor = sys.version_info.minor
    return FIELDS.format(
        version=version,
        architecture=architecture,
        size=sum(-(-path.stat().st_size // KIB) for path in files),
        major=sys.version_info.major,
        minor=minor,
        following=minor + 1,
        title=description().split(":")[0],
    )


def _sum(path: Path) -> str:
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()  # what dpkg --verify reads
