"""Accounts and cookies of the people who open pages while they are timed."""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit

from controller.access.people import Role
from controller.demo.staff import Member, staff
from controller.demo.table import DemoTable
from tests.system.connection_flood import trusting

CREW: Mapping[str, Role] = {"Dee": "dealer", "Sue": "supervisor"}
PATIENCE = 60.0
"""Seconds for an answer."""


def cookies(stage: DemoTable) -> tuple[str, str]:
    """Creates accounts for a dealer and a supervisor, signs both in, and returns their cookies."""
    dealer, supervisor = (_sign_in(stage, member) for member in staff(stage.folder / "access.db", CREW))
    return dealer, supervisor


@contextmanager
def connection(address: str) -> Iterator[HTTPConnection]:
    """A connection to the pages, with TLS if the address says so."""
    parts = urlsplit(address)
    assert parts.hostname, address
    if parts.scheme == "https":
        made: HTTPConnection = HTTPSConnection(
            parts.hostname, parts.port, timeout=PATIENCE, context=trusting()
        )
    else:
        made = HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
    with closing(made):
        yield made


def _sign_in(stage: DemoTable, member: Member) -> str:
    credentials = {"kind": member.proof, "name": member.name, "secret": member.secret}
    with connection(stage.address) as pages:
        pages.request(
            "POST", "/api/v1/session", json.dumps(credentials), {"Content-Type": "application/json"}
        )
        answer = pages.getresponse()
        assert answer.status == 200, answer.read()
        set_cookies = answer.headers.get_all("Set-Cookie") or []
    return "; ".join(cookie.partition(";")[0] for cookie in set_cookies)
