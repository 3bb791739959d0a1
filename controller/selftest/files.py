"""The files of the product, and their hashes."""

import hashlib
import hmac
import os
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("controller", "drivers")
ROOT = Path(__file__).parents[2]
"""The folder that contains both packages."""
NAME = "manifest.json"
INSTALLED = ROOT / "controller" / NAME
"""The default place of a manifest. The manifest lists neither itself nor its signature."""
SIGNATURE_SUFFIX = ".sig"
CACHE = "__pycache__"


def product_files(root: Path = ROOT) -> list[Path]:
    """All files of both packages, sorted by name, without the files in Python's caches.

    A compiled file beside the sources is included, because Python would run it without a source.
    """
    installed = str(root / INSTALLED.relative_to(ROOT))
    unlisted = {installed, installed + SIGNATURE_SUFFIX}
    return [Path(path) for path in _sorted(root, cached=False) if path not in unlisted]


def cached_files(root: Path = ROOT) -> list[Path]:
    """All files in Python's caches of both packages, sorted by name."""
    return [Path(path) for path in _sorted(root, cached=True)]


def listed_name(path: Path, root: Path = ROOT) -> str:
    """The name of a file in a manifest: its path relative to `root`."""
    return path.relative_to(root).as_posix()


def digest(path: Path, seed: str = "") -> str:
    """SHA-256 of a file in hex; with a seed, the HMAC-SHA256 whose key is the seed's text."""
    with path.open("rb", buffering=0) as file:
        content = file.readall()
    if seed:
        return hmac.new(seed.encode(), content, hashlib.sha256).hexdigest()
    return hashlib.sha256(content).hexdigest()


def _sorted(root: Path, *, cached: bool) -> list[str]:
    return sorted(path for package in PACKAGES for path in _files(root / package, cached=cached))


def _files(folder: Path, *, cached: bool) -> Iterator[str]:
    """Paths as text, because thousands of Path objects would take most of the time. Links to folders are
    listed like files and not followed; they then fail because they cannot be read as a file."""
    for place, folders, names in os.walk(folder):
        here = Path(place)
        if (CACHE in here.relative_to(folder).parts) is cached:
            linked = [name for name in folders if (here / name).is_symlink()]
            yield from (f"{place}{os.sep}{name}" for name in (*names, *linked))
