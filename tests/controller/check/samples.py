"""Configurations to check, and what the command says about them."""

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from controller.commands.app import app

TABLE = """
[table]
name = "Table 1"
game = "{game}"
currency = "USD"
[journal]
path = "table1.journal"
[devices]
shoe = {{ port = "/dev/a", serial = "SHOE-1" }}
sensors = {{ port = "/dev/b", serial = "SENSORS-1" }}
console = {{ port = "/dev/c", serial = "CONSOLE-1" }}
{more}
"""


def check(folder: Path, game: str, more: str = "", *arguments: str) -> Result:
    """`tableside table check` of a table; `more` is TOML; no main bet is simulated unless arguments say
    so."""
    path = folder / "table.toml"
    path.write_text(TABLE.format(game=game, more=more))
    return run(str(path), *(arguments if "--seconds" in arguments else (*arguments, "--seconds", "0")))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["check-config", *arguments], env={"COLUMNS": "120"})


def check_json(folder: Path, game: str, more: str = "", *arguments: str) -> dict[str, Any]:
    result = check(folder, game, more, "--json", *arguments)
    assert result.exit_code == 0, result.stderr
    return dict(json.loads(result.stdout))
