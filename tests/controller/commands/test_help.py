"""Each command has a help text with an example that parses; a shell completes commands and options."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.core
from typer.main import get_group

from controller.commands.app import COMMANDS, app
from systemd.deb.layout import completion

EXAMPLE = re.compile(r"^Example: tableside (.+(?:\n.+)*)$", re.MULTILINE)
"""A long one goes on to the end of its paragraph."""
PANELS = {panel for _, panel, _ in COMMANDS}
NARROW = 78
"""Columns of a terminal with 80, without the margins."""
COMMAND = """\
#!/bin/sh
exec {python} -m controller "$@"
"""
ASK = """\
. {script}
COMP_WORDS=({words})
COMP_CWORD={last}
_tableside_completion tableside
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def commands(group: object, name: str = "") -> Iterator[tuple[str, typer.core.TyperCommand]]:
    """Every command with its whole name, including those in groups. An argument of a group is a part of the
    name, in capitals."""
    for word, command in getattr(group, "commands", {}).items():
        if hasattr(command, "commands"):
            arguments = (one.metavar for one in command.params if isinstance(one, typer.core.TyperArgument))
            yield from commands(command, " ".join((f"{name}{word}", *map(str, arguments), "")))
        else:
            yield f"{name}{word}", command


ALL = dict(commands(get_group(app)))


@pytest.mark.parametrize("name", ALL)
def test_each_command_has_an_example_that_parses(name: str) -> None:
    examples = EXAMPLE.findall(ALL[name].help or "")
    assert examples
    for example in examples:
        words = shlex.split(example.partition(" < ")[0])
        named = [word for word in name.split() if not word.isupper()]
        assert [word for word in words[: name.count(" ") + 1] if word in named] == named
        ALL[name].make_context(name, words[name.count(" ") + 1 :])


def test_an_example_that_no_longer_fits_would_be_found() -> None:
    with pytest.raises(Exception, match="No such option"):
        ALL["run"].make_context("run", ["--konfig", "table.toml"])


@pytest.mark.parametrize("name", ALL)
def test_the_help_of_each_command_fits_a_narrow_terminal(name: str) -> None:
    """A paragraph is shown with its own line breaks: a line that does not fit is broken once more."""
    for paragraph in (ALL[name].help or "").split("\n\n"):
        lines = paragraph.splitlines()
        assert len(lines) == 1 or max(map(len, lines)) <= NARROW


@pytest.mark.parametrize("name", [name for name in ALL if " " not in name])
def test_each_command_shows_its_usage(name: str) -> None:
    """Each argument once, in the brackets that the parser draws."""
    used = ALL[name].get_usage(ALL[name].make_context(name, [], resilient_parsing=True))
    assert "[[" not in used


def test_each_command_has_its_part_of_the_help() -> None:
    for name, command in get_group(app).commands.items():
        assert getattr(command, "rich_help_panel", None) in PANELS, name


def completed(folder: Path, *words: str) -> list[str]:
    """The completions of bash for the last of `words`."""
    program = folder / "tableside"
    program.write_text(COMMAND.format(python=sys.executable))
    program.chmod(0o755)
    script = folder / "completion"
    script.write_text(completion("bash"))
    text = ASK.format(script=script, words=shlex.join(words), last=len(words) - 1)
    environment = {"PATH": f"{folder}:/usr/bin:/bin"}
    done = subprocess.run(
        ["bash", "-c", text], capture_output=True, text=True, check=True, env=environment, cwd=Path.cwd()
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("tableside", "prov"), "provision"),
        (("tableside", "provision", "--cred"), "--credential"),
        (("tableside", "users", "add", "--role", "tech"), "technician"),
    ],
)
def test_bash_completes_commands_and_options(tmp_path: Path, words: tuple[str, ...], offered: str) -> None:
    assert completed(tmp_path, *words) == [offered]
