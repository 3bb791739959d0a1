"""Requests that are refused before anything looks at them."""

from collections import Counter
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from controller.monitor.server.admission import ConnectionSlot, party_of
from controller.monitor.server.connection import SLOT
from controller.monitor.server.request_limits import (
    ANONYMOUS_RATE,
    LOOKUP_BURST,
    LOOKUP_PERIOD,
    MONITORING_RATE,
    MOST_BODY,
    SIGNED_IN_RATE,
    UNKNOWN_RATE,
    RequestLimits,
)
from controller.monitor.server.throttle import LONGEST_WAIT, Rate
from controller.monitor.sign_in.cookies import SESSION
from tests.fixtures.access_desk import Clock

TOKEN = "the-token"
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


class Desk:
    """Who is signed in, by the session's cookie; counts how often somebody asks."""

    def __init__(self) -> None:
        self.lookups = 0

    async def is_signed_in(self, request: Request) -> bool:
        self.lookups += 1
        return request.cookies.get(SESSION) == TOKEN


class Building:
    """Limits for requests in virtual time. `waits`: how long each request waited."""

    def __init__(self, server: str = "localhost") -> None:
        self.clock, self.desk, self.waits = Clock(), Desk(), list[float]()
        routes = [Route(path, read, methods=["GET", "POST"]) for path in ("/", "/metrics")]
        self._limits = RequestLimits(
            Starlette(routes=routes), (), self.clock, self.desk.is_signed_in, self._sleep
        )
        self._server = server

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    def connection(self, client: str, cookie: str = "") -> httpx.AsyncClient:
        """A connection from this address, over which each request sends this session."""
        slot = ConnectionSlot(party_of(client, self._server), self.clock())

        async def connected(scope: Scope, receive: Receive, send: Send) -> None:
            await self._limits({**scope, "state": {SLOT: slot}}, receive, send)

        return httpx.AsyncClient(
            transport=httpx.ASGITransport(connected, client=(client, 1)),
            base_url=f"http://{self._server}",
            cookies={SESSION: cookie} if cookie else None,
        )


@pytest.mark.parametrize(
    ("client", "server", "path", "cookie", "rate"),
    [
        ("10.0.0.7", "10.0.0.1", "/", "", UNKNOWN_RATE),
        ("10.0.0.7", "10.0.0.1", "/", "invented", UNKNOWN_RATE),
        ("10.0.0.7", "10.0.0.1", "/metrics", "", UNKNOWN_RATE),
        ("10.0.0.7", "10.0.0.1", "/", TOKEN, SIGNED_IN_RATE),
        ("10.0.0.1", "10.0.0.1", "/metrics", "", MONITORING_RATE),
        ("10.0.0.1", "10.0.0.1", "/", "", SIGNED_IN_RATE),
    ],
)
async def test_a_flood_waits_longer_and_longer_and_then_hears_how_long(
    client: str, server: str, path: str, cookie: str, rate: Rate
) -> None:
    building = Building(server)
    waits = building.waits
    async with building.connection(client, cookie) as asking:
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


async def test_a_scrape_each_second_never_waits() -> None:
    building = Building("10.0.0.1")
    async with building.connection("10.0.0.7") as asking:
        for _ in range(600):
            assert (await asking.get("/metrics")).status_code == 200
            building.clock.now += 1
        assert max(building.waits) < SHORT


async def test_anonymous_clients_share_one_budget_and_signed_in_people_do_not_wait_for_it() -> None:
    building = Building("10.0.0.1")
    each, answers = UNKNOWN_RATE.burst, Counter[int]()
    async with building.connection("10.0.0.7", TOKEN) as signed_in, building.connection("10.0.0.1") as screen:
        for number in range(2 * ANONYMOUS_RATE.burst // each):
            async with building.connection(f"10.0.1.{number}") as stranger:
                for _ in range(each):
                    answers[(await stranger.get("/")).status_code] += 1
        shared = ANONYMOUS_RATE.burst + LONGEST_WAIT / ANONYMOUS_RATE.refill
        assert answers[200] == pytest.approx(shared, abs=1)
        assert set(answers) == {200, 429}
        building.waits.clear()
        for client in (signed_in, screen):
            for _ in range(100):
                assert (await client.get("/")).status_code == 200
        assert max(building.waits) < SHORT


async def test_the_session_of_a_connection_is_looked_up_once_in_a_while() -> None:
    building = Building("10.0.0.1")
    async with building.connection("10.0.0.7", TOKEN) as client:
        for _ in range(100):
            await client.get("/")
        assert building.desk.lookups == 1
        building.clock.now += LOOKUP_PERIOD
        await client.get("/")
        assert building.desk.lookups == 2


async def test_invented_sessions_of_one_address_are_not_all_looked_up() -> None:
    building = Building("10.0.0.1")
    for number in range(4):
        async with building.connection("10.0.0.7", f"invented{number}") as client:
            for _ in range(LOOKUP_BURST):
                await client.get("/")
    assert building.desk.lookups == LOOKUP_BURST
    async with building.connection("10.0.0.8", TOKEN) as client:
        await client.get("/")
    assert building.desk.lookups == LOOKUP_BURST + 1


async def test_requests_without_a_cookie_are_not_looked_up() -> None:
    building = Building("10.0.0.1")
    async with building.connection("10.0.0.7") as client:
        await client.get("/")
    assert building.desk.lookups == 0


async def _pieces() -> AsyncIterator[bytes]:
    yield b"x"
