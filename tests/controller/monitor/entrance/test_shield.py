"""What is turned away before anybody looks at it."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from controller.access.lockout import Bucket
from controller.monitor.entrance.shield import MOST_BODY, Shield
from tests.controller.access.house import Clock


async def read(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


@asynccontextmanager
async def shielded(
    bucket: Bucket | None = None, names: Collection[str] = (), address: str = "10.0.0.7"
) -> AsyncIterator[httpx.AsyncClient]:
    routes = [Route(path, read, methods=["GET", "POST"]) for path in ("/", "/metrics", "/health")]
    transport = httpx.ASGITransport(Shield(Starlette(routes=routes), names, bucket), client=(address, 1))
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
async def test_a_page_of_another_name_is_turned_away(host: str, status: int) -> None:
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


async def test_a_flood_waits_and_is_told_how_long() -> None:
    clock = Clock()
    async with shielded(Bucket(clock, burst=3, refill=2.0)) as client:
        statuses = [(await client.get("/")).status_code for _ in range(4)]
        refused = await client.get("/")
        watched = [(await client.get(path)).status_code for path in ("/metrics", "/health")]
        clock.now += 2
        again = (await client.get("/")).status_code
    assert statuses == [200, 200, 200, 429]
    assert refused.headers["Retry-After"] == "2"
    assert (watched, again) == ([200, 200], 200)


async def _pieces() -> AsyncIterator[bytes]:
    yield b"x"
