"""The two cookies of a session: one that scripts never see, one that they send back as a header."""

from starlette.requests import Request
from starlette.responses import Response

SESSION, CSRF = "tableside_session", "tableside_csrf"
HEADER = "x-csrf-token"


def set_cookies(response: Response, token: str, csrf: str, *, tls: bool) -> None:
    """They end with the browser, or when the session does."""
    response.set_cookie(SESSION, token, httponly=True, samesite="strict", secure=tls, path="/")
    response.set_cookie(CSRF, csrf, samesite="strict", secure=tls, path="/")


def delete_cookies(response: Response, *, tls: bool) -> None:
    """The browser forgets them."""
    response.delete_cookie(SESSION, httponly=True, samesite="strict", secure=tls, path="/")
    response.delete_cookie(CSRF, samesite="strict", secure=tls, path="/")


def session_token(request: Request) -> str:
    """That of the session; empty: there is none."""
    return request.cookies.get(SESSION, "")


def client_address(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else ""
