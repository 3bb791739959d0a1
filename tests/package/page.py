"""The commands of docs/install.md and docs/install-floor.md, in order."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "install.md"
FLOOR_PAGE = DOCS / "install-floor.md"
BY_HAND = ("# at the table", "# by hand")
"""The ends of lines that need hardware, a screen or hands."""
INSTALL = "apt-get install --yes --no-install-recommends"
_HEADING = re.compile(r"^## (?:\d+\. )?(.*)$", re.MULTILINE)
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
Deeds = Mapping[str, Callable[[], None]]
"""What belongs to a command, by how the command begins."""


@dataclass(frozen=True, slots=True)
class Step:
    """A command, and the heading above it without its number."""

    heading: str
    command: str


def steps(page: Path) -> list[Step]:
    """All lines of all shell blocks of a page."""
    parts = _HEADING.split(page.read_text("utf-8"))
    headed = zip(["", *parts[1::2]], parts[::2], strict=True)
    return [
        Step(heading, line)
        for heading, text in headed
        for block in _BLOCK.findall(text)
        for line in block.splitlines()
        if line.strip()
    ]


def commands(page: Path = PAGE) -> list[str]:
    return [step.command for step in steps(page)]


def screen_packages() -> list[str]:
    """The packages of Debian that a console on the table's own screen needs."""
    [line] = [command for command in commands() if command.startswith(f"{INSTALL} chromium ")]
    return line.removeprefix(INSTALL).partition("#")[0].split()


def run_here(page: Path = PAGE) -> list[Step]:
    """The steps that a machine without a table can carry out."""
    return [step for step in steps(page) if not step.command.endswith(BY_HAND)]


def carry_out(deeds: Deeds, command: str) -> None:
    """Everything that belongs to this command."""
    for beginning, deed in deeds.items():
        if command.startswith(beginning):
            deed()
