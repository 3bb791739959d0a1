"""The server-sent events of the floor's pages."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final

from controller.floor.pages.channels import Subject, TileChannels
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.live.stream import BEAT, RELEASE, RETRY_MS, message

TILE_SPACING: Final = 0.1
"""Least seconds between two messages about tiles to one page."""
DETAIL: Final = "detail"


async def tile_events(
    channels: TileChannels, changes: ChangeNotifier, subject: Subject
) -> AsyncGenerator[str]:
    """The stream of the tiles for one page: all, then what differs, and a beat each time."""
    with channels.following(subject) as channel:
        sent, news = channel.number, channel.everything()
        yield f"retry: {RETRY_MS}\n\n"
        async with aclosing(changes.follow(TILE_SPACING)) as following:
            async for _fresh in following:
                news += channel.after(sent)
                sent = channel.number
                yield news + message(BEAT, RELEASE)
                news = ""


async def detail_events(changes: ChangeNotifier, detail: Callable[[], str]) -> AsyncGenerator[str]:
    """The stream of one panel: at once, when it differs, and a beat each time."""
    sent = ""
    yield f"retry: {RETRY_MS}\n\n"
    async with aclosing(changes.follow()) as following:
        async for fresh in following:
            panel = detail() if fresh else sent
            news = message(DETAIL, panel) if panel != sent else ""
            sent = panel
            yield news + message(BEAT, RELEASE)
