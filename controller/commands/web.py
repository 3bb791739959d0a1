"""The command `tableside table web`."""

import typer

from controller.commands.config_file import ConfigFile


def web_command(config: ConfigFile) -> None:
    """Serve the pages, the API and the metrics of one table.

    The daemon, `tableside table run`, plays the table and does not need this
    command. While the daemon does not run, the pages say so. Logs go to
    standard error, one JSON object a line; the line "page" has the address.

    Example: tableside table web --config table.toml
    """
    from controller.monitor.service import serve

    raise typer.Exit(serve(config))
