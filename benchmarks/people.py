"""Accounts and cookies of the people who open pages while they are timed."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection

from controller.access.people import Role
from controller.demo.staff import Member, staff
from controller.demo.table import DemoTable

CREW: Mapping[str, Role] = {"Dee": "dealer", "Sue": "supervisor"}


def cookies(stage: DemoTable) -> tuple[str, str]:
    """Creates accounts for a dealer and a supervisor, signs both in, and returns their cookies."""
    dealer, supervisor = (_sign_in(stage, member) for member in staff(stage.folder / "access.db", CREW))
    return dealer, supervisor


def _sign_in(stage: DemoTable, member: Member) -> str:
    credentials = {"kind": member.proof, "name": member.name, "secret": member.secret}
    connection = HTTPConnection("127.0.0.1", stage.web_port, timeout=10)
    try:
        connection.request(
            "POST", "/api/v1/session", json.dumps(credentials), {"Content-Type": "application/json"}
        )
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        set_cookies = answer.headers.get_all("Set-Cookie") or []
    finally:
        connection.close()
    return "; ".join(cookie.partition(";")[0] for cookie in set_cookies)
