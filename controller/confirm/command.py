"""The command `tableside confirm`. It prompts for passwords or reads them from standard input; they are never
arguments."""

import asyncio
import getpass
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from controller.access.desk import AccessDesk
from controller.access.errors import AccessError
from controller.config import Config, ConfigError, read
from controller.config_file import ConfigFile
from controller.confirm.doubts import JournalDoubts, journal_doubts
from controller.endings import failed, usage
from controller.help_panels import JOURNAL
from controller.journal.errors import JournalError
from controller.journal.trust import Confirmation, confirmation_path, write_confirmation

ROLE = "supervisor"
HERE = ""
"""The address that stands for a person at this computer."""
TEXT = 200
"""The most characters that a reason may have."""


def register(app: typer.Typer) -> None:
    """Adds the command to `app`."""
    app.command("confirm", rich_help_panel=JOURNAL)(confirm_command)


def confirm_command(
    config: ConfigFile,
    who: Annotated[str, typer.Option(metavar="NAME", help="The first supervisor.")],
    second: Annotated[str, typer.Option(metavar="NAME", help="The second supervisor.")],
    why: Annotated[str, typer.Option(metavar="TEXT", help="What they compared, and why it is right.")],
) -> None:
    """Take a journal as it is, though it cannot prove that it is whole or ours.

    For a table that halts with "Two supervisors must confirm the journal".
    Both are asked for their passwords. The next start of the service, within
    an hour, goes on with that journal and writes down who confirmed it.

    Example: tableside confirm --config table.toml --who "Ann Lee" --second "Bo Berg" --why "restored copy"
    """
    if not 0 < len(why) <= TEXT:
        raise usage(f"--why has {len(why)} characters; allowed: 1 to {TEXT}")
    try:
        table = read(config)
        found = journal_doubts(table.journal)
        _show(found)
        names = asyncio.run(_proved(table, who, second))
        last = found.last
        said = Confirmation(
            last.row, last.hash.hex(), found.doubts, found.keys, *names, why, at=round(time.time(), 3)
        )
        write_confirmation(confirmation_path(Path(table.journal.public)), said, Path(table.journal.path))
    except ConfigError as error:
        raise usage(*error.faults) from None
    except (JournalError, AccessError, OSError) as error:
        raise failed(str(error)) from None
    typer.echo(f"{names[0]} and {names[1]} confirm the journal up to row {last.row}.")
    typer.echo("Start the service within an hour.")


def _show(found: JournalDoubts) -> None:
    at = datetime.fromtimestamp(found.last.content.at, UTC)
    for doubt in found.doubts:
        typer.echo(f"- {doubt}")
    typer.echo(f"last row {found.last.row} of {at:%Y-%m-%d %H:%M:%S} UTC")


async def _proved(config: Config, who: str, second: str) -> tuple[str, str]:
    """The names of two accounts whose passwords were correct. Raises AccessError."""
    with AccessDesk(Path(config.access.path), time.time, time.monotonic) as desk:
        named = [desk.accounts.named(name) for name in (who, second)]
        for account in named:
            if account.role != ROLE:
                raise AccessError(f"{account.name} is a {account.role}; allowed: a {ROLE}")
        first, other = (account.name for account in named)
        if first == other:
            raise AccessError(f"{first} cannot confirm twice; allowed: two persons")
        for name in (first, other):
            token, _ = await desk.sign_in("password", name, _password(name), HERE)
            desk.sessions.end(token, HERE)
    return first, other


def _password(name: str) -> str:
    if sys.stdin.isatty():
        return getpass.getpass(f"password of {name}: ")
    return sys.stdin.readline().rstrip("\n")
