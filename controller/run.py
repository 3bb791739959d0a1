"""The command `tableside run`."""

import typer

from controller.config_file import ConfigFile
from controller.help_panels import TABLE


def register(app: typer.Typer) -> None:
    """Adds the command to `app`."""
    app.command("run", rich_help_panel=TABLE)(run_command)


def run_command(config: ConfigFile) -> None:
    """Run one table until SIGTERM or Ctrl-C.

    Logs go to standard error, one JSON object a line; the line "page" names
    the address of the page.

    Example: tableside run --config table.toml
    """
    from controller.play import play

    raise typer.Exit(play(config))
