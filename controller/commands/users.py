"""The commands `tableside people ...`. They prompt for secrets or read them from standard input, because
other users of the computer could see arguments."""

from typing import Annotated

import typer

from controller.access.people import ROLES, Role
from controller.commands.arguments import AsJson, By
from controller.commands.config_file import FloorFile, TableOrFloorFile

Name = Annotated[str, typer.Argument(metavar="NAME", help="The person's name.")]
RoleName = Annotated[
    Role, typer.Option("--role", metavar="ROLE", help=f"{', '.join(ROLES[:-1])} or {ROLES[-1]}.")
]
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
    from controller.commands.handlers import users as handlers

    handlers.add(config, name=name, role=role, by=by, stdin=stdin, sealed=sealed)


def list_users(config: TableOrFloorFile, as_json: AsJson = False) -> None:
    """Show all accounts, without their secrets.

    Example: tableside people list --config table.toml
    """
    from controller.commands.handlers import users as handlers

    handlers.list_users(config, as_json)


def role(config: TableOrFloorFile, name: Name, role: RoleName, by: By = "") -> None:
    """Give a person another role; password, PIN and badge must be set anew.

    Example: tableside people role "Ann Lee" --role auditor --config table.toml
    """
    from controller.commands.handlers import users as handlers

    handlers.role(config, name=name, role=role, by=by)


def places(config: FloorFile, name: Name, table: Tables = None, pit: Pits = None, by: By = "") -> None:
    """At a floor: set the tables and pits where a person may work and sign in.

    Without --table and --pit, the person can sign in at no table.

    Example: tableside people places "Dee Ray" --pit main --table bj-9 --config floor.toml
    """
    from controller.commands.handlers import users as handlers

    handlers.places(config, name=name, table=table, pit=pit, by=by)


def password(config: TableOrFloorFile, name: Name, by: By = "", stdin: Stdin = False) -> None:
    """Set a password: 12 characters or more.

    Example: tableside people password "Ann Lee" --config table.toml
    """
    from controller.commands.handlers import users as handlers

    handlers.password(config, name=name, by=by, stdin=stdin)


def pin(config: TableOrFloorFile, name: Name, by: By = "", stdin: Stdin = False) -> None:
    """Set a dealer's PIN: 4 to 8 digits.

    Example: tableside people pin "Dee Ray" --config table.toml
    """
    from controller.commands.handlers import users as handlers

    handlers.pin(config, name=name, by=by, stdin=stdin)


def badge(config: TableOrFloorFile, name: Name, by: By = "", stdin: Stdin = False) -> None:
    """Give a dealer a badge: hold it to the reader when asked.

    Example: tableside people badge "Dee Ray" --config table.toml
    """
    from controller.commands.handlers import users as handlers

    handlers.badge(config, name=name, by=by, stdin=stdin)


def lock(config: TableOrFloorFile, name: Name, by: By = "") -> None:
    """Sign a person out, and refuse them until they are unlocked.

    Example: tableside people lock "Dee Ray" --config table.toml
    """
    from controller.commands.handlers import users as handlers

    handlers.lock(config, name, by)


def unlock(config: TableOrFloorFile, name: Name, by: By = "") -> None:
    """Let a person in again, also after too many wrong PINs.

    Example: tableside people unlock "Dee Ray" --config table.toml
    """
    from controller.commands.handlers import users as handlers

    handlers.unlock(config, name, by)


def remove(config: TableOrFloorFile, name: Name, by: By = "") -> None:
    """Delete an account; what the person did stays in the journal.

    Example: tableside people remove "Dee Ray" --config table.toml
    """
    from controller.commands.handlers import users as handlers

    handlers.remove(config, name, by)
