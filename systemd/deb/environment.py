"""The virtual environment of the package. It is written for its place in /opt and never moved."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.languages import LANGUAGES
from systemd.deb import sources

HOME = Path("opt/tableside")
PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"
SITE = HOME / "lib" / PYTHON / "site-packages"
CONFIG = f"""home = /usr/bin
include-system-site-packages = false
version = {sys.version_info.major}.{sys.version_info.minor}
executable = /usr/bin/{PYTHON}
"""
COMMAND = f"""#!/{HOME}/bin/python -I
from controller.__main__ import main

if __name__ == "__main__":
    main()
"""
USELESS = ("tests", "test", "testing", "bin", "__pycache__")
"""Folders in libraries that no table needs."""
LOCALES = {
    "root",
    *(name for one in LANGUAGES.values() for name in (one.locale, one.locale.partition("_")[0])),
}
"""Those of Babel's that the program uses: its languages, and what they build on."""
SUFFIXES = {".pyi", ".pyx", ".pxd", ".c", ".h", ".proto"}
REPEATED = {
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "CFLAGS": "-g0 -O2",
    "LDSHARED": "cc -shared",
}
"""With these, the same sources give the same bytes: no random order, no folder names in compiled C."""
LISTING = """
import sys
from pathlib import Path
from controller.selftest.files import INSTALLED
from controller.selftest.manifest import json_text, make_manifest
from controller.selftest.release import ReleaseSignature, signature_path
from drivers.key_files import read_key
made = make_manifest(compiled=True)
INSTALLED.write_text(json_text(made), "utf-8")
for key in sys.argv[1:]:
    signature_path(INSTALLED).write_text(ReleaseSignature.of(made, read_key(Path(key))).text(), "ascii")
"""


def install(root: Path, version: str, key: Path | None = None) -> None:
    """Installs the locked requirements and this project below `root`, compiles everything and writes the
    self-test's list, signed with the release key in the file `key` if there is one."""
    site = root / SITE
    site.mkdir(parents=True)
    pip("install", "--no-cache-dir", "--no-compile", "--require-hashes", "--target", site, "-r", sources.LOCK)
    _own(site, version)
    _prune(site)
    _frame(root / HOME)
    _python(
        "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", "-s", root, "-p", "/", root / SITE
    )
    signed = [key.resolve()] if key else []
    _python("-P", "-c", LISTING, *signed, PYTHONPATH=str(site))  # -P: not the checkout that we stand in


def pip(*words: str | Path) -> None:
    """Runs pip. Raises CalledProcessError."""
    _python("-m", "pip", "--quiet", "--disable-pip-version-check", *words)


def _own(site: Path, version: str) -> None:
    """Installs this project from an unpacked wheel, because pip would record where it came from."""
    with TemporaryDirectory() as place:
        source, wheels = Path(place, "source"), Path(place, "wheels")
        source.mkdir()
        sources.copy(source, version)
        pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, source)
        [wheel] = wheels.iterdir()
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(site)


def _prune(site: Path) -> None:
    for path in sorted(site.rglob("*"), reverse=True):
        if path.is_dir() and path.name in USELESS and not _ours(path, site):
            shutil.rmtree(path)
        elif path.suffix in SUFFIXES and not _ours(path, site):
            path.unlink()
    for path in (site / "babel/locale-data").iterdir():
        if path.stem not in LOCALES:
            path.unlink()
    for record in site.glob("*.dist-info/RECORD"):
        record.unlink()  # it lists what was pruned; dpkg has sums of its own


def _ours(path: Path, site: Path) -> bool:
    return path.relative_to(site).parts[0] in sources.PARTS


def _frame(home: Path) -> None:
    (home / "pyvenv.cfg").write_text(CONFIG)
    (home / "bin").mkdir()
    for name in ("python", "python3", PYTHON):
        (home / "bin" / name).symlink_to(f"/usr/bin/{PYTHON}")
    command = home / "bin" / "tableside"
    command.write_text(COMMAND)
    command.chmod(0o755)


def _python(*words: str | Path, **environment: str) -> None:
    subprocess.run([sys.executable, *words], check=True, env={**os.environ, **REPEATED, **environment})
