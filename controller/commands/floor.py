"""The commands `tableside floor ...`."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.arguments import AsJson, OtherPerson, Who, Why
from controller.commands.config_file import FloorFile

Request = Annotated[
    str, typer.Argument(metavar="REQUEST", help="The request of the table: a JSON object, or its file.")
]
TableName = Annotated[str, typer.Argument(metavar="TABLE", help="The name of the table at the floor.")]
OnlyFiles = Annotated[bool, typer.Option("--files", help="Make only the keys and files, and ask no server.")]
EpochName = Annotated[
    str, typer.Option("--epoch", metavar="EPOCH", help="Which journal of the table, if it had several.")
]


ReplacedLevel = Annotated[
    str, typer.Option("--replace-log", metavar="LEVEL", help="Begin the log of this level anew.")
]
ExportFile = Annotated[
    Path | None, typer.Option("--export", metavar="FILE", help="A new file for the log that is replaced.")
]


def prepare(
    config: FloorFile,
    as_json: AsJson = False,
    files: OnlyFiles = False,
    replace_log: ReplacedLevel = "",
    export: ExportFile = None,
) -> None:
    """Make the floor's key, the keys and files of the servers, and the streams.

    What is there already is compared and kept. Before any server runs, make
    the files of the servers with --files: copy them, start the servers, and
    run this command without it. With --replace-log and --export, the command
    only exports the log of a linked progressive and begins it anew.

    Example: tableside floor prepare --config floor.toml
    """
    from controller.commands.handlers import floor as handlers

    handlers.prepare(config, as_json=as_json, files=files, replace_log=replace_log, export=export)


def run(config: FloorFile) -> None:
    """Store what the tables send, until SIGTERM.

    Logs go to standard error, one JSON object a line; each "incident" names
    the table, the row and what to do.

    Example: tableside floor run --config floor.toml
    """
    from controller.floor.service.service import serve

    raise typer.Exit(serve(config))


def admit(config: FloorFile, request: Request, who: Who, second: OtherPerson, why: Why) -> None:
    """Let the floor store a table's journal. Two supervisors type their passwords.

    Example: tableside floor admit bj-1.json --config floor.toml --who "Ann Lee" --second "Bo Berg" --why new
    """
    from controller.commands.handlers import floor as handlers

    handlers.admit(config, request=request, who=who, second=second, why=why)


def remove(
    config: FloorFile, table: TableName, who: Who, second: OtherPerson, why: Why, epoch: EpochName = ""
) -> None:
    """Let the floor store no more of a table's journal; what is stored stays.

    Example: tableside floor remove bj-1 --config floor.toml --who "Ann Lee" --second "Bo Berg" --why sold
    """
    from controller.commands.handlers import floor as handlers

    handlers.remove(config, table=table, who=who, second=second, why=why, epoch=epoch)


def revoke(config: FloorFile, table: TableName, who: Who, second: OtherPerson, why: Why) -> None:
    """Let the servers admit a table no more. Two supervisors type their passwords.

    All servers end its connections at once. A server that is away learns it
    from its file accounts.conf, which you copy to all servers after that.
    `tableside floor admit` signs new credentials.

    Example: tableside floor revoke bj-1 --config floor.toml --who "Ann Lee" --second "Bo Berg" --why stolen
    """
    from controller.commands.handlers import floor as handlers

    handlers.revoke(config, table=table, who=who, second=second, why=why)


def accept_gap(
    config: FloorFile, table: TableName, who: Who, second: OtherPerson, why: Why, epoch: EpochName = ""
) -> None:
    """Go on after rows that are lost for good. Two supervisors type their passwords.

    Example: tableside floor accept-gap bj-1 --config floor.toml --who "Ann" --second "Bo" --why "disk lost"
    """
    from controller.commands.handlers import floor as handlers

    handlers.accept_gap(config, table=table, who=who, second=second, why=why, epoch=epoch)


def incidents(config: FloorFile, as_json: AsJson = False) -> None:
    """List what the floor did not store, and what to do. Status 1: there is something.

    Example: tableside floor incidents --config floor.toml
    """
    from controller.commands.handlers import floor as handlers

    handlers.incidents(config, as_json)


def settle(
    config: FloorFile,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The number of the incident.")],
    who: Who,
    second: OtherPerson,
    why: Why,
) -> None:
    """End an incident that two supervisors have looked into.

    Example: tableside floor settle 3 --config floor.toml --who "Ann Lee" --second "Bo Berg" --why "a test"
    """
    from controller.commands.handlers import floor as handlers

    handlers.settle(config, number=number, who=who, second=second, why=why)


def journal(
    config: FloorFile,
    table: TableName,
    path: Annotated[Path, typer.Argument(metavar="JOURNAL", help="The file to write.")],
    epoch: EpochName = "",
) -> None:
    """Write what the floor has of a table's journal as a journal file.

    Rows before a gap that two persons accepted are a file of their own, beside it.

    Example: tableside floor journal bj-1 bj-1.journal --config floor.toml
    """
    from controller.commands.handlers import floor as handlers

    handlers.journal(config, table=table, path=path, epoch=epoch)
