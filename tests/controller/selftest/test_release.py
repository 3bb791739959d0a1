"""A table that knows the release key runs only files that this key signed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.selftest import files
from controller.selftest.check import CorruptError, compare, describe
from controller.selftest.manifest import Manifest, ManifestError, json_text, make_manifest
from controller.selftest.release import ReleaseSignature, read_release_key, signature_path

KEY, OTHER_KEY = bytes(range(32)), bytes(range(1, 33))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small installation whose manifest is signed."""
    for name in ("controller/money.py", "drivers/errors.py"):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text(name)
    manifest = install(tmp_path)
    signature(tmp_path).write_text(ReleaseSignature.of(manifest, KEY).text())
    return tmp_path


def install(root: Path) -> Manifest:
    manifest = make_manifest(root)
    (root / "controller" / files.NAME).write_text(json_text(manifest))
    return manifest


def signature(root: Path) -> Path:
    return signature_path(root / "controller" / files.NAME)


def release(root: Path, key: bytes = KEY) -> str:
    """The file of the public key beside a configuration."""
    path = root / "release.pub"
    path.write_text(public(key) + "\n")
    return str(path)


def public(key: bytes = KEY) -> str:
    return ReleaseSignature.of(make_manifest(files.ROOT / "absent"), key).public.hex()


def test_an_installation_that_the_release_key_signed_runs(root: Path) -> None:
    found = compare("", root, release(root))
    assert (found.files, found.signed_by, found.released) == (2, public(), True)
    assert describe(found).endswith(", signed by the release key")


def test_a_signature_is_told_but_not_compared_without_a_release_key(root: Path) -> None:
    found = compare("", root, str(root / "absent.pub"))
    assert (found.signed_by, found.released) == (public(), False)
    assert describe(found).endswith(f", signed by {public()[:12]}, which was not compared")
    signature(root).unlink()
    assert compare("", root, str(root / "absent.pub")).signed_by == ""


def test_a_manifest_that_nobody_signed_is_refused(root: Path) -> None:
    signature(root).unlink()
    with pytest.raises(ManifestError, match=r"is not signed: .*manifest\.json\.sig is missing"):
        compare("", root, release(root))


def test_a_manifest_that_another_key_signed_is_refused(root: Path) -> None:
    with pytest.raises(ManifestError, match=f"is signed by {public()}; it must be signed by the release key"):
        compare("", root, release(root, OTHER_KEY))


def change_a_file(root: Path) -> None:
    """Somebody changes a file and makes another manifest."""
    (root / "controller/money.py").write_text("for me")
    install(root)


def claim_the_key(root: Path) -> None:
    """Somebody else signs, and writes down the release key as the signer."""
    change_a_file(root)
    forged = ReleaseSignature.of(make_manifest(root), OTHER_KEY)
    signature(root).write_text(ReleaseSignature(bytes.fromhex(public()), forged.signature).text())


@pytest.mark.parametrize("forge", [change_a_file, claim_the_key])
def test_a_manifest_that_was_made_anew_is_refused(root: Path, forge: Callable[[Path], None]) -> None:
    forge(root)
    for key in (release(root), ""):
        with pytest.raises(ManifestError, match="is not the one that was signed"):
            compare("", root, key)


def test_a_changed_file_is_named_though_the_manifest_is_signed(root: Path) -> None:
    (root / "controller/money.py").write_text("for me")
    with pytest.raises(CorruptError) as corrupt:
        compare("", root, release(root))
    assert corrupt.value.findings == ("controller/money.py: changed",)


def test_a_table_that_knows_the_release_key_needs_a_manifest(root: Path) -> None:
    (root / "controller" / files.NAME).unlink()
    assert compare("", root).files == 0
    with pytest.raises(ManifestError, match="cannot be read: No such file"):
        compare("", root, release(root))


@pytest.mark.parametrize("content", ["", "x", "00 11", "a" * 64])
def test_a_damaged_signature_is_refused(root: Path, content: str) -> None:
    signature(root).write_text(content)
    with pytest.raises(ManifestError, match="is none, or damaged"):
        compare("", root)


def test_a_damaged_release_key_is_refused(root: Path) -> None:
    path = root / "release.pub"
    path.write_text("nothing")
    with pytest.raises(ManifestError, match="holds 7 characters; allowed: 64 hexadecimal digits"):
        compare("", root, str(path))
    path.unlink()
    path.mkdir()
    with pytest.raises(ManifestError, match="cannot be read: Is a directory"):
        read_release_key(path)
