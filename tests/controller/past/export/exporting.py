"""`tableside journal export` of a played journal, and its output read back."""

import csv
import io
import json
import tarfile
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from controller.commands.app import app
from controller.journal.signing import Signer, checkpoint
from tests.fixtures.played_journal import PlayedTable, journal

SIGNER = Signer(bytes(range(32)))
FIRST = "1:main=500 2:main=700 2:dealer-bust=100 close 5h 7d Tc 6s 2:stand pay"
SECOND = "4:main=0 close Ah Tc pay"
SEVENS = "1:main=1000 1:blazing-7s=100 close 7d 7d 7d Ts 1:stand pay"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["export", *arguments])


def export(folder: Path, *arguments: str) -> Result:
    """What the command says of the journal in a folder."""
    return run(str(journal(folder)), *arguments)


def rows(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    result = export(folder, *arguments)
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def sheet(folder: Path, what: str, *arguments: str) -> list[dict[str, str]]:
    result = export(folder, "--format", "csv", "--what", what, *arguments)
    assert result.exit_code == 0, result.stderr
    return table(result.stdout_bytes)


def table(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def bundle(folder: Path, number: int = 1) -> dict[str, bytes]:
    """The files of an evidence bundle by name."""
    path = folder / "bundle.tar"
    result = export(folder, "--evidence", str(number), "--output", str(path))
    assert result.exit_code == 0, result.stderr
    return unpacked(path, number)


def unpacked(path: Path, number: int) -> dict[str, bytes]:
    files = {}
    with tarfile.open(path) as tar:
        for member in tar.getmembers():
            content = tar.extractfile(member)
            assert content
            files[member.name.removeprefix(f"round-{number}/")] = content.read()
    return files


def append_checkpoint(at: PlayedTable) -> None:
    """Appends what a daemon with a key writes behind a snapshot."""
    head = at.loop.journal.head
    assert head
    at.loop.journal.append([checkpoint(SIGNER, 1000.0, head)])
