"""`tableside --version` prints the version of pyproject.toml at once."""

import subprocess
import sys
import tomllib
from pathlib import Path

from typer.testing import CliRunner

from controller.commands.app import app

PROJECT = Path(__file__).parents[3] / "pyproject.toml"
HEAVY = ("typer", "pydantic", "fastapi", "rich", "asyncio", "controller.commands.app", "drivers")
LOADED = """
import sys
from controller.__main__ import main
main()
print(*(name for name in {heavy!r} if name in sys.modules), file=sys.stderr)
"""


def stated() -> str:
    return f"tableside {tomllib.loads(PROJECT.read_text())['project']['version']}\n"


def test_version_is_printed_without_loading_the_commands() -> None:
    program = LOADED.format(heavy=HEAVY)
    done = subprocess.run(
        [sys.executable, "-c", program, "--version"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, stated(), "\n")


def test_the_command_line_lists_it_and_says_the_same() -> None:
    assert "--version" in CliRunner().invoke(app, ["--help"]).stdout
    shown = CliRunner().invoke(app, ["--version"])
    assert (shown.exit_code, shown.stdout) == (0, stated())
