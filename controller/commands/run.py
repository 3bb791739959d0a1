"""The command `tableside run`."""

import typer

from controller.commands.arguments import ConfigFile


def run_command(config: ConfigFile) -> None:
    """Run one table until SIGTERM or Ctrl-C.

    Logs go to standard error, one JSON object a line; the line "page" names
    the address of the page.

    Example: tableside run --config table.toml
    """
    from controller.daemon.service import play

    raise typer.Exit(play(config))
