"""Refuses requests before any route handles them: unknown host names, too many requests, too long bodies."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.access.errors import TooOften
from controller.monitor.server.admission import OWN_PARTIES, party_of
from controller.monitor.server.connection import slot_of
from controller.monitor.server.throttle import LONGEST_WAIT, Rate, Throttle

MOST_BODY = 65_536
"""The longest allowed body, in bytes."""
SIGNED_IN_RATE: Final = Rate(500, 0.01)
"""For signed-in people, and for programs on this computer."""
MONITORING_RATE: Final = Rate(50, 0.1)
"""For programs on this computer that request a path in MONITORING_PATHS."""
UNKNOWN_RATE: Final = Rate(50, 0.25)
"""For all others at one address: enough for a scrape each second and some pages."""
MONITORING_PATHS = frozenset({"/metrics", "/health"})
LOCAL_NAMES = frozenset({"localhost"})


async def _nobody(_request: Request) -> bool:
    """Nobody is signed in."""
    return False


class RequestLimits:
    """ASGI middleware around the whole application. `names`: the server's host names; any IP address is
    allowed too. `steady`: a monotonic clock in seconds; None disables the rate limits. `signed_in`: whether
    a signed-in person sent the request."""

    def __init__(
        self,
        app: ASGIApp,
        names: Collection[str],
        steady: Callable[[], float] | None,
        signed_in: Callable[[Request], Awaitable[bool]] = _nobody,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._app, self._names = app, LOCAL_NAMES | {name.casefold() for name in names}
        self._signed_in, self._sleep = signed_in, sleep
        self._throttles = (
            {rate: Throttle(steady, rate) for rate in (SIGNED_IN_RATE, MONITORING_RATE, UNKNOWN_RATE)}
            if steady
            else {}
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            request = Request(scope)
            refused = next(self._refusals(request), None) or await self._throttled(request)
            if refused:
                await refused(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _refusals(self, request: Request) -> Iterator[Response]:
        """All reasons to refuse the request, as responses; the caller sends the first one."""
        host = _host_name(request.headers.get("host", ""))
        if not (host in self._names or _is_address(host)):
            # protects against DNS rebinding: the name of a foreign page may resolve to this server
            yield _problem(421, f"host {host!r}: not allowed; allowed: {', '.join(sorted(self._names))}")
        length = request.headers.get("content-length", "0")
        if "transfer-encoding" in request.headers or not length.isdecimal():
            yield _problem(411, "the body's length is needed")
        elif int(length) > MOST_BODY:
            yield _problem(413, f"body of {length} bytes: allowed: up to {MOST_BODY}")

    async def _throttled(self, request: Request) -> Response | None:
        """Wait for the request's turn. Returns a refusal if the wait would be too long. The session is
        looked up only if the request would otherwise have to wait."""
        if not self._throttles:
            return None
        party = _party(request)
        wait, error = self._turn(_rate(party, request.url.path), party)
        if wait and await self._signed_in(request):
            wait, error = self._turn(SIGNED_IN_RATE, party)
        await self._sleep(wait)
        return _too_often(error) if error else None

    def _turn(self, rate: Rate, party: str) -> tuple[float, TooOften | None]:
        """The seconds to wait, and the refusal if the wait would be too long."""
        try:
            return self._throttles[rate].wait_for(party), None
        except TooOften as error:
            return LONGEST_WAIT, error


def _party(request: Request) -> str:
    if slot := slot_of(request):
        return slot.party
    client, server = request.client, request.scope.get("server") or ("",)
    return party_of(client.host if client else "", server[0])


def _rate(party: str, path: str) -> Rate:
    if party not in OWN_PARTIES:
        return UNKNOWN_RATE
    return MONITORING_RATE if path in MONITORING_PATHS else SIGNED_IN_RATE


def _too_often(error: TooOften) -> Response:
    headers = {"Retry-After": str(error.seconds), "Connection": "close"}
    return _problem(429, str(error), headers)


def _host_name(header: str) -> str:
    """The host name in a Host header, without the port; empty if the header is invalid."""
    try:
        return urlsplit(f"//{header}").hostname or ""
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
