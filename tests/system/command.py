"""Runs the real command."""

import subprocess
import sys

from typer.testing import CliRunner

from controller.commands.app import app
from tests.fixtures.waiting import PATIENCE


def tableside(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Runs `tableside` to its end. `typed`: its standard input."""
    return subprocess.run(
        [sys.executable, "-m", "controller", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def tableside_here(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The same in this process, which has loaded all of it: another one takes a second to."""
    done = CliRunner().invoke(app, arguments, input=typed, prog_name="tableside")
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)
