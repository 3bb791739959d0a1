"""The stream of the table as JSON. Each change is encoded once for all clients."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final

from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse
from pydantic import TypeAdapter

from controller.monitor.authorization import for_watching_readers, with_responses
from controller.monitor.context import WebContext
from controller.monitor.live import stream
from controller.monitor.live.changes import ChangeNotifier
from controller.table.record.views import TableView

TABLE = "table"
"""Name of the event that holds a TableView."""
RESPONSES = {
    200: {
        "description": "Events `table` (a TableView), at once and after changes, and `beat` (the release)",
        "content": {stream.MEDIA_TYPE: {"schema": {"type": "string"}}},
    }
}

_ADAPTER: Final = TypeAdapter(TableView)


class CachedJson:
    """A TableView as JSON, encoded again only after a change."""

    def __init__(self, view: Callable[[], TableView], changes: ChangeNotifier) -> None:
        self._view, self._changes = view, changes
        self._count, self._text = -1, ""

    def __call__(self) -> str:
        """The JSON text of the current view."""
        if self._count != self._changes.count:
            self._count = self._changes.count
            self._text = _ADAPTER.dump_json(self._view()).decode()
        return self._text


def add(app: FastAPI, context: WebContext) -> None:
    json_text = CachedJson(context.view, context.changes)

    @app.get(
        "/api/v1/events",
        summary="The table, as it changes",
        response_class=StreamingResponse,
        **with_responses(for_watching_readers(watching=context.public), RESPONSES),
    )
    async def follow(request: Request) -> StreamingResponse:
        """Server-sent events. The last change is never left out; changes in quick order are put together."""
        return stream.response(request, events(json_text, context.changes))


async def events(json_text: Callable[[], str], changes: ChangeNotifier) -> AsyncGenerator[str]:
    """The text of the stream for one client: `table` at once and after changes, and `beat` each time."""
    sent = ""
    yield f"retry: {stream.RETRY_MS}\n\n"
    async with aclosing(changes.follow()) as following:
        async for fresh in following:
            text = json_text() if fresh else sent
            news = stream.message(TABLE, text) if text != sent else ""
            sent = text
            yield news + stream.message(stream.BEAT, stream.RELEASE)
