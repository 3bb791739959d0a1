"""What the commands `tableside people ...` do. They prompt for secrets or read them from standard input,
because other users of the computer could see arguments."""

import getpass
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from controller.access.accounts import Account, Accounts, check_sealed
from controller.access.errors import AccessError
from controller.access.people import SECRET_WORDS, Role, SecretKind, secret_kind
from controller.access.store import AccessStore
from controller.commands.arguments import print_json
from controller.commands.configurations import access_section, floor_config
from controller.commands.exit_codes import failed, usage
from controller.text.characters import character_fault


def add(config: Path, *, name: str, role: Role, by: str, stdin: bool, sealed: bool) -> None:
    with _accounts(config) as accounts:
        accounts.new_name(name, role)
        if sealed:
            check_sealed(name, role)
        secret = _secret(secret_kind(role), stdin=stdin)
        account = accounts.add(name, role, person_or_login(by), secret)
        if sealed:
            accounts.seal(account.name, person_or_login(by))
    typer.echo(f"{account.name} may sign in as {account.role}")


def list_users(config: Path, as_json: bool) -> None:
    with _accounts(config) as accounts:
        found = accounts.list_all()
    if as_json:
        print_json([asdict(account) for account in found])
        return
    if not found:
        typer.echo("there is no account yet: tableside people add")
        return
    table = Table("name", "role", "proves it with", "")
    for account in found:
        means = [name for name in ("password", "pin", "badge") if getattr(account, name)]
        table.add_row(
            account.name, account.role, ", ".join(means) or "nothing yet", ", ".join(_marks(account))
        )
    Console(markup=False, highlight=False).print(table)


def role(config: Path, *, name: str, role: Role, by: str) -> None:
    _change(config, by, lambda accounts, who: accounts.set_role(name, role, who))


def places(config: Path, *, name: str, table: list[str] | None, pit: list[str] | None, by: str) -> None:
    tables, pits, known = set(table or ()), set(pit or ()), floor_config(config).pits
    _check_places("table", tables, [one for names in known.values() for one in names])
    _check_places("pit", pits, known)
    _change(config, by, lambda accounts, who: accounts.set_places(name, tables, pits, who))


def password(config: Path, *, name: str, by: str, stdin: bool) -> None:
    _prove(config, name, "password", by, stdin=stdin)


def pin(config: Path, *, name: str, by: str, stdin: bool) -> None:
    _prove(config, name, "pin", by, stdin=stdin)


def badge(config: Path, *, name: str, by: str, stdin: bool) -> None:
    _prove(config, name, "badge", by, stdin=stdin)


def lock(config: Path, name: str, by: str) -> None:
    _change(config, by, lambda accounts, who: accounts.lock(name, who))


def unlock(config: Path, name: str, by: str) -> None:
    _change(config, by, lambda accounts, who: accounts.unlock(name, who))


def remove(config: Path, name: str, by: str) -> None:
    _change(config, by, lambda accounts, who: accounts.remove(name, who))


def _check_places(what: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raises typer.Exit for a place that is not in the configuration."""
    for one in given:
        if one not in known:
            raise usage(f"--{what} {one!r}: not in the section pits; allowed: {', '.join(known) or 'none'}")


def _marks(account: Account) -> Iterator[str]:
    """What a list says of an account beside its name and role."""
    marks = {"locked": account.locked, "sealed": account.sealed, "of the floor": account.floor}
    yield from (mark for mark, holds in marks.items() if holds)
    yield from (f"table {table}" for table in account.tables)
    yield from (f"pit {pit}" for pit in account.pits)


def _change(config: Path, by: str, change: Callable[[Accounts, str], None]) -> None:
    with _accounts(config) as accounts:
        change(accounts, person_or_login(by))


@contextmanager
def _accounts(config: Path) -> Iterator[Accounts]:
    with opened_accounts(config) as store:
        yield Accounts(store)


@contextmanager
def opened_accounts(config: Path) -> Iterator[AccessStore]:
    """The file of accounts of the table or the floor with this configuration. Raises typer.Exit after
    printing an error if it cannot be used or a change is refused."""
    try:
        store = AccessStore(Path(access_section(config).path))
    except AccessError as error:
        raise failed(str(error)) from None
    try:
        yield store
    except AccessError as error:
        raise failed(str(error)) from None
    finally:
        store.close()


def _prove(config: Path, name: str, kind: SecretKind, by: str, *, stdin: bool) -> None:
    _change(
        config, by, lambda accounts, who: accounts.set_secret(name, kind, _secret(kind, stdin=stdin), who)
    )


def _secret(kind: SecretKind, *, stdin: bool) -> str:
    what = SECRET_WORDS[kind]
    if stdin or not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    given = getpass.getpass(f"{what}: ")
    if kind != "badge" and getpass.getpass("the same once more: ") != given:
        raise AccessError(f"{what}: not the same twice; nothing is changed")
    return given


def person_or_login(name: str) -> str:
    """The name of the person who runs the command, by default the login name. Raises typer.Exit if it
    contains characters that are not allowed."""
    if why := character_fault(name):
        raise usage(f"--by: not allowed: {why}; allowed: text that can be seen")
    return name or _login()


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "a person without a login name"
