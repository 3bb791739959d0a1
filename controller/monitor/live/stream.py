"""Server-sent events: the panels that changed, and a beat that shows the line is alive."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from importlib.metadata import version

from fastapi import Request
from fastapi.responses import StreamingResponse

from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.live.renderer import PageRenderer
from controller.table.record.views import TableView

MEDIA_TYPE = "text/event-stream"
RETRY_MS = 1000
BEAT = "beat"
"""Name of the event that ends each message; the page shows "connection lost" without one for 2.5 s.

A comment would do for the connection, but the page's script does not see comments."""
RELEASE = version("tableside")
"""What a beat says: a page of another release loads itself anew."""


async def events(
    view: Callable[[], TableView],
    painter: PageRenderer,
    changes: ChangeNotifier,
    *,
    ages: bool = False,
    spacing: float | None = None,
) -> AsyncGenerator[str]:
    """Text of the stream for one client: all panels at once, then those that look different. `ages`: they may
    do so with time alone, and are looked at with each beat, too. `spacing` as in `Changes.follow`."""
    sent: dict[str, str] = {}
    yield f"retry: {RETRY_MS}\n\n"
    async with aclosing(changes.follow(spacing)) as following:
        async for fresh in following:
            panels = painter.panels(view()) if fresh or ages else sent
            news = [message(name, html) for name, html in panels.items() if sent.get(name) != html]
            sent.update(panels)
            yield "".join(news) + message(BEAT, RELEASE)


def response(request: Request, events_text: AsyncGenerator[str]) -> StreamingResponse:
    """A stream for whoever asks, as long as they may be here."""
    return StreamingResponse(_while_signed_in(request, events_text), media_type=MEDIA_TYPE)


async def _while_signed_in(request: Request, events_text: AsyncGenerator[str]) -> AsyncGenerator[str]:
    """A session that ends ends its streams, too; what anyone may watch goes on."""
    signed_in = hasattr(request.state, "person")
    async with aclosing(events_text):
        async for text in events_text:
            if signed_in and not request.app.state.authentication.is_still_signed_in(request):
                return
            yield text


def message(event: str, text: str) -> str:
    """One event as it goes over the wire."""
    lines = text.splitlines() or [""]
    return "".join((f"event: {event}\n", *(f"data: {line}\n" for line in lines), "\n"))
