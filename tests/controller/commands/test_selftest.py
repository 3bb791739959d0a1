"""`tableside manifest`: what an auditor can compute without this program."""

import hashlib
import hmac
import json
from pathlib import Path

from typer.testing import CliRunner

from controller.commands.app import app
from controller.selftest import files
from controller.selftest.manifest import read

SOME = "controller/cards.py"


def told(*arguments: str) -> dict[str, object]:
    done = CliRunner().invoke(app, ["manifest", *arguments])
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.stdout))


def hashes(manifest: dict[str, object]) -> dict[str, str]:
    listed = manifest["files"]
    assert isinstance(listed, dict)
    return listed


def test_plain_hashes() -> None:
    assert hashes(told())[SOME] == hashlib.sha256((files.ROOT / SOME).read_bytes()).hexdigest()


def test_with_a_seed_nobody_can_have_them_ready() -> None:
    seeded = told("--seed", "Monday")
    content = (files.ROOT / SOME).read_bytes()
    assert hashes(seeded)[SOME] == hmac.new(b"Monday", content, hashlib.sha256).hexdigest()
    assert seeded["seed"] == "Monday"
    assert hashes(told("--seed", "Tuesday"))[SOME] != hashes(seeded)[SOME]


def test_written_to_a_file(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["manifest", "--write", str(tmp_path / "m.json")])
    assert (done.exit_code, done.stdout) == (0, "")
    assert SOME in read(tmp_path / "m.json").files


def test_a_place_that_is_not_there(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["manifest", "--write", str(tmp_path / "absent" / "m.json")])
    assert done.exit_code == 1
    assert "the manifest cannot be made: " in done.stderr


def test_where_a_table_looks_goes_only_what_a_table_compares() -> None:
    done = CliRunner().invoke(app, ["manifest", "--install", "--seed", "Monday"])
    assert (done.exit_code, "goes neither with" in done.stderr) == (2, True)
