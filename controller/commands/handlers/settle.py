"""What `tableside game settle` does."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import typer
from rich.console import Console
from rich.table import Table

from controller.commands.arguments import print_json
from controller.past.replay.output import settlement_table
from controller.round.settle import ScriptResult, settle


def handle(file: Path | None, as_json: bool) -> None:
    show = _show_answer if sys.stdout.isatty() and not as_json else print_json
    refused = False
    for line in _lines(file):
        answered = settle(line)
        refused = refused or "error" in answered
        show(answered)
    raise typer.Exit(1 if refused else 0)


def _lines(file: Path | None) -> Iterator[bytes]:
    if file is None:
        yield from _nonblank(sys.stdin.buffer)
        return
    with file.open("rb") as opened:
        yield from _nonblank(opened)


def _nonblank(source: BinaryIO) -> Iterator[bytes]:
    return (line for line in source if line.strip())


def _show_answer(answered: ScriptResult) -> None:
    Console(markup=False, highlight=False).print(answer_table(answered))


def answer_table(answered: ScriptResult) -> Table | str:
    """A table for a settled round, a sentence for a refused one."""
    if "error" in answered:
        error = answered["error"]
        place = "" if error["at"] is None else f" at {error['at']} {error['token'] or ''}".rstrip()
        return f"{_name(answered)}refused{place}: {error['reason']}"
    dealer = answered["dealer"]
    title = f"{_name(answered)}dealer {' '.join(dealer['cards'])} = {dealer['total']}"
    return settlement_table(title, answered["settlements"])


def _name(answered: ScriptResult) -> str:
    return "" if answered["id"] is None else f"{answered['id']}: "
