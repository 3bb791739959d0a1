"""What the commands `tableside people token ...` do."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from controller.access.read_tokens import ReadTokens
from controller.commands.arguments import print_json
from controller.commands.handlers.users import opened_accounts, person_or_login


def make(config: Path, *, name: str, days: int, by: str) -> None:
    with _tokens(config) as tokens:
        made = tokens.make(name, days, person_or_login(by))
    typer.echo(made)


def list_tokens(config: Path, as_json: bool) -> None:
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


def revoke(config: Path, name: str, by: str) -> None:
    with _tokens(config) as tokens:
        tokens.revoke(name, person_or_login(by))


@contextmanager
def _tokens(config: Path) -> Iterator[ReadTokens]:
    with opened_accounts(config) as store:
        yield ReadTokens(store)


def _day(at: float | None) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat() if at is not None else "never"
