"""Requests that are refused before anything looks at them."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from controller.monitor.server.request_limits import (
    MONITORING_RATE,
    MOST_BODY,
    SIGNED_IN_RATE,
    UNKNOWN_RATE,
    RequestLimits,
)
from controller.monitor.server.throttle import LONGEST_WAIT, Rate
from tests.fixtures.access_desk import Clock

SHORT = 0.001
"""Seconds of tolerance for Unix time in floats."""


async def read(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


@asynccontextmanager
async def shielded(
    names: Collection[str] = (), address: str = "10.0.0.7"
) -> AsyncIterator[httpx.AsyncClient]:
    routes = [Route("/", read, methods=["GET", "POST"])]
    transport = httpx.ASGITransport(RequestLimits(Starlette(routes=routes), names, None), client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8080", 200),
        ("127.0.0.1", 200),
        ("[::1]:8080", 200),
        ("10.7.0.12:443", 200),
        ("table7.pit.example", 200),
        ("TABLE7.pit.example:443", 200),
        ("evil.example", 421),
        ("table7.pit.example.evil.example", 421),
        ("", 421),
        ("[::1", 421),
    ],
)
async def test_a_request_under_another_host_name_is_refused(host: str, status: int) -> None:
    async with shielded(names=("table7.pit.example",)) as client:
        assert (await client.get("/", headers={"Host": host})).status_code == status


async def test_a_body_has_a_length_and_an_end() -> None:
    async with shielded() as client:
        assert (await client.post("/", content=b"x" * MOST_BODY)).text == str(MOST_BODY)
        assert (await client.post("/", content=b"x" * (MOST_BODY + 1))).status_code == 413
        assert (await client.post("/", content=_pieces())).status_code == 411
        for length in ("-1", "\xb2"):  # the second one is a digit, by some measure
            headers = [(b"Content-Length", length.encode("latin-1"))]
            assert (await client.post("/", headers=headers)).status_code == 411


@asynccontextmanager
async def slowed(
    clock: Clock, client: str, server: str = "localhost", *, signed_in: bool = False
) -> AsyncIterator[tuple[httpx.AsyncClient, list[float]]]:
    """A client, and how long its requests waited."""
    waits = list[float]()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def is_signed_in(_request: Request) -> bool:
        return signed_in

    routes = [Route(path, read, methods=["GET", "POST"]) for path in ("/", "/metrics")]
    shield = RequestLimits(Starlette(routes=routes), (), clock, is_signed_in, sleep)
    transport = httpx.ASGITransport(shield, client=(client, 1))
    async with httpx.AsyncClient(transport=transport, base_url=f"http://{server}") as asking:
        yield asking, waits


@pytest.mark.parametrize(
    ("client", "server", "path", "signed_in", "rate"),
    [
        ("10.0.0.7", "10.0.0.1", "/", False, UNKNOWN_RATE),
        ("10.0.0.7", "10.0.0.1", "/metrics", False, UNKNOWN_RATE),
        ("10.0.0.7", "10.0.0.1", "/", True, Rate(550, 0.01)),
        ("10.0.0.1", "10.0.0.1", "/metrics", False, MONITORING_RATE),
        ("10.0.0.1", "10.0.0.1", "/", False, SIGNED_IN_RATE),
    ],
)
async def test_a_flood_waits_longer_and_longer_and_then_hears_how_long(
    client: str, server: str, path: str, signed_in: bool, rate: Rate
) -> None:
    async with slowed(Clock(), client, server, signed_in=signed_in) as (asking, waits):
        for _ in range(rate.burst):
            assert (await asking.get(path)).status_code == 200
        assert max(waits) < SHORT
        waits.clear()
        while (answer := await asking.get(path)).status_code == 200:
            continue
        assert waits[:2] == pytest.approx([rate.refill, 2 * rate.refill], abs=SHORT)
        assert len(waits) == pytest.approx(LONGEST_WAIT / rate.refill + 1, abs=1)
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
        assert answer.headers["Connection"] == "close"
        assert answer.json()["detail"] == "too many attempts: again in 1 s"


async def test_a_scrape_each_second_and_another_address_never_wait() -> None:
    clock = Clock()
    async with slowed(clock, "10.0.0.7", "10.0.0.1") as (asking, waits):
        for _ in range(600):
            assert (await asking.get("/metrics")).status_code == 200
            clock.now += 1
        assert max(waits) < SHORT


async def _pieces() -> AsyncIterator[bytes]:
    yield b"x"
