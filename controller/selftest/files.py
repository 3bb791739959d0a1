"""The files that the product is made of, and their hashes."""

import hashlib
import hmac
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("controller", "drivers")
ROOT = Path(__file__).parents[2]
"""The folder that both packages are in."""
NAME = "manifest.json"
INSTALLED = ROOT / "controller" / NAME
"""Where a manifest is looked for that nobody named; it does not list itself."""
CACHE = "__pycache__"


def own(root: Path = ROOT) -> list[Path]:
    """All files of both packages, sorted by name. What Python compiled is left out where it belongs: in its
    cache, for a source that is there.

    A compiled file beside the sources would be run without any source: it counts as a file like others.
    """
    files = (path for package in PACKAGES for path in _files(root / package))
    return sorted(path for path in files if path != root / INSTALLED.relative_to(ROOT))


def cached(root: Path = ROOT) -> list[Path]:
    """All that lies where Python keeps what it compiled of both packages, sorted by name."""
    return sorted(
        path
        for package in PACKAGES
        for folder in (root / package).rglob(CACHE)
        for path in folder.rglob("*")
        if path.is_file()
    )


def name(path: Path, root: Path = ROOT) -> str:
    """A file as a manifest names it."""
    return path.relative_to(root).as_posix()


def digest(path: Path, seed: str = "") -> str:
    """SHA-256 of a file in hex; with a seed, the HMAC-SHA256 whose key is the seed's text."""
    content = path.read_bytes()
    if seed:
        return hmac.new(seed.encode(), content, hashlib.sha256).hexdigest()
    return hashlib.sha256(content).hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            if path.name != CACHE:
                yield from _files(path)
        else:
            yield path
