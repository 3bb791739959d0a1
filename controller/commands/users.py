"""The commands `tableside people ...`. They prompt for secrets or read them from standard input, because
other users of the computer could see arguments."""

import getpass
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from controller.access.accounts import Account, Accounts, check_sealed
from controller.access.errors import AccessError
from controller.access.people import ROLES, SECRET_WORDS, Role, SecretKind, secret_kind
from controller.access.store import AccessStore
from controller.commands.arguments import AsJson, access_section, floor_config, print_json
from controller.commands.config_file import FloorFile, TableOrFloorFile
from controller.commands.exit_codes import failed, usage
from controller.text.characters import character_fault

Name = Annotated[str, typer.Argument(metavar="NAME", help="The person's name.")]
RoleName = Annotated[
    Role, typer.Option("--role", metavar="ROLE", help=f"{', '.join(ROLES[:-1])} or {ROLES[-1]}.")
]
By = Annotated[str, typer.Option(help="Who changes it, for the journal. Default: the name of this login.")]
Tables = Annotated[
    list[str] | None, typer.Option("--table", metavar="TABLE", help="A table; may be given several times.")
]
Pits = Annotated[
    list[str] | None, typer.Option("--pit", metavar="PIT", help="All tables of a pit; several times, too.")
]
Sealed = Annotated[bool, typer.Option("--sealed", help="The house's account for a table without a floor.")]
Stdin = Annotated[bool, typer.Option("--stdin", help="Read the secret from standard input, one line.")]


def add(
    config: TableOrFloorFile,
    name: Name,
    role: RoleName,
    by: By = "",
    stdin: Stdin = False,
    sealed: Sealed = False,
) -> None:
    """Make an account: a dealer's with a PIN, others' with a password.

    A table of a floor needs one sealed account, for the time when the floor
    is away. Its use is an alert.

    Example: tableside people add "Ann Lee" --role supervisor --config table.toml
    """
    with _accounts(config) as accounts:
        accounts.new_name(name, role)
        if sealed:
            check_sealed(name, role)
        secret = _secret(secret_kind(role), stdin=stdin)
        account = accounts.add(name, role, person_or_login(by), secret)
        if sealed:
            accounts.seal(account.name, person_or_login(by))
    typer.echo(f"{account.name} may sign in as {account.role}")


def list_users(config: TableOrFloorFile, as_json: AsJson = False) -> None:
    """Show all accounts, without their secrets.

    Example: tableside people list --config table.toml
    """
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


def role(config: TableOrFloorFile, name: Name, role: RoleName, by: By = "") -> None:
    """Give somebody another role; password, PIN and badge must be set anew.

    Example: tableside people role "Ann Lee" --role auditor --config table.toml
    """
    _change(config, by, lambda accounts, who: accounts.set_role(name, role, who))


def places(config: FloorFile, name: Name, table: Tables = None, pit: Pits = None, by: By = "") -> None:
    """At a floor: set the tables and pits where a person may work and sign in.

    Without --table and --pit, the person can sign in at no table.

    Example: tableside people places "Dee Ray" --pit main --table bj-9 --config floor.toml
    """
    tables, pits, known = set(table or ()), set(pit or ()), floor_config(config).pits
    _check_places("table", tables, [one for names in known.values() for one in names])
    _check_places("pit", pits, known)
    _change(config, by, lambda accounts, who: accounts.set_places(name, tables, pits, who))


def password(config: TableOrFloorFile, name: Name, by: By = "", stdin: Stdin = False) -> None:
    """Set a password: 12 characters or more.

    Example: tableside people password "Ann Lee" --config table.toml
    """
    _prove(config, name, "password", by, stdin=stdin)


def pin(config: TableOrFloorFile, name: Name, by: By = "", stdin: Stdin = False) -> None:
    """Set a dealer's PIN: 4 to 8 digits.

    Example: tableside people pin "Dee Ray" --config table.toml
    """
    _prove(config, name, "pin", by, stdin=stdin)


def badge(config: TableOrFloorFile, name: Name, by: By = "", stdin: Stdin = False) -> None:
    """Give a dealer a badge: hold it to the reader when asked.

    Example: tableside people badge "Dee Ray" --config table.toml
    """
    _prove(config, name, "badge", by, stdin=stdin)


def lock(config: TableOrFloorFile, name: Name, by: By = "") -> None:
    """Sign a person out, and refuse them until they are unlocked.

    Example: tableside people lock "Dee Ray" --config table.toml
    """
    _change(config, by, lambda accounts, who: accounts.lock(name, who))


def unlock(config: TableOrFloorFile, name: Name, by: By = "") -> None:
    """Let somebody in again, also after too many wrong PINs.

    Example: tableside people unlock "Dee Ray" --config table.toml
    """
    _change(config, by, lambda accounts, who: accounts.unlock(name, who))


def remove(config: TableOrFloorFile, name: Name, by: By = "") -> None:
    """Delete an account; what the person did stays in the journal.

    Example: tableside people remove "Dee Ray" --config table.toml
    """
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
        return "somebody without a login name"
