"""The command `tableside kiosk`."""

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from controller.certificate.own import known
from controller.config import Config, ConfigError, read
from controller.config_file import ConfigFile
from controller.endings import failed, usage
from controller.help_panels import TABLE
from controller.kiosk.browser import BROWSER, command_line
from controller.kiosk.page import address, wait
from controller.kiosk.policy import lay

PLACE = "RUNTIME_DIRECTORY"
"""Where systemd says what a service may write into that is gone with it."""

Browser = Annotated[str, typer.Option(metavar="PROGRAM", help="Another browser than Debian's Chromium.")]
Print = Annotated[bool, typer.Option("--print", help="Only print what would be started.")]


def register(app: typer.Typer) -> None:
    """Adds the command to `app`."""
    app.command("kiosk", rich_help_panel=TABLE)(kiosk_command)


def kiosk_command(config: ConfigFile, browser: Browser = BROWSER, only_print: Print = False) -> None:
    """Show the dealer's console on this machine's screen, and nothing else.

    It waits for the table's page, then becomes the browser. The service
    tableside-kiosk does this under a compositor of its own.

    Example: tableside kiosk --config /etc/tableside/table.toml --print
    """
    try:
        table = read(config)
    except ConfigError as error:
        raise usage(*error.faults) from None
    certificate = Path(table.web.certificate) if table.web.tls else None
    page, place = address(table.web), _place()
    words = command_line(page, place / "profile", _trusted(table), browser)
    if only_print:
        typer.echo(shlex.join(words))
        return
    try:
        if PLACE in os.environ:
            lay(page, place)
        wait(page, certificate)
        os.execvp(browser, words)
    except OSError as error:
        raise failed(f"{browser} cannot be started: {error.strerror}") from None


def _place() -> Path:
    """The first of the service's folders; the others are in it."""
    return Path(os.environ.get(PLACE, os.curdir).split(":")[0]).resolve()


def _trusted(table: Config) -> str:
    """The hash of the pages' public key; empty without TLS."""
    path = Path(table.web.certificate)
    try:
        return known(path).spki if table.web.tls else ""
    except (OSError, ValueError) as error:
        raise failed(f"certificate {path} cannot be read: {error}; tableside certificate --make") from None
