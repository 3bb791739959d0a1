"""Server-sent events: the panels that changed, and a beat that shows the line is alive."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from controller.monitor.changes import Changes
from controller.monitor.painter import Painter
from controller.table.view import TableView

MEDIA_TYPE = "text/event-stream"
RETRY_MS = 1000
BEAT = "beat"
"""Name of the event that ends each message; the page shows "connection lost" without one for 2.5 s.

A comment would do for the connection, but the page's script does not see comments."""


async def events(view: Callable[[], TableView], painter: Painter, changes: Changes) -> AsyncGenerator[str]:
    """Text of the stream for one client: all panels at once, then those that look different."""
    sent: dict[str, str] = {}
    yield f"retry: {RETRY_MS}\n\n"
    async with aclosing(changes.follow()) as following:
        async for fresh in following:
            panels = painter.panels(view()) if fresh else sent
            news = [message(name, html) for name, html in panels.items() if sent.get(name) != html]
            sent.update(panels)
            yield "".join(news) + message(BEAT, "1")


def message(event: str, text: str) -> str:
    """One event as it goes over the wire."""
    lines = text.splitlines() or [""]
    return "".join((f"event: {event}\n", *(f"data: {line}\n" for line in lines), "\n"))
