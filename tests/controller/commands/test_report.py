"""The command `tableside journal report`."""

import json
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from controller.config import ConfigError, parse
from controller.past.reports.sheets import SHEETS
from tests.controller.past.reports.played_days import DAY, played_day

CONFIG = """
[table]
name = "Table 1"
game = "ez-bust"
target = 70
time_zone = "Europe/Berlin"
[journal]
path = "table.db"
[reports]
day_begins = "07:00"
shifts = ["07:00", "19:00"]
pause = 1
[devices.shoe]
port = "/run/shoe"
serial = "A"
[devices.sensors]
port = "/run/sensors"
serial = "B"
[devices.console]
port = "/run/console"
serial = "C"
"""


def run(*arguments: object, columns: int = 160) -> Result:
    return CliRunner().invoke(app, ["report", *map(str, arguments)], env={"COLUMNS": str(columns)})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table")
    with played_day(path) as table:
        table.play_rounds(20)
    (path / "table.toml").write_text(CONFIG)
    return path


def test_the_report_is_printed_as_text(folder: Path) -> None:
    result = run("--journal", folder / "table.db", "--day", DAY)
    assert result.exit_code == 0, result.stderr
    assert "gaming day 2026-11-19" in result.stdout
    assert "20, 0 of them corrected; 0 void" in result.stdout
    assert "comparisons with the exact odds, none of them over the alarm level" in result.stdout


def test_no_word_is_broken_on_a_terminal_of_80_characters(folder: Path) -> None:
    result = run("--journal", folder / "table.db", "--day", DAY, columns=80)
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    for words in ("ez-bust: any win", "ez-bust: suited bust", " of ", "band 95 %", "expected", "unknown"):
        assert words in result.stdout


def test_days_and_shifts_begin_as_configured(folder: Path) -> None:
    result = run("--config", folder / "table.toml", "--shift", f"{DAY} 07:00", "--json")
    answer = json.loads(result.stdout)
    assert (answer["rounds"], answer["pace"]["target"], answer["pause_seconds"]) == (20, 70, 60)
    assert (answer["zone"], answer["period"]["key"]) == ("Europe/Berlin", f"{DAY}T07:00")


def test_a_report_may_cover_any_span_of_time(folder: Path) -> None:
    whole = run("--journal", folder / "table.db", "--from", DAY, "--to", DAY, "--json")
    part = run("--journal", folder / "table.db", "--from", f"{DAY}T06:00", "--to", f"{DAY}T06:05", "--json")
    assert json.loads(whole.stdout)["rounds"] == 20
    assert 0 < json.loads(part.stdout)["rounds"] < 20


def test_the_csv_option_writes_every_sheet(folder: Path, tmp_path: Path) -> None:
    result = run("--journal", folder / "table.db", "--day", DAY, "--csv", tmp_path / "new" / "folder")
    assert result.exit_code == 0, result.stderr
    assert {path.stem for path in (tmp_path / "new" / "folder").iterdir()} == set(SHEETS)


def test_a_folder_that_cannot_be_made_is_named(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("--journal", folder / "table.db", "--day", DAY, "--csv", tmp_path / "file" / "folder")
    assert (result.exit_code, "cannot be written" in result.stderr) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "no journal is named; allowed: its file, or --config"),
        (
            ("--journal", "t.db", "--config", "t.toml"),
            "--journal name one each; allowed: either",
        ),
        (("--journal", "t.db", "--day", "yesterday"), "'yesterday' is not a period"),
        (("--journal", "t.db", "--day", DAY, "--shift", f"{DAY} 06:00"), "allowed: --day, or --shift"),
        (("--journal", "t.db", "--to", DAY), "allowed: --day, or --shift"),
        (("--journal", "t.db", "--from", DAY, "--to", "2026-11-18"), "a later end"),
        (("--journal", "t.db", "--csv", "x", "--json"), "not allowed together"),
        (("--config", "none.toml"), "none.toml cannot be read"),
    ],
)
def test_contradictory_options_are_refused(arguments: tuple[str, ...], says: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, says in result.stderr) == (2, True), result.stderr


def test_a_missing_journal_is_named(tmp_path: Path) -> None:
    result = run("--journal", tmp_path / "none.db")
    assert (result.exit_code, "is not there" in result.stderr) == (1, True)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        (
            'zone = "Europe/Berlin"',
            'reports.zone = "Europe/Berlin": unknown key; write table.time_zone instead',
        ),
        (
            'shifts = ["08:00"]',
            'reports.shifts = ["08:00"]: not allowed; allowed: times of day, the first one 06:00',
        ),
        ('day_begins = "6"', 'reports.day_begins = "6": not allowed; allowed: a time of day'),
        ("pause = 0", "reports.pause = 0: not allowed; allowed: minutes"),
        ("shifts = 6", "reports.shifts = 6: not allowed; allowed: times of day"),
        ('night = "22:00"', "reports.night"),
    ],
)
def test_faults_of_the_configuration_are_named(written: str, says: str) -> None:
    before, _, after = CONFIG.partition("[reports]")
    raw = tomllib.loads(f"{before}[reports]\n{written}\n[devices{after.partition('[devices')[2]}")
    with pytest.raises(ConfigError) as caught:
        parse(raw)
    assert any(fault.startswith(says) for fault in caught.value.faults), caught.value.faults
