"""The command `tableside table kiosk`: the browser's command line, its policy, and the wait for the table's
page.

The browser shows one page. It stores nothing, asks nothing, and offers no way to other pages.
"""

from typing import Annotated

import typer

from controller.commands.config_file import ConfigFile

BROWSER = "chromium"

Browser = Annotated[str, typer.Option(metavar="PROGRAM", help="A browser other than Debian's Chromium.")]
Print = Annotated[bool, typer.Option("--print", help="Only print the command that would start.")]


def kiosk_command(config: ConfigFile, browser: Browser = BROWSER, only_print: Print = False) -> None:
    """Show the dealer's console on this machine's screen, and nothing else.

    It waits for the table's page, then becomes the browser. The service
    tableside-kiosk does this under a compositor of its own.

    Example: tableside table kiosk --config /etc/tableside/table.toml --print
    """
    from controller.commands.handlers.kiosk import handle

    handle(config, browser, only_print)
