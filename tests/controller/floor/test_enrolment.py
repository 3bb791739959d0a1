"""`tableside table uplink enroll`: the request is what the floor reads, and what is missing is named."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from controller.floor.admitting import read_request
from controller.journal.closed_files import list_closed_files
from controller.journal.history import History
from controller.journal.signing import Signer
from controller.journal.trust import write_public
from controller.property.subjects import epoch_of
from tests.controller.table.test_rolled_journal import play
from tests.fixtures.floor_table import with_uplink
from tests.fixtures.loop_table import loop_table

PUBLIC = Signer(bytes(range(32))).public


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A table that was started twice, with a journal of several files."""
    path = with_uplink(tmp_path, "nats://127.0.0.1:4222")
    write_public(tmp_path / "journal.pub", PUBLIC)
    script = play(tmp_path / "journal", 6, 40)
    with loop_table(tmp_path / "journal", script.started()):
        return path


def enroll(config: Path) -> Result:
    return CliRunner().invoke(app, ["uplink", "enroll", "--config", str(config)])


def test_the_floor_reads_the_request_that_the_table_prints(config: Path) -> None:
    done = enroll(config)
    assert done.exit_code == 0
    request = read_request(done.stdout, "house")
    epoch = epoch_of(History(config.with_name("journal")).at(1).hash)
    assert (request.table, request.epoch, request.public) == ("bj-7", epoch, PUBLIC.hex())
    assert (request.first, request.before) == (1, bytes(32).hex())


def test_a_journal_without_its_first_file_keeps_its_epoch_and_begins_later(config: Path) -> None:
    before = json.loads(enroll(config).stdout)
    first, second, *_ = list_closed_files(config.with_name("journal"))
    hash_before = History(config.with_name("journal")).at(first.last).hash
    first.path.unlink()
    request = read_request(enroll(config).stdout, "house")
    assert request.epoch == before["epoch"]
    assert (request.first, request.before) == (second.first, hash_before.hex())


def test_a_table_without_a_public_key_is_told_how_to_make_one(config: Path) -> None:
    config.with_name("journal.pub").unlink()
    done = enroll(config)
    assert done.exit_code == 2
    assert "journal.pub is missing; needed: the journal's public key" in done.stderr


def test_a_table_without_a_floor_has_no_request(config: Path) -> None:
    text = config.read_text()
    config.write_text(text[text.index("[table]") :])
    done = enroll(config)
    assert done.exit_code == 2
    assert "uplink is missing; needed: a section with property, table and servers" in done.stderr


def test_a_table_that_never_started_has_no_request(config: Path) -> None:
    for file in config.parent.glob("journal*"):
        if file.is_file() and file.name != "journal.pub":
            file.unlink()
    for closed in list_closed_files(config.with_name("journal")):
        closed.path.unlink()
    config.with_name("journal.archive").rmdir()
    done = enroll(config)
    assert done.exit_code == 1
    assert "journal" in done.stderr
    assert "is not there" in done.stderr


def test_the_uplink_without_a_configuration_says_what_is_missing() -> None:
    done = CliRunner().invoke(app, ["uplink", "enroll"])
    assert done.exit_code == 2
    assert "--config" in done.stderr


def test_the_request_has_the_key_for_directories_if_there_is_one(config: Path) -> None:
    assert read_request(enroll(config).stdout, "house").admission().sealing == b""
    made = CliRunner().invoke(app, ["provision", "directory", "--json", "--config", str(config)])
    public = json.loads(made.stdout)["public"]
    assert read_request(enroll(config).stdout, "house").admission().sealing == bytes.fromhex(public)


def test_a_damaged_key_for_directories_is_named(config: Path) -> None:
    config.with_name("directory.pub").write_text("not a key")
    done = enroll(config)
    assert done.exit_code == 2
    assert "directory.pub holds 9 characters" in done.stderr
    assert "tableside device provision directory writes it" in done.stderr
