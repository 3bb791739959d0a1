"""A table whose journal is kept on disk, to play at and to replay."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner, Result

from controller.replay.command import register
from controller.table.events import Choice, DeviceRunning, Input, Supervisor
from controller.table.notes import Note
from controller.table.rules import Progressive
from tests.controller.table.script import Script
from tests.controller.table.stage import Stage, stage
from tests.controller.table.telling import Told


class House(Told):
    """A table that takes the same words as `Told`, and keeps them."""

    def __init__(self, staged: Stage, script: Script) -> None:
        self.staged, self.script, self.state = staged, script, staged.table.state
        self.tell(*list(script.opening())[1:], script.loaded(self.state.game.options.decks))

    def come_back(self, staged: Stage) -> None:
        """The daemon starts again, and all devices are there."""
        self.staged, self.state = staged, staged.table.state
        for device in self.script.devices:
            self.tell(self.script.up(device), DeviceRunning(device))

    def tell(self, *events: Input) -> list[Note]:
        self.staged.take(*events)
        return []

    def supervise(self, choice: Choice, card: str | None = None, why: str = "seen by eye") -> None:
        self.tell(Supervisor(choice, "Ann", why, card))

    def clear(self) -> None:
        """All chips are taken away."""
        for seat, spot in sorted(self.state.chips):
            self.tell(self.script.take(seat, spot))


@contextmanager
def house(
    folder: Path, game: str = "easy-jack", jackpots: dict[str, Progressive] | None = None, **options: object
) -> Iterator[House]:
    """A table at which nothing has been played yet; it runs until the end."""
    script = Script(game, options={"burn_cards": 0, **options}, jackpots=jackpots or {})
    with stage(journal(folder), script.started()) as staged:
        yield House(staged, script)


def journal(folder: Path) -> Path:
    return folder / "journal.sqlite"


def replay(folder: Path, *arguments: str) -> Result:
    """What the command says of the journal in a folder."""
    return run(str(journal(folder)), *arguments)


def run(*arguments: str) -> Result:
    app = typer.Typer()
    app.command("other")(lambda: None)
    register(app)
    return CliRunner().invoke(app, ["replay", *arguments], env={"COLUMNS": "140"})


def told(folder: Path, *arguments: str, status: int = 0) -> list[dict[str, Any]]:
    """The JSON of each round."""
    result = replay(folder, *arguments, "--json")
    assert result.exit_code == status, (result.stderr, result.stdout)
    return [json.loads(line) for line in result.stdout.splitlines()]
