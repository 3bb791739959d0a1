"""`tableside device provision journal --replace`: the key changes, both keys sign that, and the table goes
on."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from controller.config import read
from controller.daemon.daemon import open_journal
from controller.journal import names
from controller.journal.chain import RowContent
from controller.journal.errors import ForeignKey, JournalError, JournalUnconfirmed
from controller.journal.history import History
from controller.journal.journal import Journal
from controller.journal.key_change import KEY_CHANGED, key_change_path
from controller.journal.signing import Signer, signer
from controller.journal.trust import read_public
from drivers.key_files import make_key, read_key, store_key
from tests.fixtures.daemon_process import configured, daemon_process

ROUND = [
    RowContent(1_700_000_000.0, "alert", json.dumps({"text": "seen"})),
    RowContent(1_700_000_001.0, "snapshot", "{}"),
]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A table with a key and a journal."""
    path = configured(tmp_path)
    assert provision(path).exit_code == 0
    with open_journal(read(path)) as journal:
        journal.append(ROUND[:1])
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)], env={"COLUMNS": "200"})


def provision(config: Path, *words: object) -> Result:
    return run("provision", "journal", "--config", config, *words)


def public(config: Path) -> str:
    found = read_public(Path(read(config).journal.public))
    assert found
    return found.hex()


def kinds(config: Path) -> list[str]:
    return [entry.content.kind for entry in History(Path(read(config).journal.path)).rows()]


def test_a_start_after_a_change_goes_on_and_writes_it_down_once(config: Path) -> None:
    before = public(config)
    done = provision(config, "--replace")
    assert (done.exit_code, "The key changes after row 2." in done.stdout) == (0, True)
    assert public(config) != before
    for _ in range(2):
        with open_journal(read(config)) as journal:
            journal.append(ROUND[:1])
    assert kinds(config)[:4] == ["alert", "checkpoint", KEY_CHANGED, "checkpoint"]
    assert kinds(config).count(KEY_CHANGED) == 1
    checked = run("verify", "--config", config)
    assert (checked.exit_code, "Nothing is wrong." in checked.stdout) == (0, True)
    assert f"changes the key {before} to {public(config)}: both signed it" in checked.stdout


@pytest.mark.usefixtures("fork_server")
def test_the_daemon_plays_on_after_a_change_of_its_key(config: Path) -> None:
    assert provision(config, "--replace").exit_code == 0
    with daemon_process(config) as playing:
        assert playing.status().startswith("READY=1\nSTATUS=The table is ready")
        (alert,) = json.loads(playing.get("api/v1/table")[1])["alerts"]
        assert alert.startswith(f"After row 2 the key {public(config)} signs the journal")
        refused = provision(config, "--replace")
        assert playing.end()[0] == 0
    assert kinds(config).count(KEY_CHANGED) == 1
    assert (refused.exit_code, "stop the service, change the key" in refused.stderr) == (1, True)
    assert run("verify", "--config", config).exit_code == 0


def test_keys_change_one_after_the_other(config: Path) -> None:
    for _ in range(3):
        assert provision(config, "--replace").exit_code == 0
        open_journal(read(config)).close()
    assert kinds(config).count(KEY_CHANGED) == 3
    assert run("verify", "--config", config).exit_code == 0


def test_a_second_change_waits_for_the_start_after_the_first(config: Path) -> None:
    assert provision(config, "--replace").exit_code == 0
    after = public(config)
    again = provision(config, "--replace")
    assert (again.exit_code, "no start has written into the journal" in again.stderr) == (1, True)
    assert public(config) == after
    open_journal(read(config)).close()
    assert provision(config, "--replace").exit_code == 0


def test_a_key_made_elsewhere_takes_the_place_of_the_old_one(config: Path) -> None:
    store_key(make_key(), config.with_name("given"))
    given = config.with_name("given")
    refused = provision(config, "--from", given)
    assert (refused.exit_code, "--replace changes it, and both keys sign that" in refused.stderr) == (1, True)
    assert provision(config, "--from", given, "--replace").exit_code == 0
    assert public(config) == Signer(read_key(given)).public.hex()
    open_journal(read(config)).close()
    assert run("verify", "--config", config).exit_code == 0


def test_a_change_is_worth_nothing_for_another_journal(config: Path) -> None:
    assert provision(config, "--replace").exit_code == 0
    path, key = Path(read(config).journal.path), Signer(bytes(range(1, 33)))
    for part in names.parts(path):
        part.unlink(missing_ok=True)
    with Journal(path, signer=key) as journal:
        journal.append(ROUND)
    with pytest.raises(JournalUnconfirmed, match="is signed by the key"):
        open_journal(read(config))


def test_a_change_that_somebody_forged_stops_the_start(config: Path) -> None:
    assert provision(config, "--replace").exit_code == 0
    place = key_change_path(Path(read(config).journal.public))
    forged = {**json.loads(place.read_text()), "old": Signer(bytes(range(1, 33))).public.hex()}
    place.write_text(json.dumps(forged))
    with pytest.raises(JournalError, match="a signature is wrong"):
        open_journal(read(config))


def test_a_power_cut_before_the_new_key_is_stored_costs_nothing(config: Path) -> None:
    """The public key is the new one then, and the key is the old one."""
    section = read(config).journal
    old = read_key(Path(section.key))
    assert provision(config, "--replace").exit_code == 0
    store_key(old, Path(section.key), replace=True)
    with pytest.raises(ForeignKey):
        open_journal(read(config))
    assert provision(config, "--replace").exit_code == 0
    assert public(config) == Signer(old).public.hex()
    open_journal(read(config)).close()
    assert KEY_CHANGED not in kinds(config)


def test_a_table_without_a_journal_changes_its_key_at_once(tmp_path: Path) -> None:
    path = configured(tmp_path)
    assert provision(path).exit_code == 0
    before = public(path)
    assert provision(path, "--replace").exit_code == 0
    assert public(path) != before
    assert not key_change_path(Path(read(path).journal.public)).exists()
    assert signer(Path(read(path).journal.key)).public.hex() == public(path)


def test_nobody_but_the_journals_user_may_read_a_change_that_waits(config: Path) -> None:
    assert provision(config, "--replace").exit_code == 0
    place = key_change_path(Path(read(config).journal.public))
    assert place.stat().st_mode & 0o007 == 0


def test_the_old_key_is_read_from_a_credential(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Encryption for this machine needs its identity, which a build machine may lack: the tool is a
    stand-in that stores the key as it is."""
    tool = tmp_path / "bin" / "systemd-creds"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\ncase "$1" in encrypt) cat > "$4";; decrypt) cat "$3";; esac\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tool.parent), prepend=":")
    key, sealed = Path(read(config).journal.key), tmp_path / "journal.cred"
    assert provision(config, "--credential", sealed).exit_code == 0
    key.unlink()
    before = public(config)
    assert provision(config, "--credential", sealed, "--replace").exit_code == 0
    assert not key.exists()
    assert public(config) != before
    store_key(bytes.fromhex(sealed.read_text().strip()), key)
    open_journal(read(config)).close()
    assert run("verify", "--config", config).exit_code == 0
