"""A command finds its configuration: in its option, in the environment, or where the service has it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.commands import config_file
from controller.commands.app import app

TABLE = """
[table]
name = "{name}"
game = "easy-jack"
seats = 3
[journal]
path = "journal"
[devices.shoe]
port = "/dev/null"
serial = "SHOE-1"
seal = "none"
[devices.sensors]
port = "/dev/zero"
serial = "SENSORS-1"
seal = "none"
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the installed services, with nothing in it."""
    folder = tmp_path / "etc"
    folder.mkdir()
    monkeypatch.setattr(config_file, "FOLDER", folder)
    for one in (config_file.TABLE, config_file.FLOOR, config_file.PROGRESSIVE):
        monkeypatch.delenv(one.variable, raising=False)
    return folder


def write(path: Path, name: str) -> Path:
    path.write_text(TABLE.format(name=name))
    return path


def run(*words: str, **environment: str) -> Result:
    return CliRunner().invoke(app, words, env={"COLUMNS": "200", **environment})


def checked(*words: str, **environment: str) -> str:
    """The name of the table that `table check` has read."""
    done = run("table", "check", *words, "--json", "--seconds", "0", **environment)
    assert done.exit_code == 0, done.output
    name: str = json.loads(done.stdout)["table"]["name"]
    return name


def test_a_named_file_comes_before_the_environment_and_that_before_the_installed_one(
    installed: Path, tmp_path: Path
) -> None:
    write(installed / "table.toml", "installed")
    environment = str(write(tmp_path / "environment.toml", "of the environment"))
    named = str(write(tmp_path / "named.toml", "named"))
    assert checked(named, TABLESIDE_CONFIG=environment) == "named"
    assert checked(TABLESIDE_CONFIG=environment) == "of the environment"
    assert checked() == "installed"


@pytest.mark.parametrize(
    ("words", "variable", "file"),
    [
        ("table check", "TABLESIDE_CONFIG", "table.toml"),
        ("table run", "TABLESIDE_CONFIG", "table.toml"),
        ("table jackpots", "TABLESIDE_CONFIG", "table.toml"),
        ("table uplink", "TABLESIDE_CONFIG", "table.toml"),
        ("journal replay 7", "TABLESIDE_CONFIG", "table.toml"),
        ("journal verify", "TABLESIDE_CONFIG", "table.toml"),
        ("journal export", "TABLESIDE_CONFIG", "table.toml"),
        ("journal report", "TABLESIDE_CONFIG", "table.toml"),
        ("device provision shoe", "TABLESIDE_CONFIG", "table.toml"),
        ("device provision progressive", "TABLESIDE_PROGRESSIVE_CONFIG", "progressive.toml"),
        ("floor progressive", "TABLESIDE_PROGRESSIVE_CONFIG", "progressive.toml"),
        ("floor incidents", "TABLESIDE_FLOOR_CONFIG", "floor.toml"),
        ("people places Ann", "TABLESIDE_FLOOR_CONFIG", "floor.toml"),
    ],
)
def test_a_command_without_a_configuration_says_which_places_it_tried(
    installed: Path, words: str, variable: str, file: str
) -> None:
    done = run(*words.split())
    assert done.exit_code == 2
    assert f". {variable} is not set, {installed / file} does not exist\n" in done.stderr


def test_accounts_are_those_of_the_table_or_of_the_floor(installed: Path) -> None:
    done = run("people", "list")
    assert "TABLESIDE_CONFIG is not set" in done.stderr
    assert "TABLESIDE_FLOOR_CONFIG is not set" in done.stderr
    table = write(installed / "table.toml", "installed")
    assert run("people", "list").exit_code == 0
    floor = write(installed / "floor.toml", "installed")
    done = run("people", "list")
    assert (done.exit_code, f"There are {table} and {floor}\n" in done.stderr) == (2, True)


def test_a_missing_file_that_the_environment_names_is_not_passed_over(installed: Path) -> None:
    write(installed / "table.toml", "installed")
    done = run("table", "check", TABLESIDE_CONFIG=str(installed / "absent.toml"))
    assert done.exit_code == 2
    assert "absent.toml" in done.stderr


def test_devices_of_the_installed_table_are_listed(installed: Path) -> None:
    assert json.loads(run("device", "list", "--json").stdout)["table"] == ""
    write(installed / "table.toml", "installed")
    assert json.loads(run("device", "list", "--json").stdout)["table"] == "installed"
