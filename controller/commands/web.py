"""The command `tableside web`."""

import typer

from controller.commands.arguments import ConfigFile


def web_command(config: ConfigFile) -> None:
    """Serve the pages, the API and the metrics of one table.

    The table itself is run by `tableside run`, which works without this
    command. While it does not run, the pages say so. Logs go to standard
    error, one JSON object a line; the line "page" names the address.

    Example: tableside web --config table.toml
    """
    from controller.monitor.service import serve

    raise typer.Exit(serve(config))
