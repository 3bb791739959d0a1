"""Notifies the pages that follow the table of changes, soon but at a limited rate."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress


class ChangeNotifier:
    """Notifies every follower of a change.

    All calls must come from the thread of one event loop. `spacing` and `beat` are in seconds.
    """

    def __init__(self, *, spacing: float = 0.1, beat: float = 1.0) -> None:
        self._spacing = spacing
        self._beat = beat
        self._closed = False
        self.count = 0
        """Number of changes so far."""
        self._followers: set[asyncio.Event] = set()

    @property
    def followers(self) -> int:
        """The number of followers now."""
        return len(self._followers)

    def notify(self) -> None:
        """Report that something visible has changed."""
        self.count += 1
        for news in self._followers:
            news.set()

    def close(self) -> None:
        """End every `follow`, including later ones, because the web server stops."""
        self._closed = True
        self.notify()

    async def follow(self, spacing: float | None = None) -> AsyncGenerator[bool]:
        """Yields True at once and after changes, at most once each `spacing` seconds (None: the notifier's
        own spacing). Changes in between are combined, and the last one is always reported. Yields False
        after `beat` seconds without a change."""
        news = asyncio.Event()
        news.set()
        self._followers.add(news)
        try:
            while True:
                fresh = await self._wait(news)
                if self._closed:
                    return
                news.clear()
                yield fresh
                await asyncio.sleep(self._spacing if spacing is None else spacing)
        finally:
            self._followers.discard(news)

    async def _wait(self, news: asyncio.Event) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._beat):
                await news.wait()
        return news.is_set()  # a change at the very moment of the timeout counts
