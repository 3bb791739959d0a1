"""The server-sent events of the floor's pages."""

import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from typing import Final

from controller.floor.pages.rendering import HOUSES, Choice, jackpots_html
from controller.floor.pages.view import FloorView
from controller.floor.tables.changes import TileChanges, TileFeed
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.live.stream import BEAT, RELEASE, RETRY_MS, message

BEGIN: Final = "begin"
"""The first event of a stream: the page forgets the tiles that do not come again before the next beat."""
TILES: Final = "tiles"
"""Tiles that are new or have changed, as HTML."""
GONE: Final = "gone"
ORDER: Final = "order"
"""Names of tables, one a line: those to remove, and all in their order."""
JACKPOTS: Final = "jackpots"
HOUSE: Final = "house"
"""Panels over the tiles: the jackpots, and the alerts about the floor itself."""
DETAIL: Final = "detail"


async def tile_events(
    view: FloorView, changes: ChangeNotifier, choice: Choice, *, acknowledges: bool
) -> AsyncGenerator[str]:
    """The stream of the tiles for one page: all, then what differs, and a beat each time. `acknowledges`:
    whether its reader acknowledges alerts."""
    feed, shown = TileFeed(), dict[str, str]()
    panels = {JACKPOTS: jackpots_html, HOUSE: HOUSES[acknowledges]}
    yield f"retry: {RETRY_MS}\n\n{message(BEGIN, '')}"
    async with aclosing(changes.follow()) as following:
        async for fresh in following:
            news = ""
            if fresh or feed.due is not None:
                wanted = view.arranged(choice.order, choice.filter)
                news = "".join(_messages(view, feed.take(wanted, time.monotonic())))
                for name, render in panels.items():
                    panel = view.panel(render)
                    if panel != shown.get(name, ""):
                        news, shown[name] = news + message(name, panel), panel
            yield news + message(BEAT, RELEASE)


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


def _messages(view: FloorView, changes: TileChanges) -> Iterator[str]:
    if changes.gone:
        yield message(GONE, "\n".join(changes.gone))
    if changes.tiles:
        yield message(TILES, "\n".join(map(view.html, changes.tiles)))
    if changes.order is not None:
        yield message(ORDER, "\n".join(changes.order))
