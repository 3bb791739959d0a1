"""The two cookies of a session: the token, which scripts cannot read, and the CSRF token, which they send
back as a header.

With TLS their names begin with HOST_PREFIX. A browser accepts such a cookie only from the server itself and
only over TLS (RFC 6265bis, section 4.1.3.2), so no other server of the domain and nobody on the network can
sign a browser in as somebody else.
"""

from ipaddress import ip_address

from starlette.requests import Request
from starlette.responses import Response

from controller.monitor.server.admission import OWN_PARTIES
from controller.monitor.server.connection import party_of_request

LANGUAGE = "own_language"
"""The cookie with the code of the language that the person who is signed in chose."""
SESSION = "tableside_session"
CSRF = "tableside_csrf"
HOST_PREFIX = "__Host-"
HEADER = "x-csrf-token"


def cookie_name(name: str, *, tls: bool) -> str:
    """The name under which a browser keeps the cookie SESSION or CSRF."""
    return f"{HOST_PREFIX}{name}" if tls else name


def set_cookies(response: Response, token: str, csrf: str, *, tls: bool) -> None:
    """Set both cookies. The browser deletes them when it closes. `tls`: they are sent over TLS only."""
    session_name, csrf_name = cookie_name(SESSION, tls=tls), cookie_name(CSRF, tls=tls)
    response.set_cookie(session_name, token, httponly=True, samesite="strict", secure=tls, path="/")
    response.set_cookie(csrf_name, csrf, samesite="strict", secure=tls, path="/")


def delete_cookies(response: Response, *, tls: bool) -> None:
    """Make the browser delete both cookies, and that of the person's language."""
    session_name, csrf_name = cookie_name(SESSION, tls=tls), cookie_name(CSRF, tls=tls)
    response.delete_cookie(session_name, httponly=True, samesite="strict", secure=tls, path="/")
    response.delete_cookie(csrf_name, samesite="strict", secure=tls, path="/")
    set_language(response, "", tls=tls)


def set_language(response: Response, code: str, *, tls: bool) -> None:
    """From now on the browser asks for pages in the language of the person who is signed in; with an empty
    code in its own."""
    if code:
        response.set_cookie(LANGUAGE, code, httponly=True, samesite="lax", secure=tls, path="/")
    else:
        response.delete_cookie(LANGUAGE, httponly=True, samesite="lax", secure=tls, path="/")


def session_token(request: Request) -> str:
    """The token of the session; empty without one."""
    return request.cookies.get(cookie_name(SESSION, tls=request.url.scheme == "https"), "")


def client_address(request: Request) -> str:
    """The client's IP address; empty if it is unknown."""
    return request.client.host if request.client else ""


def is_local(request: Request) -> bool:
    """Whether the request comes from this computer, as from the table's own screen: from loopback, or
    from the address at which the pages are served."""
    if party_of_request(request) in OWN_PARTIES:
        return True
    try:
        return ip_address(client_address(request)).is_loopback
    except ValueError:
        return False
