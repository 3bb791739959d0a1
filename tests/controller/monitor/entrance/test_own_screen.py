"""Which requests come from the table's own screen, where dealers sign in."""

import pytest
from starlette.requests import Request

from controller.monitor.sign_in.cookies import is_local


@pytest.mark.parametrize(
    ("client", "server", "local"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("::1", "::1", True),
        ("127.0.0.9", "127.0.0.1", True),
        ("10.7.0.12", "10.7.0.12", True),
        ("2001:db8::7", "2001:db8::7", True),
        ("10.7.0.13", "10.7.0.12", False),
        ("2001:db8::8", "2001:db8::7", False),
        ("", "10.7.0.12", False),
    ],
)
def test_a_screen_that_opens_the_pages_at_their_own_address_is_the_tables(
    client: str, server: str, local: bool
) -> None:
    scope = {"type": "http", "headers": [], "server": (server, 8080), "client": (client, 50_000)}
    assert is_local(Request(scope)) is local
