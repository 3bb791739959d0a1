"""The console's page as the machine that serves it finds it, and whether it is there."""

import time
from collections.abc import Callable
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address
from pathlib import Path
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from urllib.parse import urlsplit

from controller.config_web import WebSection

CONSOLE = "/console"
ANSWER = 2.0
"""Seconds that a page has to answer."""
PAUSE = 0.5
"""Seconds between two questions."""


def address(web: WebSection) -> str:
    """The console's URL. Where pages are served on all addresses, the machine's own."""
    host = _own(web.host)
    return f"{'https' if web.tls else 'http'}://{f'[{host}]' if ':' in host else host}:{web.port}{CONSOLE}"


def wait(url: str, certificate: Path | None, pause: Callable[[float], None] = time.sleep) -> None:
    """Returns when the page answers, whatever it says: a halted table has something to say, too.

    `certificate`: the only one that is trusted, for pages with TLS. Raises OSError when it cannot be read.
    """
    trust = None
    if certificate:
        trust = SSLContext(PROTOCOL_TLS_CLIENT)
        trust.load_verify_locations(certificate)
    while not answers(url, trust):
        pause(PAUSE)


def answers(url: str, trust: SSLContext | None) -> bool:
    """Whether the page is there now."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or 0
    there = (
        HTTPSConnection(host, port, timeout=ANSWER, context=trust)
        if trust
        else HTTPConnection(host, port, timeout=ANSWER)
    )
    with closing(there), suppress(OSError, HTTPException):
        there.request("GET", parts.path)
        there.getresponse().read(1)
        return True
    return False


def _own(host: str) -> str:
    try:
        at = ip_address(host)
    except ValueError:
        return host
    return ("::1" if at.version == 6 else "127.0.0.1") if at.is_unspecified else host
