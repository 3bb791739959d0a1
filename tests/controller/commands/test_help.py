"""Each command has a help text with an example that parses; a shell completes commands and options."""

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.commands.app import COMMANDS, GROUPS, OLDER_GROUPS, Command, app
from systemd.deb.layout import completion
from tests.fixtures.command_line import commands

EXAMPLE = re.compile(r"^Example: tableside (.+(?:\n.+)*)$", re.MULTILINE)
"""A long one goes on to the end of its paragraph."""
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


ALL = commands()


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
        ALL["table run"].make_context("run", ["--konfig", "table.toml"])


@pytest.mark.parametrize("name", ALL)
def test_the_help_of_each_command_fits_a_narrow_terminal(name: str) -> None:
    """A paragraph is shown with its own line breaks: a line that does not fit is broken once more."""
    for paragraph in (ALL[name].help or "").split("\n\n"):
        lines = paragraph.splitlines()
        assert len(lines) == 1 or max(map(len, lines)) <= NARROW


@pytest.mark.parametrize("name", ALL)
def test_each_command_shows_its_usage(name: str) -> None:
    """Each argument once, in the brackets that the parser draws."""
    used = ALL[name].get_usage(ALL[name].make_context(name, [], resilient_parsing=True))
    assert "[[" not in used


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_list_shows_how_the_help_of_a_command_begins(command: Command) -> None:
    text = command.entry().load().help or ""
    assert " ".join(text.partition("\n\n")[0].split()) == command.summary


def shown(*words: str) -> str:
    done = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "160", "NO_COLOR": "1"})
    assert done.exit_code == 0
    return done.stdout


def test_the_overview_shows_groups_and_what_to_start_with() -> None:
    listed = re.findall(r"^│ ([a-z][a-z-]+) ", shown(), re.MULTILINE)
    assert listed == [*(one.name for one in COMMANDS if not one.group), *GROUPS]


@pytest.mark.parametrize("group", GROUPS)
def test_the_help_of_a_group_lists_its_commands(group: str) -> None:
    listed = re.findall(r"^│ ([a-z][a-z-]+) ", shown(group), re.MULTILINE)
    assert listed == [one.name.split()[-1] for one in COMMANDS if one.group == group]


@pytest.mark.parametrize("name", ["demo", "game odds", "game simulate", "game diagram"])
def test_the_help_of_a_game_leads_to_the_list_that_has_plug_ins(name: str) -> None:
    assert "as tableside game list shows it" in shown(*name.split())


def older_names() -> list[tuple[str, str]]:
    groups = [
        (f"{older} {one.name.split()[-1]}", one.name)
        for older, group in OLDER_GROUPS.items()
        for one in COMMANDS
        if one.group == group
    ]
    return [*((one.older, one.name) for one in COMMANDS if one.older), *groups]


@pytest.mark.parametrize(("older", "name"), older_names())
def test_a_command_still_has_its_older_name(older: str, name: str) -> None:
    usage, *explained = [line.strip() for line in shown(*older.split()).split("\n") if line.strip()]
    assert f" {older} [OPTIONS]" in usage
    assert explained == [line.strip() for line in shown(*name.split()).split("\n") if line.strip()][1:]


def test_a_misspelled_command_is_answered_with_the_nearest_one() -> None:
    done = CliRunner().invoke(app, ["table", "suprvise"], env={"COLUMNS": "160", "NO_COLOR": "1"})
    assert done.exit_code == 2
    assert "No such command 'suprvise'. Did you mean 'supervise'?" in done.output


LOADED = """
import os, sys
import typer.rich_utils
from controller.commands.app import app
for line in sys.stdin:
    sys.stdout.flush()
    if os.fork():
        os.wait()
        continue
    null = os.open(os.devnull, os.O_WRONLY)
    out = os.dup(1)
    os.dup2(null, 1)
    try:
        app([*line.split(), "--help"], prog_name="tableside")
    finally:
        os.write(out, " ".join([line.strip() + ":", *sys.modules]).encode() + b"\\n")
        os._exit(0)
"""
"""Shows the help of each command whose words are on a line of standard input, in a process of its own, and
prints which modules that has loaded. What draws every help is loaded once."""
OVERVIEW = {
    "controller.commands",
    "controller.commands.app",
    "controller.commands.lazy_group",
    "controller.commands.version",
}
SHARED = {
    *OVERVIEW,
    "controller.access",
    "controller.access.people",
    "controller.commands.arguments",
    "controller.commands.choices",
    "controller.commands.config_file",
    "controller.commands.exit_codes",
    "controller.process",
    "controller.process.faults",
    "controller.table",
    "controller.table.record",
    "controller.table.record.choices",
}
"""What the declarations of commands share."""
DECLARATIONS = {f"controller.commands.{command.target.partition(':')[0]}" for command in COMMANDS}
HEAVY = {"asyncio", "cryptography", "fastapi", "google.protobuf", "nats", "sqlite3", "structlog"}


@cache
def loaded_by_help() -> dict[str, set[str]]:
    """The modules that each help loads, by the words of its command or group; no words for the overview."""
    asked = "\n".join(["", *GROUPS, *ALL, ""])
    done = subprocess.run(
        [sys.executable, "-c", LOADED], input=asked, capture_output=True, text=True, check=True
    )
    pairs = (line.partition(":") for line in done.stdout.splitlines())
    return {words: set(modules.split()) for words, _, modules in pairs}


def own(modules: set[str]) -> set[str]:
    return {name for name in modules if name.startswith(("controller.", "drivers"))}


@pytest.mark.parametrize("words", ["", *GROUPS])
def test_an_overview_loads_no_command_and_nothing_that_commands_need(words: str) -> None:
    loaded = loaded_by_help()[words]
    assert own(loaded) == OVERVIEW
    assert not loaded & HEAVY


@pytest.mark.parametrize("name", ALL)
def test_the_help_of_a_command_loads_its_declaration_and_nothing_that_it_runs(name: str) -> None:
    loaded = loaded_by_help()[name]
    assert own(loaded) <= SHARED | DECLARATIONS
    assert not loaded & HEAVY


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
        (("tableside", "dev"), "device"),
        (("tableside", "device", "prov"), "provision"),
        (("tableside", "device", "provision", "--cred"), "--credential"),
        (("tableside", "provision", "--cred"), "--credential"),
        (("tableside", "people", "add", "--role", "tech"), "technician"),
    ],
)
def test_bash_completes_commands_and_options(tmp_path: Path, words: tuple[str, ...], offered: str) -> None:
    assert completed(tmp_path, *words) == [offered]
