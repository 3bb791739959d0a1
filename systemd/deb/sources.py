"""The checkout that a package is built from."""

import re
import shutil
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements-run.lock"
"""What the program needs."""
FULL_LOCK = ROOT / "requirements.lock"
PROJECT = ROOT / "pyproject.toml"
PARTS = ("controller", "drivers")
PAPERS = ("README.md", "LICENSE", "pyproject.toml")
_VERSION = re.compile(r'^version = "[^"]+"$', re.MULTILINE)


def version() -> str:
    """The version of the checkout."""
    return str(tomllib.loads(PROJECT.read_text("utf-8"))["project"]["version"])


def description() -> str:
    """The description of the project: a sentence without its full stop."""
    return str(tomllib.loads(PROJECT.read_text("utf-8"))["project"]["description"]).rstrip(".")


def locked(library: str) -> str:
    """The lines of the full lock that state the version and the hashes of one library. Raises LookupError."""
    found = re.search(
        rf"^{re.escape(library)}==.*(?:\n    --hash=.*)+", FULL_LOCK.read_text("utf-8"), re.MULTILINE
    )
    if found is None:
        raise LookupError(f"{FULL_LOCK} has no {library}")
    return found[0]


def copy(folder: Path, version_wanted: str) -> None:
    """Copies the sources of a wheel. Nothing that an earlier build left is among them."""
    ignored = shutil.ignore_patterns("__pycache__", "manifest.json", "manifest.json.sig")
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
    for paper in PAPERS:
        shutil.copy(ROOT / paper, folder / paper)
    project = folder / PROJECT.name
    project.write_text(
        _VERSION.sub(f'version = "{version_wanted}"', project.read_text("utf-8"), count=1), "utf-8"
    )
