"""The command `tableside kiosk`.

How the browser of a kiosk is started: one page, nothing kept, nothing asked, no way out.

What the browser of a kiosk may do, in the words of Chromium's policies: show the table's pages.

The console's page as the machine that serves it finds it, and whether it is there.
"""

import json
import os
import shlex
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address
from pathlib import Path
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Annotated
from urllib.parse import urlsplit

import typer

from controller.access.certificate import read_certificate
from controller.commands.arguments import ConfigFile, read_config
from controller.commands.exit_codes import failed
from controller.config import Config, WebSection

BROWSER = "chromium"
FEATURES_OFF = (
    "Translate",
    "TouchpadOverscrollHistoryNavigation",
    "OverscrollHistoryNavigation",
    "MediaRouter",
    "OptimizationHints",
    "AutofillServerCommunication",
)
FLAGS = (
    "--kiosk",
    "--ozone-platform=wayland",
    "--incognito",
    "--no-first-run",
    "--no-default-browser-check",
    "--noerrdialogs",
    "--disable-session-crashed-bubble",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-breakpad",
    "--disable-pinch",
    "--overscroll-history-navigation=0",
    "--password-store=basic",
    "--check-for-update-interval=31536000",
    f"--disable-features={','.join(FEATURES_OFF)}",
)


def command_line(page: str, profile: Path, spki: str, browser: str = BROWSER) -> tuple[str, ...]:
    """The words that start it on `page`. `spki`: the hash of the one public key that is trusted without any
    authority; empty: none."""
    trusted = (f"--ignore-certificate-errors-spki-list={spki}",) if spki else ()
    return (browser, *FLAGS, f"--user-data-dir={profile}", *trusted, page)


FOLDER = "policies"
FILE = "tableside.json"
"""Below the service's own folder; its unit lays it where Debian's Chromium looks."""
NEVER = 2
ALL = 3
"""Chromium's numbers: no developer tools; every download is refused."""


def policy(page: str) -> Mapping[str, object]:
    """For the URL of the page that is shown: whoever has a keyboard comes to no other site, no file and no
    page of the browser's own."""
    parts = urlsplit(page)
    return {
        "URLBlocklist": ["*", "chrome://*"],
        "URLAllowlist": [f"{parts.scheme}://{parts.netloc}"],
        "DeveloperToolsAvailability": NEVER,
        "DownloadRestrictions": ALL,
        "AllowFileSelectionDialogs": False,
        "PrintingEnabled": False,
        "PasswordManagerEnabled": False,
        "AutofillAddressEnabled": False,
        "AutofillCreditCardEnabled": False,
        "TranslateEnabled": False,
    }


def write_policy(page: str, service_folder: Path) -> None:
    """Writes it below the service's folder; raises OSError."""
    folder = service_folder / FOLDER
    folder.mkdir(exist_ok=True)
    (folder / FILE).write_text(json.dumps(policy(page)), "utf-8")


CONSOLE = "/console"
ANSWER = 2.0
"""Seconds that a page has to answer."""
PAUSE = 0.5
"""Seconds between two questions."""


def console_url(web: WebSection) -> str:
    """The console's URL. Where pages are served on all addresses, the machine's own."""
    host = _reachable_host(web.host)
    return f"{'https' if web.tls else 'http'}://{f'[{host}]' if ':' in host else host}:{web.port}{CONSOLE}"


def wait_for_page(url: str, certificate: Path | None, pause: Callable[[float], None] = time.sleep) -> None:
    """Returns when the page answers, whatever it says: a halted table has something to say, too.

    `certificate`: the only one that is trusted, for pages with TLS. Raises OSError when it cannot be read.
    """
    trust = None
    if certificate:
        trust = SSLContext(PROTOCOL_TLS_CLIENT)
        trust.load_verify_locations(certificate)
    while not is_up(url, trust):
        pause(PAUSE)


def is_up(url: str, trust: SSLContext | None) -> bool:
    """Whether the page is there now."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or 0
    connection = (
        HTTPSConnection(host, port, timeout=ANSWER, context=trust)
        if trust
        else HTTPConnection(host, port, timeout=ANSWER)
    )
    with closing(connection), suppress(OSError, HTTPException):
        connection.request("GET", parts.path)
        connection.getresponse().read(1)
        return True
    return False


def _reachable_host(host: str) -> str:
    try:
        at = ip_address(host)
    except ValueError:
        return host
    return ("::1" if at.version == 6 else "127.0.0.1") if at.is_unspecified else host


RUNTIME_FOLDER = "RUNTIME_DIRECTORY"
"""Where systemd says what a service may write into that is gone with it."""

Browser = Annotated[str, typer.Option(metavar="PROGRAM", help="Another browser than Debian's Chromium.")]
Print = Annotated[bool, typer.Option("--print", help="Only print what would be started.")]


def kiosk_command(config: ConfigFile, browser: Browser = BROWSER, only_print: Print = False) -> None:
    """Show the dealer's console on this machine's screen, and nothing else.

    It waits for the table's page, then becomes the browser. The service
    tableside-kiosk does this under a compositor of its own.

    Example: tableside kiosk --config /etc/tableside/table.toml --print
    """
    table = read_config(config)
    certificate = Path(table.web.certificate) if table.web.tls else None
    page, folder = console_url(table.web), _runtime_folder()
    arguments = command_line(page, folder / "profile", _trusted(table), browser)
    if only_print:
        typer.echo(shlex.join(arguments))
        return
    try:
        if RUNTIME_FOLDER in os.environ:
            write_policy(page, folder)
        wait_for_page(page, certificate)
        os.execvp(browser, arguments)
    except OSError as error:
        raise failed(f"{browser} cannot be started: {error.strerror}") from None


def _runtime_folder() -> Path:
    """The first of the service's folders; the others are in it."""
    return Path(os.environ.get(RUNTIME_FOLDER, os.curdir).split(":")[0]).resolve()


def _trusted(table: Config) -> str:
    """The hash of the pages' public key; empty without TLS."""
    path = Path(table.web.certificate)
    try:
        return read_certificate(path).spki if table.web.tls else ""
    except (OSError, ValueError) as error:
        raise failed(f"certificate {path} cannot be read: {error}; tableside certificate --make") from None
