"""Followers are told about changes, in virtual time."""

import asyncio
from collections.abc import Coroutine
from contextlib import aclosing
from itertools import pairwise

import pytest

from controller.monitor.live.changes import ChangeNotifier
from tests.secrets.clockwork import VirtualLoop


def run(story: Coroutine[object, object, None]) -> None:
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(story)


Heard = list[tuple[float, bool]]


async def note(changes: ChangeNotifier, heard: Heard) -> None:
    loop = asyncio.get_running_loop()
    async with aclosing(changes.follow()) as following:
        async for fresh in following:
            heard.append((round(loop.time(), 3), fresh))


async def listen_to(changes: ChangeNotifier, heard: Heard, *when: float, until: float) -> None:
    """Follows while something changes at each of `when`, then closes."""
    following = asyncio.create_task(note(changes, heard))
    loop = asyncio.get_running_loop()
    for moment in when:
        await asyncio.sleep(moment - loop.time())
        changes.notify()
    await asyncio.sleep(until - loop.time())
    changes.close()
    await following


def heard_of(*when: float, until: float) -> Heard:
    heard: Heard = []
    run(listen_to(ChangeNotifier(spacing=0.1, beat=1.0), heard, *when, until=until))
    return heard


def test_first_state_at_once_then_each_change() -> None:
    assert heard_of(0.5, 0.9, until=1.0) == [(0.0, True), (0.5, True), (0.9, True)]


def test_burst_becomes_at_most_ten_a_second_and_the_last_is_heard() -> None:
    burst = [0.5 + step / 1000 for step in range(1000)]
    heard = heard_of(*burst, until=2.0)
    moments = [moment for moment, _ in heard[1:]]
    assert 9 <= len(moments) <= 11
    assert moments[-1] >= burst[-1]
    assert min(later - sooner for sooner, later in pairwise(moments)) >= 0.099


def test_a_beat_comes_when_nothing_changes() -> None:
    heard = heard_of(until=3.5)
    assert heard[0] == (0.0, True)
    assert [fresh for _, fresh in heard[1:]] == [False] * 3


@pytest.mark.parametrize("moment", [1.1, 1.1 - 1e-12, 1.1 + 1e-12])
def test_a_change_at_the_moment_of_a_beat_is_heard(moment: float) -> None:
    async def story() -> None:
        changes = ChangeNotifier(spacing=0.1, beat=1.0)
        asyncio.get_running_loop().call_at(moment, changes.notify)
        heard: Heard = []
        await listen_to(changes, heard, until=1.5)
        assert [fresh for _, fresh in heard].count(True) == 2

    run(story())


def test_close_ends_followers_and_later_ones() -> None:
    async def story() -> None:
        changes = ChangeNotifier()
        heard: Heard = []
        await listen_to(changes, heard, until=0.3)
        assert changes.followers == 0
        await note(changes, heard)
        assert heard == [(0.0, True)]

    run(story())


def test_follower_who_leaves_is_forgotten() -> None:
    async def story() -> None:
        changes = ChangeNotifier()
        async with aclosing(changes.follow()) as following:
            assert await anext(following)
            assert changes.followers == 1
        assert changes.followers == 0

    run(story())


@pytest.mark.parametrize("followers", [2, 5])
def test_each_follower_hears_every_change(followers: int) -> None:
    async def story() -> None:
        changes = ChangeNotifier()
        heard: list[Heard] = [[] for _ in range(followers)]
        tasks = [asyncio.create_task(note(changes, each)) for each in heard]
        await asyncio.sleep(0.5)
        changes.notify()
        await asyncio.sleep(0.2)
        changes.close()
        await asyncio.gather(*tasks)
        assert heard == [[(0.0, True), (0.5, True)]] * followers

    run(story())
