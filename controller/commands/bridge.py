"""The command `tableside table bridge`, and `tableside table bridge secret`."""

import os
from pathlib import Path
from typing import Annotated

import typer

from controller.commands.config_file import TABLE, default_config
from controller.commands.exit_codes import failed, usage

bridge = typer.Typer(invoke_without_command=True)


@bridge.callback()
def bridge_command(
    context: typer.Context,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="The table's configuration.")
    ] = None,
) -> None:
    """Send events of the table to other systems, over MQTT and as webhooks.

    The daemon, `tableside table run`, plays the table and does not need this
    command. Events of a round in play stay at the table until it has ended.
    Logs go to standard error, one JSON object a line.

    Example: tableside table bridge --config table.toml
    """
    if context.invoked_subcommand is None:
        from controller.bridge.service import serve

        raise typer.Exit(serve(config or default_config(TABLE)))


@bridge.command("secret")
def secret_command(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file for it, as bridge.webhooks names it.")
    ],
) -> None:
    """Make the secret with which a webhook is signed, and print it for the receiver.

    The file must not exist yet. Only its owner may read it.

    Example: tableside table bridge secret keys/rating.secret
    """
    from controller.bridge.webhook import new_secret

    secret = new_secret()
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as written:
            written.write(f"{secret}\n")
    except FileExistsError:
        raise usage(
            f"{file} exists already; allowed: a file that does not, because the receiver knows the old one"
        ) from None
    except OSError as error:
        raise failed(f"{file} cannot be written: {error.strerror}") from None
    typer.echo(secret)
