"""The two cookies of a session: the token, which scripts cannot read, and the CSRF token, which they send
back as a header."""

from starlette.requests import Request
from starlette.responses import Response

SESSION = "tableside_session"
CSRF = "tableside_csrf"
HEADER = "x-csrf-token"


def set_cookies(response: Response, token: str, csrf: str, *, tls: bool) -> None:
    """Set both cookies. The browser deletes them when it closes. `tls`: they are sent over TLS only."""
    response.set_cookie(SESSION, token, httponly=True, samesite="strict", secure=tls, path="/")
    response.set_cookie(CSRF, csrf, samesite="strict", secure=tls, path="/")


def delete_cookies(response: Response, *, tls: bool) -> None:
    """Make the browser delete both cookies."""
    response.delete_cookie(SESSION, httponly=True, samesite="strict", secure=tls, path="/")
    response.delete_cookie(CSRF, samesite="strict", secure=tls, path="/")


def session_token(request: Request) -> str:
    """The token of the session; empty without one."""
    return request.cookies.get(SESSION, "")


def client_address(request: Request) -> str:
    """The client's IP address; empty if it is unknown."""
    return request.client.host if request.client else ""
