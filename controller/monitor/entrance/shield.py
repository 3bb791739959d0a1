"""What is turned away before anybody looks at it: other names than ours, floods, and bodies without end."""

from collections.abc import Collection, Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.access.errors import TooOften
from controller.access.lockout import Bucket
from controller.monitor.entrance.cookies import address

MOST_BODY = 65_536
"""Bytes that a word to the table may have."""
BURST, REFILL = 500, 0.01
"""Requests at once from one address, and the seconds until it has one more. A cookie counts nothing: anybody
can make up another one each time."""
UNCOUNTED = ("/static/", "/metrics", "/health")
NAMES = frozenset({"localhost"})


class Shield:
    """In front of everything. `names`: what this server is called besides any address; `bucket` None: nobody
    is made to wait."""

    def __init__(self, app: ASGIApp, names: Collection[str], bucket: Bucket | None) -> None:
        self._app, self._names, self._bucket = app, NAMES | {name.casefold() for name in names}, bucket

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request (ASGI)."""
        refused = next(self._refusals(Request(scope)), None) if scope["type"] == "http" else None
        await (refused or self._app)(scope, receive, send)

    def _refusals(self, request: Request) -> Iterator[Response]:
        """The first one counts."""
        host = _host(request.headers.get("host", ""))
        if not (host in self._names or _is_address(host)):
            # a page of somebody else's may have had its name pointed at us
            yield _problem(421, f"host {host!r}: not allowed; allowed: {', '.join(sorted(self._names))}")
        length = request.headers.get("content-length", "0")
        if "transfer-encoding" in request.headers or not length.isdecimal():
            yield _problem(411, "the body's length is needed")
        elif int(length) > MOST_BODY:
            yield _problem(413, f"body of {length} bytes: allowed: up to {MOST_BODY}")
        yield from self._waits(request)

    def _waits(self, request: Request) -> Iterator[Response]:
        if self._bucket is None or request.url.path.startswith(UNCOUNTED):
            return
        try:
            self._bucket.take(address(request))
        except TooOften as error:
            yield _problem(429, str(error), {"Retry-After": str(error.seconds)})


def _host(told: str) -> str:
    """Without its port; empty for what is none."""
    try:
        return urlsplit(f"//{told}").hostname or ""
    except ValueError:
        return ""


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _problem(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"detail": detail}, status, headers)
