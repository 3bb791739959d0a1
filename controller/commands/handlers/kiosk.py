"""What `tableside table kiosk` does: the browser's command line, its policy, and the wait for the table's
page.

The browser shows one page. It stores nothing, asks nothing, and offers no way to other pages.
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
from ssl import CERT_NONE, PROTOCOL_TLS_CLIENT, SSLContext, SSLSocket
from urllib.parse import urlsplit

import typer
from cryptography.x509 import load_der_x509_certificate

from controller.access.certificate import certificate_info, read_certificate
from controller.commands.configurations import read_config
from controller.commands.exit_codes import failed
from controller.commands.kiosk import BROWSER
from controller.config import Config, WebSection
from controller.config.web import KIOSK_HOST

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
    "--ozone-platform=x11",  # on Wayland no touch arrives: cage 0.1.4 of Debian 12 never sends wl_touch.frame
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
    """The command that starts the browser on `page`. `spki` is the hash of the only public key that is
    trusted without a certificate authority; empty if there is none."""
    trusted = (f"--ignore-certificate-errors-spki-list={spki}",) if spki else ()
    return (browser, *FLAGS, f"--user-data-dir={profile}", *trusted, page)


FOLDER = "policies"
FILE = "tableside.json"
"""The policy's folder in the service's runtime folder, and its file. The systemd unit makes the folder
available where Debian's Chromium looks for policies."""
NEVER = 2
ALL = 3
"""Values of Chromium's policies: developer tools are never available; all downloads are blocked."""


def policy(page: str) -> Mapping[str, object]:
    """Chromium's policies for the URL of the shown page. They block all other sites, files, and the browser's
    own pages, in case a person connects a keyboard."""
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
    """Write the policy below the service's folder. Raises OSError if it cannot be written."""
    folder = service_folder / FOLDER
    folder.mkdir(exist_ok=True)
    (folder / FILE).write_text(json.dumps(policy(page)), "utf-8")


CONSOLE = "/console"
ANSWER = 2.0
"""Seconds to wait for a page's answer."""
PAUSE = 0.5
"""Seconds between two requests."""


def console_url(web: WebSection) -> str:
    """The URL of the console's page: at the port of the kiosk if it has its own, else at the port of the
    pages, with the loopback address if they are served on all addresses."""
    host, port = (KIOSK_HOST, web.kiosk_port) if web.kiosk_port else (_reachable_host(web.host), web.port)
    return f"{'https' if web.tls else 'http'}://{f'[{host}]' if ':' in host else host}:{port}{CONSOLE}"


def wait_for_page(url: str, spki: str, pause: Callable[[float], None] = time.sleep) -> None:
    """Return when the page answers with any status, because the page of a halted table must be shown, too.
    `spki`: as for `command_line`. The wait trusts what the browser trusts: the key, whatever name and end its
    certificate has."""
    while not is_up(url, spki):
        pause(PAUSE)


def is_up(url: str, spki: str) -> bool:
    """Whether the page answers now, with TLS under the key whose hash is `spki`."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or 0
    connection = (
        HTTPSConnection(host, port, timeout=ANSWER, context=_any_certificate())
        if spki
        else HTTPConnection(host, port, timeout=ANSWER)
    )
    with closing(connection), suppress(OSError, HTTPException):
        connection.connect()
        if spki != _served_spki(connection):
            return False
        connection.request("GET", parts.path)
        connection.getresponse().read(1)
        return True
    return False


def _any_certificate() -> SSLContext:
    trust = SSLContext(PROTOCOL_TLS_CLIENT)
    trust.check_hostname, trust.verify_mode = False, CERT_NONE
    return trust


def _served_spki(connection: HTTPConnection) -> str:
    """The hash of the server's public key; empty without TLS."""
    if not isinstance(connection.sock, SSLSocket):
        return ""
    return certificate_info(load_der_x509_certificate(connection.sock.getpeercert(True) or b"")).spki


def _reachable_host(host: str) -> str:
    try:
        at = ip_address(host)
    except ValueError:
        return host
    return ("::1" if at.version == 6 else "127.0.0.1") if at.is_unspecified else host


RUNTIME_FOLDER = "RUNTIME_DIRECTORY"
"""The environment variable with the service's runtime folders. Systemd deletes them when the service ends."""


def handle(config: Path, browser: str, only_print: bool) -> None:
    table = read_config(config)
    page, spki, folder = console_url(table.web), _trusted(table), _runtime_folder()
    arguments = command_line(page, folder / "profile", spki, browser)
    if only_print:
        typer.echo(shlex.join(arguments))
        return
    try:
        if RUNTIME_FOLDER in os.environ:
            write_policy(page, folder)
        wait_for_page(page, spki)
        os.execvp(browser, arguments)
    except OSError as error:
        raise failed(f"{browser} cannot be started: {error.strerror}") from None


def _runtime_folder() -> Path:
    """The first of the service's runtime folders, which contains the others."""
    return Path(os.environ.get(RUNTIME_FOLDER, os.curdir).split(":")[0]).resolve()


def _trusted(table: Config) -> str:
    """The hash of the pages' public key; empty without TLS."""
    path = Path(table.web.certificate)
    try:
        return read_certificate(path).spki if table.web.tls else ""
    except (OSError, ValueError) as error:
        todo = "tableside table certificate --make"
        raise failed(f"certificate {path} cannot be read: {error}; {todo}") from None
