"""The list of the product's files with their hashes. The installer makes it once, and each start compares it.
An auditor can request another one with a seed of their own."""

import hashlib
import json
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from controller.selftest import files


class ManifestError(Exception):
    """A manifest cannot be used. The text names the file."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """Hashes in hex by file name ("controller/money.py"), sorted. `digest` covers all other fields."""

    version: str
    seed: str
    files: dict[str, str]
    compiled: dict[str, str]
    """Hashes of the files in Python's caches. If empty, these files are not compared."""
    digest: str

    @property
    def is_intact(self) -> bool:
        """Whether the digest matches the other fields."""
        return self.digest == _digest(self.version, self.seed, self.files, self.compiled)


def make_manifest(root: Path = files.ROOT, *, seed: str = "", compiled: bool = False) -> Manifest:
    """The manifest of the current files. Raises OSError if a file cannot be read."""
    listed = {files.listed_name(path, root): files.digest(path, seed) for path in files.product_files(root)}
    caches = files.cached_files(root) if compiled else []
    cached = {files.listed_name(path, root): files.digest(path, seed) for path in caches}
    installed = version("tableside")
    return Manifest(installed, seed, listed, cached, _digest(installed, seed, listed, cached))


def json_text(manifest: Manifest) -> str:
    return json.dumps(asdict(manifest), indent=1) + "\n"


def read_manifest(path: Path) -> Manifest:
    """The manifest in a file. Raises ManifestError if it cannot be read, is invalid, was changed, or was made
    with a seed."""
    try:
        manifest = Manifest(**json.loads(path.read_bytes()))
        whole = manifest.is_intact
    except OSError as error:
        raise ManifestError(f"manifest {path} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise ManifestError(f"manifest {path} is none, or damaged") from error
    if not whole:
        raise ManifestError(f"manifest {path} is damaged: its digest is another one")
    if manifest.seed:
        raise ManifestError(f"manifest {path} was made with a seed: the daemon compares plain hashes")
    return manifest


def _digest(installed: str, seed: str, listed: dict[str, str], compiled: dict[str, str]) -> str:
    """SHA-256 over lines in the format of sha256sum, so that it can be computed without this program."""
    lines = [f"tableside {installed}", f"seed {seed}", *_lines(listed), *_lines(compiled)]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def _lines(hashes: dict[str, str]) -> list[str]:
    return [f"{digest}  {name}" for name, digest in sorted(hashes.items())]
