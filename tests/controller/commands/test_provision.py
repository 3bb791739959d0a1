"""`tableside device provision`, as a technician uses it."""

import json
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from controller.config import ConfigError, read
from controller.daemon.devices import read_keys
from controller.journal.signing import Signer, signer
from controller.property.sealing import SealingKey, seal
from drivers.key_files import fingerprint, make_key, read_key, store_key

CONFIG = """
[table]
name = "Table 7"
game = "easy-jack"
[journal]
path = "journal"
[devices.shoe]
port = "/dev/a"
serial = "SHOE-1"
[devices.sensors]
port = "/dev/b"
serial = "SENSORS-1"
key = "elsewhere/sensors.hex"
[devices.console]
port = "/dev/c"
serial = "CONSOLE-1"
seal = "none"
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(CONFIG)
    return path


def provision(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["provision", *map(str, arguments)])


def keyring_of(config: Path, name: str) -> bytes:
    return read_key(Path(read(config).devices.configured()[name].key))


def test_a_key_is_made_where_the_table_looks_for_it(config: Path) -> None:
    for name in ("shoe", "sensors"):
        assert provision(name, "--config", config).exit_code == 0
    keys = read_keys(read(config))
    assert keys["shoe"] == read_key(config.parent / "keys" / "shoe.key")
    assert keys["sensors"] == read_key(config.parent / "elsewhere" / "sensors.hex")
    assert keys["console"] == b""
    assert keys["shoe"] != keys["sensors"]


def test_a_new_key_is_shown_as_json(config: Path) -> None:
    done = provision("shoe", "--config", config, "--json")
    path = config.parent / "keys" / "shoe.key"
    assert json.loads(done.stdout) == {
        "device": "shoe",
        "serial": "SHOE-1",
        "key": str(path),
        "fingerprint": fingerprint(read_key(path)),
    }
    journal = json.loads(provision("journal", "--config", config, "--json").stdout)
    public = config.with_name("journal.pub")
    assert journal == {
        "device": "journal",
        "key": str(config.parent / "keys" / "journal.key"),
        "public": public.read_text().strip(),
        "public_file": str(public),
        "seal": str(config.parent / "keys" / "journal.seal"),
        "changed_after": None,
    }
    again = provision("shoe", "--config", config, "--json")
    assert (again.exit_code, again.stdout) == (1, "")


def test_the_key_itself_is_never_printed(config: Path) -> None:
    done = provision("shoe", "--config", config)
    key = read_key(config.parent / "keys" / "shoe.key")
    assert fingerprint(key) in done.output
    assert key.hex() not in done.output
    assert stat.S_IMODE((config.parent / "keys" / "shoe.key").stat().st_mode) == 0o600


def test_a_key_that_the_device_has_already_is_kept(config: Path, tmp_path: Path) -> None:
    key = make_key()
    store_key(key, tmp_path / "given")
    assert provision("shoe", "--config", config, "--from", tmp_path / "given").exit_code == 0
    assert keyring_of(config, "shoe") == key


def test_a_second_key_needs_a_word(config: Path) -> None:
    provision("shoe", "--config", config)
    key = keyring_of(config, "shoe")
    again = provision("shoe", "--config", config)
    assert (again.exit_code, keyring_of(config, "shoe")) == (1, key)
    assert "--replace" in again.output
    assert provision("shoe", "--config", config, "--replace").exit_code == 0
    assert keyring_of(config, "shoe") != key


@pytest.mark.parametrize(
    ("device", "words"),
    [
        ("console", "devices.console is not sealed: it needs no key"),
        ("robot", "DEVICE = 'robot': not configured; allowed: shoe, sensors, console"),
    ],
)
def test_a_device_without_a_seal_gets_no_key(config: Path, device: str, words: str) -> None:
    done = provision(device, "--config", config)
    assert done.exit_code == 2
    assert words in done.output
    assert sorted(path.name for path in config.parent.iterdir()) == ["table.toml"]


def test_all_missing_keys_are_named_at_once(config: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        read_keys(read(config))
    assert [fault.partition(":")[0] for fault in refused.value.faults] == ["devices.shoe", "devices.sensors"]


def test_a_credential_is_encrypted_by_systemd(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Encryption for this machine needs its identity, which a build machine may lack: the tool is a
    stand-in."""
    kept = tmp_path / "shoe.cred"
    tool = tmp_path / "bin" / "systemd-creds"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\n[ "$1 $2 $3" = "encrypt --name=shoe.key -" ] && wc -c > "$4"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tool.parent), prepend=":")
    done = provision("shoe", "--config", config, "--credential", kept)
    assert (done.exit_code, kept.read_text().strip()) == (0, "65")
    assert not (tmp_path / "keys").exists()
    assert provision("shoe", "--config", config, "--credential", kept).exit_code == 1


