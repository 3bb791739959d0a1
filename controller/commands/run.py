"""The command `tableside table run`."""

import typer

from controller.commands.config_file import ConfigFile


def run_command(config: ConfigFile) -> None:
    """Run the daemon of one table until SIGTERM or Ctrl-C.

    It plays the table and opens no network socket; `tableside table web` serves
    the pages. Logs go to standard error, one JSON object a line.

    Example: tableside table run --config table.toml
    """
    from controller.daemon.service import play

    raise typer.Exit(play(config))
