"""What a shell offers while somebody types."""

import subprocess
import sys
from pathlib import Path

import pytest

from systemd.deb.layout import COMPLETIONS, VARIABLE, completion

BASH = """
set -e
. "$1"
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_tableside_completion tableside
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


COMMAND = """#!/bin/sh
exec {python} -c 'from controller.commands.app import app; app(prog_name="tableside")' "$@"
"""


def offered(words: str, folder: Path) -> list[str]:
    """The completions of bash for the last of these words."""
    (folder / "completion").write_text(completion("bash"))
    (folder / "tableside").write_text(COMMAND.format(python=sys.executable))
    (folder / "tableside").chmod(0o755)
    done = subprocess.run(
        ["bash", "--norc", "-c", BASH.format(words=words), "bash", folder / "completion"],
        env={"PATH": f"{folder}:/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_bash_completes_the_commands(tmp_path: Path) -> None:
    assert offered("tableside journal re", tmp_path) == ["replay", "report"]


def test_bash_completes_the_options_of_a_command(tmp_path: Path) -> None:
    assert "--config" in offered("tableside device provision --c", tmp_path)
    assert "--role" in offered("tableside people add --", tmp_path)


@pytest.mark.parametrize("shell", COMPLETIONS)
def test_every_shell_asks_the_command_itself(shell: str) -> None:
    assert VARIABLE in completion(shell)
