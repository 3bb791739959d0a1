"""The command `tableside device list`, which shows the ports of the computer and the devices of a table.

The state of the devices comes from the daemon if it answers; otherwise only the configuration and the ports
are shown. The output fits 80 columns.
"""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.arguments import AsJson


def devices(
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="The table's configuration.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the ports of this machine and the devices of a table: who they are, how they are, what to do.

    The command opens no port. It asks the running table through its page; if no
    page answers, it shows what configuration and ports say. Without a
    configuration, it shows the ports.

    Example: tableside device list --config table.toml
    """
    from controller.commands.handlers.devices import handle

    handle(config, as_json)
