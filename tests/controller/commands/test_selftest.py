"""`tableside table manifest`: hashes that an auditor can compute without this program."""

import hashlib
import hmac
import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.commands.app import app
from controller.selftest import files
from controller.selftest.check import compare
from controller.selftest.manifest import read_manifest

SOME = "controller/cards.py"


def manifest_json(*arguments: str) -> dict[str, object]:
    done = CliRunner().invoke(app, ["manifest", *arguments])
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.stdout))


def hashes(manifest: dict[str, object]) -> dict[str, str]:
    listed = manifest["files"]
    assert isinstance(listed, dict)
    return listed


def test_the_manifest_has_plain_hashes() -> None:
    assert hashes(manifest_json())[SOME] == hashlib.sha256((files.ROOT / SOME).read_bytes()).hexdigest()


def test_a_seed_changes_every_hash() -> None:
    seeded = manifest_json("--seed", "Monday")
    content = (files.ROOT / SOME).read_bytes()
    assert hashes(seeded)[SOME] == hmac.new(b"Monday", content, hashlib.sha256).hexdigest()
    assert seeded["seed"] == "Monday"
    assert hashes(manifest_json("--seed", "Tuesday"))[SOME] != hashes(seeded)[SOME]


def test_the_manifest_is_written_to_a_file(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["manifest", "--write", str(tmp_path / "m.json")])
    assert (done.exit_code, done.stdout) == (0, "")
    assert SOME in read_manifest(tmp_path / "m.json").files


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["manifest", "--write", str(tmp_path / "absent" / "m.json")])
    assert done.exit_code == 1
    assert "the manifest cannot be made: " in done.stderr


def test_an_installed_manifest_takes_no_seed() -> None:
    done = CliRunner().invoke(app, ["manifest", "--install", "--seed", "Monday"])
    assert (done.exit_code, "goes neither with" in done.stderr) == (2, True)


def test_a_list_is_signed_with_the_release_key(tmp_path: Path) -> None:
    key, listed = tmp_path / "release.key", tmp_path / "m.json"
    words = ["manifest", "--write", str(listed), "--sign", str(key)]
    assert CliRunner().invoke(app, words).exit_code == 1
    done = CliRunner().invoke(app, [*words, "--new-key"])
    assert done.exit_code == 0, done.output
    public = (tmp_path / "release.key.pub").read_text().strip()
    assert f"m.json.sig: signed by {public}" in done.stdout
    found = compare(str(listed), release=str(tmp_path / "release.key.pub"))
    assert (found.signed_by, found.released) == (public, True)
    assert key.read_text().strip() not in done.stdout


def test_openssl_verifies_the_signature_of_a_list(tmp_path: Path) -> None:
    """As the documentation says, without this program."""
    key, listed = tmp_path / "release.key", tmp_path / "m.json"
    words = ["manifest", "--write", str(listed), "--sign", str(key), "--new-key"]
    assert CliRunner().invoke(app, words).exit_code == 0
    made = json.loads(listed.read_text())
    public, signature = (tmp_path / "m.json.sig").read_text().split()
    (tmp_path / "line").write_text(f"tableside manifest 1 {made['version']} {made['digest']}")
    (tmp_path / "key").write_bytes(bytes.fromhex("302a300506032b6570032100" + public))
    (tmp_path / "signature").write_bytes(bytes.fromhex(signature))
    verify = "openssl pkeyutl -verify -pubin -keyform DER -inkey key -rawin -in line -sigfile signature"
    done = subprocess.run(verify.split(), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "Signature Verified Successfully")


def test_a_list_that_is_made_again_loses_its_signature(tmp_path: Path) -> None:
    words = ["manifest", "--write", str(tmp_path / "m.json")]
    CliRunner().invoke(app, [*words, "--sign", str(tmp_path / "release.key"), "--new-key"])
    assert (tmp_path / "m.json.sig").exists()
    assert CliRunner().invoke(app, words).exit_code == 0
    assert not (tmp_path / "m.json.sig").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--sign", "KEY"), "--sign needs --write or --install"),
        (("--sign", "KEY", "--write", "FILE", "--seed", "Monday"), "and no --seed"),
        (("--new-key",), "--new-key needs --sign KEY"),
    ],
)
def test_only_a_list_that_tables_use_is_signed(words: tuple[str, ...], says: str) -> None:
    done = CliRunner().invoke(app, ["manifest", *words])
    assert (done.exit_code, says in done.stderr) == (2, True)
