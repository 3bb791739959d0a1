"""The stream of a live page, over a real connection."""

import asyncio
import time
from dataclasses import replace

from controller.monitor.live.pages import TABLE
from controller.monitor.live.renderer import PageRenderer
from tests.fixtures.table_views import BETTING, PLAYING, SUSPENDED
from tests.fixtures.waiting import PATIENCE, come_true
from tests.fixtures.web_server import messages, next_change, web_server


async def test_first_state_comes_at_once_and_whole() -> None:
    async with web_server() as house, house.client.stream("GET", "/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        assert await anext(messages(response)) == PageRenderer(TABLE).panels(BETTING)


async def test_change_sends_only_the_panels_that_look_different() -> None:
    async with web_server() as house, house.client.stream("GET", "/events") as response:
        stream = messages(response)
        await anext(stream)
        house.show(replace(BETTING, prompt="Place your bets: 4 wagers"))
        fresh = await next_change(stream)
        assert list(fresh) == ["due"]
        assert "Place your bets: 4 wagers" in fresh["due"]


async def test_what_is_gone_is_sent_too() -> None:
    async with web_server(SUSPENDED) as house, house.client.stream("GET", "/events") as response:
        stream = messages(response)
        assert "shoe is missing" in (await anext(stream))["suspension"]
        house.show(PLAYING)
        assert (await next_change(stream))["suspension"] == ""


async def test_burst_is_coalesced_and_ends_with_the_last_state() -> None:
    async with web_server(beat=0.5) as house, house.client.stream("GET", "/events") as response:
        stream = messages(response)
        await anext(stream)
        begun = time.monotonic()
        for step in range(200):
            house.show(replace(BETTING, round=100 + step))
            await asyncio.sleep(0.001)
        looks = house.view_source.looks
        most = 10 * (time.monotonic() - begun) + 3
        heads = [""]
        async with asyncio.timeout(PATIENCE):
            while "<b>299</b>" not in heads[-1]:
                heads.append((await next_change(stream))["head"])
        assert len(heads[1:]) <= most
        assert looks <= most


async def test_beat_comes_without_news_and_draws_nothing() -> None:
    async with web_server(beat=0.05) as house, house.client.stream("GET", "/events") as response:
        stream = messages(response)
        await anext(stream)
        looks = house.view_source.looks
        assert [await anext(stream) for _ in range(3)] == [{}, {}, {}]
        assert house.view_source.looks == looks


async def test_client_that_leaves_is_forgotten() -> None:
    async with web_server() as house:
        await house.client.get("/health")
        tasks = len(asyncio.all_tasks())
        for _ in range(3):
            async with house.client.stream("GET", "/events") as response:
                await anext(messages(response))
                assert house.changes.followers == 1
            await house.until_unfollowed()
        await house.client.aclose()
        await come_true(lambda: len(asyncio.all_tasks()) == tasks)


async def test_clients_each_get_all() -> None:
    async with (
        web_server() as house,
        house.client.stream("GET", "/events") as one,
        house.client.stream("GET", "/events") as other,
    ):
        streams = messages(one), messages(other)
        for stream in streams:
            await anext(stream)
        house.show(PLAYING)
        assert ["Seat 2 has 9" in (await next_change(stream))["due"] for stream in streams] == [True, True]


async def test_stream_ends_cleanly_when_the_daemon_stops() -> None:
    async with web_server() as house, house.client.stream("GET", "/events") as response:
        stream = messages(response)
        await anext(stream)
        stopping = asyncio.create_task(house.stop())
        assert all([panels == {} async for panels in stream])
        await stopping


async def test_nothing_is_drawn_while_nobody_listens() -> None:
    async with web_server() as house:
        for step in range(100):
            house.show(replace(BETTING, round=step))
            await asyncio.sleep(0)
        assert house.view_source.looks == 0
        async with house.client.stream("GET", "/events") as response:
            await anext(messages(response))
        await house.until_unfollowed()
        looks = house.view_source.looks
        house.show(PLAYING)
        await asyncio.sleep(0)
        assert house.view_source.looks == looks == 1
