"""Server-sent events: the panels that changed, and a beat that shows that the connection works."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from importlib.metadata import version

from fastapi import HTTPException, Request
from fastapi.responses import StreamingResponse

from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.live.renderer import PageRenderer
from controller.table.record.views import TableView

MEDIA_TYPE = "text/event-stream"
RETRY_MS = 1000
BEAT = "beat"
"""Name of the event that ends each message. The page shows "connection lost" after 2.5 s without one. A
comment would keep the connection open too, but the page's script does not see comments."""
HOUSE = "house"
"""Name of the event with another address of the style sheet of the house."""
RELEASE = version("tableside")
"""The data of a beat. A page of another release reloads itself."""


async def events(
    view: Callable[[], TableView],
    painter: PageRenderer,
    changes: ChangeNotifier,
    style: Callable[[], str],
    *,
    ages: bool = False,
    spacing: float | None = None,
) -> AsyncGenerator[str]:
    """The text of the stream for one client: first all panels, then those that change.

    `style`: the address of the style sheet of the house, sent when it differs from that at the beginning.
    `ages`: panels may change with time alone, so they are rendered at each beat too. `spacing`: as in
    `ChangeNotifier.follow`."""
    sent: dict[str, str] = {HOUSE: style()}
    yield f"retry: {RETRY_MS}\n\n"
    async with aclosing(changes.follow(spacing)) as following:
        async for fresh in following:
            panels = {**painter.panels(view()), HOUSE: style()} if fresh or ages else sent
            news = [message(name, html) for name, html in panels.items() if sent.get(name) != html]
            sent.update(panels)
            yield "".join(news) + message(BEAT, RELEASE)


def response(request: Request, events_text: AsyncGenerator[str]) -> StreamingResponse:
    """The stream as a response. It ends when the session of the request ends."""
    return StreamingResponse(_while_signed_in(request, events_text), media_type=MEDIA_TYPE)


async def _while_signed_in(request: Request, events_text: AsyncGenerator[str]) -> AsyncGenerator[str]:
    """Pass the text on until the session of the request is over or the table stops. A public stream needs no
    session."""
    signed_in = hasattr(request.state, "session")
    with suppress(HTTPException):  # no table plays any more: the next request gets the page that says why
        async with aclosing(events_text):
            async for text in events_text:
                if signed_in and not await request.app.state.authentication.is_still_signed_in(request):
                    return
                yield text


def message(event: str, text: str) -> str:
    """One event in the text/event-stream format."""
    lines = text.splitlines() or [""]
    return "".join((f"event: {event}\n", *(f"data: {line}\n" for line in lines), "\n"))
