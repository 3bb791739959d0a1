"""What `tableside journal confirm` does. It prompts for passwords or reads them from standard input,
because other users of the computer could see arguments."""

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import typer

from controller.access.errors import AccessError
from controller.commands.configurations import read_config
from controller.commands.exit_codes import failed, usage
from controller.commands.local_sign_in import two_persons
from controller.config import JournalSection
from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.journal.inspection import whole_copies
from controller.journal.key_change import key_change_path, read_key_change
from controller.journal.trust import (
    Confirmation,
    confirmation_path,
    foreign_keys,
    journal_doubts_of,
    read_public,
    write_for_start,
)


@dataclass(frozen=True, slots=True)
class JournalDoubts:
    """The last row of a journal, a sentence for each doubt, and the foreign keys that signed it, in hex."""

    last: JournalRow
    doubts: tuple[str, ...]
    keys: tuple[str, ...]


def journal_doubts(section: JournalSection) -> JournalDoubts:
    """What has to be confirmed. The journal is not changed. Raises JournalError if the journal is damaged or
    missing, or needs no confirmation."""
    whole = whole_copies(Path(path) for path in (section.path, section.mirror) if path)
    if not whole:
        raise JournalError(f"journal {section.path} is damaged or missing, so it cannot be confirmed")
    public = read_public(Path(section.public))
    change = read_key_change(key_change_path(Path(section.public)))
    sentences, last = journal_doubts_of(whole, public, change), max(whole, key=lambda copy: copy.row).last
    if not sentences or last is None:
        raise JournalError(f"journal {section.path} needs no confirmation")
    return JournalDoubts(last, sentences, foreign_keys(whole, public))


MOST_REASON = 200
"""The maximum length of a reason, in characters."""


def handle(config: Path, *, who: str, second: str, why: str) -> None:
    if not 0 < len(why) <= MOST_REASON:
        raise usage(f"--why has {len(why)} characters; allowed: 1 to {MOST_REASON}")
    try:
        table = read_config(config)
        found = journal_doubts(table.journal)
        _show(found)
        names = two_persons(
            Path(table.access.path),
            who,
            second,
            ("supervisor",),
            "confirm",
            table.floor.offline_seconds,
        )
        last = found.last
        confirmation = Confirmation(
            last.row, last.hash.hex(), found.doubts, found.keys, *names, why, at=round(time.time(), 3)
        )
        write_for_start(confirmation_path(Path(table.journal.public)), confirmation, Path(table.journal.path))
    except (JournalError, AccessError, OSError) as error:
        raise failed(str(error)) from None
    typer.echo(f"{names[0]} and {names[1]} confirm the journal up to row {last.row}.")
    typer.echo("Start the service within an hour.")


def _show(found: JournalDoubts) -> None:
    at = datetime.fromtimestamp(found.last.content.at, UTC)
    for doubt in found.doubts:
        typer.echo(f"- {doubt}")
    typer.echo(f"last row {found.last.row} of {at:%Y-%m-%d %H:%M:%S} UTC")
