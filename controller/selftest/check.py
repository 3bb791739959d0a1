"""The self-test: compares every file of the product with the installed one before anything runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from controller.selftest import files
from controller.selftest.manifest import Manifest, read_manifest
from controller.selftest.release import check_signature, read_release_key

UNCHECKED_HASH = 1
"""Flags of a compiled file that Python runs without a comparison with its source (PEP 552)."""
_FLAGS = slice(4, 8)


class CorruptError(Exception):
    """Files of the product differ from the installed ones. `findings` has one sentence for each
    difference."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__("; ".join(findings))
        self.findings = tuple(findings)


@dataclass(frozen=True, slots=True)
class SelfTestResult:
    """The number of compared files, and the digest of the manifest; 0 and empty without a manifest.
    `signed_by`: the public key that signed the manifest, in hex, empty if it is not signed; `released`: that
    is the release key that the table knows."""

    files: int
    manifest: str
    signed_by: str = ""
    released: bool = False


UNCHECKED = SelfTestResult(0, "")


def describe(result: SelfTestResult) -> str:
    """The result in a sentence."""
    if not result.files:
        return "Own files are unchecked: there is no manifest"
    signed = ""
    if result.signed_by:
        by = "the release key" if result.released else f"{result.signed_by[:12]}, which was not compared"
        signed = f", signed by {by}"
    return f"{result.files:,} own files are as installed, manifest {result.manifest[:12]}{signed}"


def compare(chosen: str, root: Path = files.ROOT, release: str = "") -> SelfTestResult:
    """Compare all files of the product with the manifest at the path `chosen`, or, if that is empty, with the
    installed manifest, which the public key in the file at `release` must have signed.

    Without that file, the manifest need not be signed; if there is no manifest either, this returns
    UNCHECKED. Raises CorruptError, which names every changed, missing or unexpected file, and ManifestError
    if the manifest or its signature cannot be used.
    """
    key = read_release_key(Path(release)) if release else None
    path = Path(chosen) if chosen else root / files.INSTALLED.relative_to(files.ROOT)
    if not chosen and not key and not path.exists():
        return UNCHECKED
    manifest = read_manifest(path)
    signed_by = check_signature(path, manifest, key)
    if findings := list(_findings(manifest, root)):
        raise CorruptError(findings)
    listed = len(manifest.files) + len(manifest.compiled)
    return SelfTestResult(listed, manifest.digest, signed_by, released=key is not None)


def _findings(manifest: Manifest, root: Path) -> Iterator[str]:
    if manifest.version != version("tableside"):
        yield f"the manifest is of version {manifest.version}, this is {version('tableside')}"
    yield from _differences(manifest.files, files.product_files(root), root)
    cached = files.cached_files(root)
    if manifest.compiled:
        yield from _differences(manifest.compiled, cached, root)
    else:
        yield from (
            f"{files.listed_name(path, root)}: would run unlike its source"
            for path in cached
            if _skips_source(path)
        )


def _differences(listed: Mapping[str, str], found: Sequence[Path], root: Path) -> Iterator[str]:
    there = {files.listed_name(path, root): path for path in found}
    for name in sorted(listed.keys() | there.keys()):
        if name not in there:
            yield f"{name}: missing"
        elif name not in listed:
            yield f"{name}: not in the manifest"
        elif fault := _fault(there[name], listed[name]):
            yield f"{name}: {fault}"


def _fault(path: Path, hash_listed: str) -> str:
    """The difference of a file from the manifest in words; empty without one."""
    try:
        return "" if files.digest(path) == hash_listed else "changed"
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def _skips_source(path: Path) -> bool:
    """Whether Python would run this compiled file without a comparison with its source."""
    with path.open("rb") as file:
        return int.from_bytes(file.read(8)[_FLAGS], "little") == UNCHECKED_HASH
