"""`tableside doctor` at a running table, without one, and with a configuration that has faults."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from tests.fixtures.daemon_process import configured, notified

pytestmark = pytest.mark.usefixtures("fork_server")


def doctor(config: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["doctor", *words, "--config", str(config)], env={"COLUMNS": "100"})


def findings(result: Result) -> dict[str, dict[str, Any]]:
    """By check."""
    return {one["check"]: one for one in json.loads(result.stdout)["findings"]}


def test_a_running_table_is_examined_without_disturbing_it(tmp_path: Path) -> None:
    config = configured(tmp_path)
    with notified(config, "run") as (_, say):
        assert say().startswith("READY=1")
        files = {*tmp_path.iterdir()}
        result = doctor(config, "--json")
        assert {*tmp_path.iterdir()} == files
    found = findings(result)
    assert found["table socket"]["status"] == "ok"
    assert found["table"]["status"] == "warning"
    assert "Missing: the shoe" in found["table"]["text"]
    assert found["shoe"]["todo"]
    assert found["port of the shoe"]["status"] == "fault"
    assert found["disk of the journal, writing"]["status"] == "not checked"
    assert result.exit_code == 1


def test_a_table_without_a_daemon_is_a_fault_that_says_how_to_start_it(tmp_path: Path) -> None:
    result = doctor(configured(tmp_path))
    assert result.exit_code == 1
    assert "FAULT        table socket: no core answers at" in result.stdout
    assert "Do: Start the table: systemctl start tableside" in result.stdout


def test_faults_of_the_configuration_are_named_and_nothing_else_is_checked(tmp_path: Path) -> None:
    config = configured(tmp_path)
    config.write_text(config.read_text().replace("easy-jack", "chess"))
    result = doctor(config, "--json")
    found = findings(result)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["faults"] == 1
    assert "chess" in found["configuration"]["text"]
    assert {one["status"] for name, one in found.items() if name != "configuration"} == {"not checked"}