def test_a_missing_systemd_creds_is_named(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = provision("shoe", "--config", config, "--credential", tmp_path / "shoe.cred")
    assert done.exit_code == 1
    assert "systemd-creds is missing" in done.output


def test_the_tool_of_this_machine_refuses_with_its_own_words(config: Path, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        tool = tmp_path / "systemd-creds"
        tool.write_text("#!/bin/sh\necho no secret >&2\nexit 1\n")
        tool.chmod(0o755)
        patch.setenv("PATH", str(tmp_path), prepend=":")
        done = provision("shoe", "--config", config, "--credential", tmp_path / "shoe.cred")
    assert done.exit_code == 1
    assert "systemd-creds: no secret" in done.output


def test_the_public_half_of_the_journals_key_lies_beside_the_configuration(config: Path) -> None:
    done = provision("journal", "--config", config)
    key, public = config.parent / "keys" / "journal.key", config.with_name("journal.pub")
    assert (done.exit_code, key.stat().st_mode & 0o777) == (0, 0o600)
    assert public.read_text() == Signer(read_key(key)).public.hex() + "\n"
    assert public.read_text().strip() in done.stdout
    assert key.read_text().strip() not in done.stdout


def test_a_journals_key_that_is_there_stays(config: Path) -> None:
    """As at an upgrade: the first start of the table made it."""
    ours = signer(Path(read(config).journal.key)).public
    for _ in range(2):
        assert provision("journal", "--config", config).exit_code == 0
        assert config.with_name("journal.pub").read_text() == ours.hex() + "\n"


def test_another_key_of_the_journal_is_written_down_only_when_it_is_asked_for(config: Path) -> None:
    assert provision("journal", "--config", config).exit_code == 0
    before = config.with_name("journal.pub").read_text()
    store_key(make_key(), config.parent / "keys" / "journal.key", replace=True)
    refused = provision("journal", "--config", config)
    assert (refused.exit_code, "holds another key: --replace exchanges it" in refused.stderr) == (1, True)
    assert config.with_name("journal.pub").read_text() == before
    assert provision("journal", "--config", config, "--replace").exit_code == 0
    assert config.with_name("journal.pub").read_text() != before


def test_a_journal_key_made_elsewhere_is_taken(config: Path) -> None:
    given = config.with_name("given")
    store_key(make_key(), given)
    assert provision("journal", "--config", config, "--from", given).exit_code == 0
    assert read_key(config.parent / "keys" / "journal.key") == read_key(given)


def test_the_key_that_seals_cards_is_made_once(config: Path) -> None:
    seal = config.parent / "keys" / "journal.seal"
    assert provision("journal", "--config", config).exit_code == 0
    made = read_key(seal)
    assert seal.stat().st_mode & 0o777 == 0o600
    done = provision("journal", "--config", config, "--replace")
    assert done.exit_code == 0
    assert read_key(seal) == made
    assert made.hex() not in done.output


def test_the_key_that_seals_cards_lies_where_the_configuration_says(config: Path) -> None:
    config.write_text(config.read_text().replace("[journal]", '[journal]\nseal = "elsewhere/cards"'))
    assert provision("journal", "--config", config).exit_code == 0
    assert read_key(config.parent / "elsewhere" / "cards")
    assert not (config.parent / "keys" / "journal.seal").exists()


def test_the_key_that_seals_cards_is_never_beside_the_journal(config: Path) -> None:
    """Though the key that signs is there, as on an installed table."""
    text = config.read_text().replace('path = "journal"', 'path = "state/journal"\nkey = "state/journal.key"')
    config.write_text(text)
    (config.parent / "state").mkdir()
    assert provision("journal", "--config", config).exit_code == 0
    assert [path.name for path in (config.parent / "state").iterdir()] == ["journal.key"]
    assert read_key(config.parent / "keys" / "journal.seal")


def test_only_the_key_that_seals_cards_is_made(config: Path) -> None:
    """A table that compares no signatures yet does so only once somebody has asked for it."""
    seal = config.parent / "keys" / "journal.seal"
    done = provision("seal", "--config", config)
    assert (done.exit_code, f"{seal}, new" in done.output) == (0, True)
    made = read_key(seal)
    assert [path.name for path in seal.parent.iterdir()] == ["journal.seal"]
    assert not config.with_name("journal.pub").exists()
    again = provision("seal", "--config", config, "--json")
    assert json.loads(again.output) == {"device": "seal", "seal": str(seal), "new": False}
    assert read_key(seal) == made


def test_the_key_that_seals_cards_is_made_while_another_section_has_a_fault(config: Path) -> None:
    """The package makes it before people have added what the new version asks for."""
    config.write_text(config.read_text().replace('game = "easy-jack"', 'game = "blackjack-x"'))
    with pytest.raises(ConfigError, match="currency is missing"):
        read(config)
    assert provision("seal", "--config", config).exit_code == 0
    assert read_key(config.parent / "keys" / "journal.seal")


def test_a_fault_of_the_journal_stops_the_key_that_seals_cards(config: Path) -> None:
    config.write_text(config.read_text().replace('path = "journal"', 'paht = "journal"'))
    done = provision("seal", "--config", config)
    assert done.exit_code == 2
    assert "line 5" in done.output
    assert "paht" in done.output


@pytest.mark.parametrize("option", ["--replace", "--from"])
def test_the_key_that_seals_cards_is_not_exchanged(config: Path, option: str) -> None:
    assert provision("seal", "--config", config).exit_code == 0
    seal = config.parent / "keys" / "journal.seal"
    made = read_key(seal)
    value = (seal,) if option == "--from" else ()
    done = provision("seal", "--config", config, option, *value)
    assert done.exit_code == 1
    assert "never exchanged" in done.output
    assert read_key(seal) == made


def test_the_key_that_seals_cards_becomes_a_credential_with_the_other(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tool is a stand-in, as above: it notes the names and writes what it was given."""
    tool = tmp_path / "bin" / "systemd-creds"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\necho "$2" >> {tmp_path}/names\ncat > "$4"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tool.parent), prepend=":")
    assert provision("journal", "--config", config, "--credential", tmp_path / "table.key").exit_code == 0
    assert (tmp_path / "names").read_text().split() == ["--name=journal.key", "--name=journal.seal"]
    assert len((tmp_path / "table.seal").read_text().strip()) == 64
    assert not (config.parent / "keys" / "journal.seal").exists()


def test_the_key_for_directories_opens_what_was_sealed_for_its_public_half(config: Path) -> None:
    made = json.loads(provision("directory", "--config", config, "--json").stdout)
    floor = read(config).floor
    assert (made["key"], made["public_file"]) == (floor.directory_key, floor.directory_public)
    public = bytes.fromhex(Path(floor.directory_public).read_text())
    assert public.hex() == made["public"]
    box = seal(public, b"a message", b"a purpose")
    assert SealingKey(read_key(Path(floor.directory_key))).open(box, b"a purpose") == b"a message"


def test_the_key_for_directories_stays_until_it_is_replaced(config: Path) -> None:
    first = provision("directory", "--config", config)
    assert ", new\n" in first.stdout
    again = provision("directory", "--config", config)
    assert ", as before\n" in again.stdout
    texts = {json.loads(provision("directory", "--config", config, "--json").stdout)["public"]}
    assert all(text in first.stdout and text in again.stdout for text in texts)
    replaced = json.loads(provision("directory", "--config", config, "--replace", "--json").stdout)
    assert replaced["new"]
    assert replaced["public"] not in texts


def test_a_key_for_directories_that_is_given_is_stored(config: Path, tmp_path: Path) -> None:
    given = make_key()
    store_key(given, tmp_path / "given.key")
    assert provision("directory", "--config", config, "--from", tmp_path / "given.key").exit_code == 0
    assert read_key(Path(read(config).floor.directory_key)) == given
    assert provision("directory", "--config", config, "--from", tmp_path / "given.key").exit_code == 1


PROGRESSIVE = f"""
property = "house"
level = "sevens"
instance = "p1"
servers = ["nats://127.0.0.1:4222"]
floor = ["{"00" * 32}"]
journal = "journal"
mirror = "mirror"
"""


def test_both_instances_of_a_linked_progressive_sign_with_one_key(tmp_path: Path) -> None:
    instances = [tmp_path / name / "progressive.toml" for name in ("p1", "p2")]
    for path in instances:
        path.parent.mkdir()
        path.write_text(PROGRESSIVE)
    first = json.loads(provision("progressive", "--config", instances[0], "--json").stdout)
    assert (first["key"], first["new"]) == (str(tmp_path / "p1" / "keys" / "progressive.key"), True)
    assert Path(first["key"]).stat().st_mode & 0o777 == 0o600
    second = provision("progressive", "--config", instances[1], "--from", first["key"])
    assert f"public key: {first['public']}" in second.stdout
    assert ", as before\n" in provision("progressive", "--config", instances[1]).stdout
    assert provision("progressive", "--config", instances[1], "--from", first["key"]).exit_code == 1


def test_the_key_of_a_linked_progressive_needs_its_configuration(config: Path) -> None:
    refused = provision("progressive", "--config", config)
    assert (refused.exit_code, "level is missing" in refused.stderr) == (2, True)
