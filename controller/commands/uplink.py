"""The command `tableside table uplink`, and `tableside table uplink enroll`."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.config_file import TABLE, ConfigFile, default_config

uplink = typer.Typer(invoke_without_command=True)


@uplink.callback()
def uplink_command(
    context: typer.Context,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="The table's configuration.")
    ] = None,
) -> None:
    """Send the table's journal to the floor of the property.

    The daemon, `tableside table run`, plays the table and does not need this
    command. Rows of a round in play stay at the table until it has ended.
    Logs go to standard error, one JSON object a line.

    Example: tableside table uplink --config table.toml
    """
    if context.invoked_subcommand is None:
        from controller.floor.uplink.service import serve

        raise typer.Exit(serve(config or default_config(TABLE)))


@uplink.command("enroll")
def enroll(config: ConfigFile) -> None:
    """Print the request with which the floor admits this table's journal.

    Two persons at the floor compare it with the table, and admit it. The first
    time, this makes the key with which the uplink signs in, beside the file of
    uplink.credentials.

    Example: tableside table uplink enroll --config table.toml
    """
    from controller.commands.handlers import uplink as handlers

    handlers.enroll(config)


@uplink.command("join")
def join_command(
    signed: Annotated[
        Path, typer.Argument(metavar="FILE", help="What `tableside floor admit` has signed for this table.")
    ],
    config: ConfigFile,
) -> None:
    """Make the credentials of the uplink from what the floor has signed.

    They go to the file of uplink.credentials, with the key that enroll made.
    Restart tableside-uplink after that.

    Example: tableside table uplink join bj-1.jwt --config table.toml
    """
    from controller.commands.handlers import uplink as handlers

    handlers.join_command(signed, config)
