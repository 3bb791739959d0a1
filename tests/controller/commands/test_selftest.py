"""`tableside manifest`: hashes that an auditor can compute without this program."""

import hashlib
import hmac
import json
from pathlib import Path

from typer.testing import CliRunner

from controller.commands.app import app
from controller.selftest import files
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
