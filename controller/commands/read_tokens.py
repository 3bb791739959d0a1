"""The commands `tableside people token ...`: tokens with which other systems read the API."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from controller.access.read_tokens import MOST_DAYS, ReadTokens
from controller.commands.arguments import AsJson, print_json
from controller.commands.config_file import TableOrFloorFile
from controller.commands.users import By, opened_accounts, person_or_login

token = typer.Typer(
    no_args_is_help=True, help="Make, list and revoke tokens with which other systems read the API."
)
Name = Annotated[
    str, typer.Argument(metavar="NAME", help="What the token is for, such as the system's name.")
]
Days = Annotated[int, typer.Option(min=1, max=MOST_DAYS, help="Days after which it expires.")]


@token.command("make")
def make(config: TableOrFloorFile, name: Name, days: Days = 365, by: By = "") -> None:
    """Make a token, and print it. It is shown only now.

    A program that sends it as "Authorization: Bearer TOKEN" reads the API as an
    auditor does. It never acts.

    Example: tableside people token make "player rating" --days 90 --config table.toml
    """
    with _tokens(config) as tokens:
        made = tokens.make(name, days, person_or_login(by))
    typer.echo(made)


@token.command("list")
def list_tokens(config: TableOrFloorFile, as_json: AsJson = False) -> None:
    """Show all tokens without their secrets, also those that nobody may use any more.

    Example: tableside people token list --config table.toml
    """
    with _tokens(config) as tokens:
        found, now = tokens.list_all(), tokens.now()
    if as_json:
        print_json([asdict(one) for one in found])
        return
    if not found:
        typer.echo("there is no token yet: tableside people token make")
        return
    table = Table("name", "made", "by", "expires", "last used", "")
    for one in found:
        fault = "revoked" if one.revoked is not None else "expired" if one.fault(now) else ""
        table.add_row(one.name, _day(one.made), one.by, _day(one.until), _day(one.used), fault)
    Console(markup=False, highlight=False).print(table)


@token.command("revoke")
def revoke(config: TableOrFloorFile, name: Name, by: By = "") -> None:
    """Refuse a token from now on.

    Example: tableside people token revoke "player rating" --config table.toml
    """
    with _tokens(config) as tokens:
        tokens.revoke(name, person_or_login(by))


@contextmanager
def _tokens(config: Path) -> Iterator[ReadTokens]:
    with opened_accounts(config) as store:
        yield ReadTokens(store)


def _day(at: float | None) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat() if at is not None else "never"
