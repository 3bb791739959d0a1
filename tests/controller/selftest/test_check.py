"""An installation with one difference does not run."""

import compileall
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from py_compile import PycInvalidationMode

import pytest

from controller.selftest import files
from controller.selftest.check import CorruptError, SelfTestResult, compare
from controller.selftest.manifest import Manifest, ManifestError, json_text, make_manifest, read_manifest

CHANGED = (
    "controller/commands/app.py",
    "controller/__init__.py",
    "controller/py.typed",
    "controller/monitor/templates/table.html",
    "controller/monitor/static/vendor/htmx.min.js",
    "drivers/link/frames.py",
    "drivers/protocol/tsl_pb2.pyi",
)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of both packages."""
    root = tmp_path_factory.mktemp("installed")
    for package in files.PACKAGES:
        shutil.copytree(files.ROOT / package, root / package, ignore=shutil.ignore_patterns(files.CACHE))
    return root


@pytest.fixture
def root(original: Path) -> Iterator[Path]:
    """An installation with its manifest; every change to it is undone."""
    manifest = original / "controller" / files.NAME
    manifest.write_text(json_text(make_manifest(original)))
    kept = {path: path.read_bytes() for path in files.product_files(original)}
    yield original
    for path in {*files.product_files(original), *files.cached_files(original)} - kept.keys():
        path.unlink()
    for path, content in kept.items():
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
    manifest.unlink()


def findings(root: Path) -> tuple[str, ...]:
    with pytest.raises(CorruptError) as caught:
        compare("", root)
    return caught.value.findings


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes() or b"\x00")
    content[len(content) // 2] ^= 0x10
    path.write_bytes(content)


def test_an_unchanged_installation_passes(root: Path) -> None:
    manifest = read_manifest(root / "controller" / files.NAME)
    assert compare("", root) == SelfTestResult(len(manifest.files), manifest.digest)
    assert len(manifest.files) > 300
    assert {
        "controller/commands/app.py",
        "drivers/py.typed",
        "controller/monitor/static/page.css",
    } <= manifest.files.keys()


@pytest.mark.parametrize("name", CHANGED)
def test_one_changed_bit_is_found(root: Path, name: str) -> None:
    flip(root / name)
    assert findings(root) == (f"{name}: changed",)


def test_missing_and_unexpected_files_are_found(root: Path) -> None:
    (root / "drivers/devices/classes.py").unlink()
    (root / "controller/extra.py").write_text("")
    assert findings(root) == (
        "controller/extra.py: not in the manifest",
        "drivers/devices/classes.py: missing",
    )


def test_compiled_code_beside_the_sources_is_an_unexpected_file(root: Path) -> None:
    (root / "controller/games/backdoor.pyc").write_bytes(b"")
    assert findings(root) == ("controller/games/backdoor.pyc: not in the manifest",)


def test_a_link_to_a_folder_elsewhere_is_an_unexpected_file(root: Path, tmp_path: Path) -> None:
    (tmp_path / "backdoor").mkdir()
    (root / "controller/backdoor").symlink_to(tmp_path / "backdoor")
    assert findings(root) == ("controller/backdoor: not in the manifest",)


def test_an_unreadable_file_is_found(root: Path, tmp_path: Path) -> None:
    (root / "controller/commands/app.py").unlink()
    (root / "controller/commands/app.py").symlink_to(tmp_path)
    sentences = findings(root)
    (root / "controller/commands/app.py").unlink()
    assert sentences == ("controller/commands/app.py: cannot be read: Is a directory",)


def compiled(root: Path, mode: PycInvalidationMode) -> Path:
    """What Python would run instead of a source."""
    compileall.compile_file(root / "drivers/errors.py", quiet=1, invalidation_mode=mode)
    (path,) = (root / "drivers" / files.CACHE).iterdir()
    return path


@pytest.mark.parametrize("mode", [PycInvalidationMode.TIMESTAMP, PycInvalidationMode.CHECKED_HASH])
def test_checked_compiled_code_is_allowed(root: Path, mode: PycInvalidationMode) -> None:
    compiled(root, mode)
    assert compare("", root).files > 300


def test_unchecked_compiled_code_is_found(root: Path) -> None:
    name = files.listed_name(compiled(root, PycInvalidationMode.UNCHECKED_HASH), root)
    assert findings(root) == (f"{name}: would run unlike its source",)


def test_compiled_code_in_the_manifest_is_compared(root: Path) -> None:
    path = compiled(root, PycInvalidationMode.CHECKED_HASH)
    (root / "controller" / files.NAME).write_text(json_text(make_manifest(root, compiled=True)))
    assert compare("", root).files > 300
    flip(path)
    assert findings(root) == (f"{files.listed_name(path, root)}: changed",)
    path.with_name("other.cpython-311.pyc").write_bytes(path.read_bytes())
    path.unlink()
    assert findings(root) == (
        f"{files.listed_name(path, root)}: missing",
        "drivers/__pycache__/other.cpython-311.pyc: not in the manifest",
    )


def test_an_installation_without_a_manifest_is_not_compared(root: Path, tmp_path: Path) -> None:
    (root / "controller" / files.NAME).rename(tmp_path / "elsewhere.json")
    assert compare("", root) == SelfTestResult(0, "")
    assert compare(str(tmp_path / "elsewhere.json"), root).files > 300
    (tmp_path / "elsewhere.json").rename(root / "controller" / files.NAME)


def test_a_manifest_that_is_named_must_be_there(root: Path, tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match=r"absent\.json cannot be read: No such file or directory"):
        compare(str(tmp_path / "absent.json"), root)


def test_a_manifest_of_another_version_is_refused(root: Path) -> None:
    made = make_manifest(root)
    other = Manifest("9.9.9", "", made.files, {}, "")
    text = json.loads(json_text(other)) | {"digest": _digest(other)}
    (root / "controller" / files.NAME).write_text(json.dumps(text))
    assert findings(root) == (f"the manifest is of version 9.9.9, this is {made.version}",)


def _digest(manifest: Manifest) -> str:
    listed = [f"{digest}  {name}" for name, digest in sorted(manifest.files.items())]
    lines = [f"tableside {manifest.version}", "seed ", *listed]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def swap(text: str) -> str:
    return text.replace('"controller/commands/app.py"', '"controller/clj.py"')


BAD: dict[str, tuple[Callable[[str], str], str]] = {
    "empty": (lambda _: "", "is none, or damaged"),
    "list": (lambda _: "[1]", "is none, or damaged"),
    "half": (lambda text: text[:1000], "is none, or damaged"),
    "wrong fields": (lambda _: '{"files": 3}', "is none, or damaged"),
    "wrong types": (
        lambda _: '{"version": 1, "seed": 2, "files": [], "compiled": 3, "digest": 4}',
        "is none, or damaged",
    ),
    "another name": (swap, "its digest is another one"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_damaged_manifest_is_refused(root: Path, kind: str) -> None:
    change, why = BAD[kind]
    path = root / "controller" / files.NAME
    path.write_text(change(path.read_text()))
    with pytest.raises(ManifestError, match=why):
        compare("", root)


def test_a_seeded_manifest_cannot_be_compared(root: Path) -> None:
    (root / "controller" / files.NAME).write_text(json_text(make_manifest(root, seed="2026-11-20")))
    with pytest.raises(ManifestError, match="was made with a seed"):
        compare("", root)
