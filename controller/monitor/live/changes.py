"""Who follows the table hears that it changed, soon and not too often."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress


class ChangeNotifier:
    """Tells every follower of a change; costs nothing while nobody follows.

    All calls come from one thread with one event loop. `spacing` and `beat` are in seconds.
    """

    def __init__(self, *, spacing: float = 0.1, beat: float = 1.0) -> None:
        self._spacing = spacing
        self._beat = beat
        self._closed = False
        self.count = 0
        """How often something changed."""
        self._followers: set[asyncio.Event] = set()

    @property
    def followers(self) -> int:
        """How many follow now."""
        return len(self._followers)

    def notify(self) -> None:
        """Something that can be seen is different now."""
        self.count += 1
        for news in self._followers:
            news.set()

    def close(self) -> None:
        """Ends every `follow`, those to come too: the daemon stops."""
        self._closed = True
        self.notify()

    async def follow(self, spacing: float | None = None) -> AsyncGenerator[bool]:
        """Yields True at once and after changes, at most once per `spacing` (None: as others do), the last
        change never left out; False when `beat` has passed without one."""
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
        return news.is_set()  # what comes at the moment of a beat is news none the less
