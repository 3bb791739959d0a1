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
from controller.access.lockout import TokenBucket
from controller.monitor.authorization import bearer_token
from controller.monitor.server.admission import MOST_PER_ADDRESS, OWN_PARTIES
from controller.monitor.server.connection import party_of_request, slot_of
from controller.monitor.server.throttle import LONGEST_WAIT, Rate, Throttle

MOST_BODY = 65_536
"""The longest allowed body, in bytes."""
SIGNED_IN_RATE: Final = Rate(500, 0.01)
"""For signed-in people, and for programs on this computer."""
MONITORING_RATE: Final = Rate(50, 0.1)
"""For programs on this computer that request a path in MONITORING_PATHS."""
UNKNOWN_RATE: Final = Rate(50, 0.25)
"""For all others at one address: enough for a scrape each second and some pages."""
ANONYMOUS_RATE: Final = Rate(200, 0.02)
"""For all others together."""
LOOKUP_BURST: Final = MOST_PER_ADDRESS
LOOKUP_REFILL: Final = 0.1
"""Sessions of one address that may be looked up at once, and the seconds until one more may be. Beyond that,
a request counts as anonymous, so that invented sessions do not load the table's core."""
LOOKUP_PERIOD: Final = 10.0
"""Seconds for which a connection counts as that of a signed-in person after a lookup."""
MONITORING_PATHS = frozenset({"/metrics", "/health"})
EVERYBODY = "everybody"
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
        self._gate = RateGate(steady) if steady else None

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
        """Wait for the request's turn. Returns a refusal if the wait would be too long."""
        if self._gate is None:
            return None
        party = party_of_request(request)
        known = await self._gate.is_signed_in(request, party, self._signed_in)
        try:
            await self._sleep(self._gate.wait_for(party, request.url.path, signed_in=known))
        except TooOften as error:
            await self._sleep(LONGEST_WAIT)
            return _too_often(error)
        return None


class RateGate:
    """The rates of all requests. `steady`: a monotonic clock in seconds."""

    def __init__(self, steady: Callable[[], float]) -> None:
        self._steady = steady
        rates = (SIGNED_IN_RATE, MONITORING_RATE, UNKNOWN_RATE, ANONYMOUS_RATE)
        self._throttles = {rate: Throttle(steady, rate) for rate in rates}
        self._lookups = TokenBucket(steady, burst=LOOKUP_BURST, refill=LOOKUP_REFILL)

    def wait_for(self, party: str, path: str, *, signed_in: bool) -> float:
        """Take the turn of a request, and return the seconds until it comes. Raises TooOften."""
        if signed_in:
            return self._throttles[SIGNED_IN_RATE].wait_for(party)
        if party in OWN_PARTIES:
            rate = MONITORING_RATE if path in MONITORING_PATHS else SIGNED_IN_RATE
            return self._throttles[rate].wait_for(party)
        wait = self._throttles[UNKNOWN_RATE].wait_for(party)
        return max(wait, self._throttles[ANONYMOUS_RATE].wait_for(EVERYBODY))

    async def is_signed_in(
        self, request: Request, party: str, look_up: Callable[[Request], Awaitable[bool]]
    ) -> bool:
        """Whether a signed-in person sent the request. The connection's slot keeps the result for
        LOOKUP_PERIOD."""
        slot, now = slot_of(request), self._steady()
        if slot and slot.signed_in and now - slot.looked_up < LOOKUP_PERIOD:
            return True
        shows_secret = bool(request.cookies) or bool(bearer_token(request))
        found = shows_secret and self._may_look_up(party) and await look_up(request)
        if slot:
            slot.signed_in, slot.looked_up = found, now
        return found

    def _may_look_up(self, party: str) -> bool:
        try:
            self._lookups.take(party)
        except TooOften:
            return False
        return True


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
