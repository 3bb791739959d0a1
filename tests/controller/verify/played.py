"""What a table with a jackpot writes, as rows, so that a test can write it otherwise."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import typer
from typer.testing import CliRunner, Result

from controller.jackpot import Step
from controller.journal.chain import Entry, Row
from controller.journal.signing import Signer
from controller.table.events import ClaimStep, Input, Started
from controller.table.notes import Note, RoundEnded
from controller.table.rows import row, snapshot_row
from controller.verify.audit import Report, verify
from controller.verify.command import register
from controller.verify.demands import Asked
from tests.controller.journal.history import build
from tests.controller.table.telling import Told

SIGNER = Signer(bytes(range(32)))
SPOT = "blazing-7s"
IN = "1:main=500 2:main=500 1:blazing-7s=100 2:blazing-7s=100 close"
LOSES = f"{IN} 9h 9d 9s 9c 9h 7s 1:stand 2:stand 9d pay"
WINS = f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand pay"
PLAYED = ((LOSES, WINS, LOSES), (WINS, LOSES), (LOSES,))
"""By file."""
Rows = list[list[Row]]
Change = Callable[[dict[str, Any]], object]


class Kept(Told):
    """A table whose inputs and notes become rows."""

    def begin(self) -> None:
        self.rows: list[Row] = []
        self.at = 1_700_000_000.0
        super().begin()

    def tell(self, *events: Input) -> list[Note]:
        notes: list[Note] = []
        for event in events:
            self.at += 0.5
            followed = [] if isinstance(event, Started) and self.rows else super().tell(event)
            self.rows += [row(self.at, each) for each in (event, *followed)]
            if any(isinstance(note, RoundEnded) for note in followed):
                self.rows.append(snapshot_row(self.at, self.state))
            notes += followed
        return notes

    def pay_claims(self) -> None:
        for claim in self.state.register.open:
            steps = [("confirm", "Ann"), ("verify", "Ben"), ("second", "Cleo"), ("pay", "Ben")]
            for step, who in steps if claim.by_two else [*steps[:2], steps[3]]:
                self.tell(ClaimStep(claim.number, cast("Step", step), who, "seen"))

    def clear(self) -> None:
        for seat, spot in sorted(self.state.chips):
            self.tell(self.script.take(seat, spot))


def played(files: Sequence[Sequence[str]] = PLAYED) -> Rows:
    """The rows of each file; a file after the first begins with a snapshot."""
    table = Kept("blackjack-x")
    parts: Rows = []
    for number, rounds in enumerate(files):
        if number:
            table.rows = [snapshot_row(table.at, table.state)]
        for tokens in rounds:
            table.clear()
            table.play(tokens)
            table.pay_claims()
        parts.append(table.rows)
    return parts


def changed(parts: Rows, kind: str, place: int, change: Change) -> Rows:
    """With the `place`th row of a kind, of all files, written otherwise."""
    found = [
        (file, at) for file, rows in enumerate(parts) for at, each in enumerate(rows) if each.kind == kind
    ]
    file, at = found[place]
    body = json.loads(parts[file][at].body)
    change(body)
    parts[file][at] = replace(parts[file][at], body=json.dumps(body))
    return parts


def kept(path: Path, parts: Rows, signer: Signer | None = SIGNER) -> list[Entry]:
    return build(path, parts, signer)


def findings(path: Path, asked: Asked | None = None) -> list[tuple[str, int, str]]:
    return [(each.about, each.row, each.text) for each in report(path, asked).findings]


def report(path: Path, asked: Asked | None = None) -> Report:
    return verify(path, asked or Asked())


def run(*arguments: object) -> Result:
    app = typer.Typer()
    app.command("other")(lambda: None)
    register(app)
    return CliRunner().invoke(app, ["verify", *map(str, arguments)], env={"COLUMNS": "200"})
