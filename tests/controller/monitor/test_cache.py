"""Answers that are cached for a second."""

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from controller.monitor.server.cache import BURST, ResponseCache
from tests.fixtures.access_desk import Clock


async def test_a_cached_answer_is_made_once_a_second() -> None:
    clock, made, status = Clock(), list[str](), [200]

    async def make(request: Request) -> PlainTextResponse:
        made.append(request.url.path)
        return PlainTextResponse(str(len(made)), status[0])

    app = Starlette(routes=[Route("/metrics", make, methods=["GET", "POST"]), Route("/other", make)])
    transport = httpx.ASGITransport(ResponseCache(app, {"/metrics"}, clock))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        answers = [(await client.get("/metrics")).text for _ in range(100)]
        assert answers[-1] == str(len(made))
        assert len(made) == BURST + 1
        clock.now += 1
        answers = [(await client.get("/metrics")).text for _ in range(100)]
        assert (len(made), set(answers)) == (BURST + 2, {str(BURST + 2)})
        for _ in range(3):
            await client.get("/other")
            await client.post("/metrics")
            await client.get("/metrics?seen=1")
        assert len(made) == BURST + 2 + 9
        status[0] = 503
        clock.now += 1
        assert [(await client.get("/metrics")).status_code for _ in range(3)] == [503] * 3
