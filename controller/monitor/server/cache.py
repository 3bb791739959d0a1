"""Caches responses that are the same for everyone, so that each is computed about once a second at most."""

from collections.abc import Callable, Collection

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.access.errors import TooOften
from controller.access.lockout import TokenBucket

BURST = 5
REFILL = 1.0
"""Responses of one path that may be computed at once, and the seconds until one more may be computed."""
OK_STATUS = 200


class ResponseCache:
    """ASGI middleware that caches the responses to GET requests for these paths without a query. `steady`
    is a monotonic clock in seconds."""

    def __init__(self, app: ASGIApp, paths: Collection[str], steady: Callable[[], float]) -> None:
        self._app, self._paths = app, paths
        self._rate = TokenBucket(steady, burst=BURST, refill=REFILL)
        self._answers: dict[str, list[Message]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_cached(scope):
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        answer = self._answers.get(path)
        if answer is None or self._is_due(path):
            answer = await self._make(scope, receive)
        for message in answer:
            await send(message)

    def _is_cached(self, scope: Scope) -> bool:
        return (
            scope["type"] == "http"
            and scope["path"] in self._paths
            and scope["method"] == "GET"
            and not scope["query_string"]
        )

    def _is_due(self, path: str) -> bool:
        try:
            self._rate.take(path)
        except TooOften:
            return False
        return True

    async def _make(self, scope: Scope, receive: Receive) -> list[Message]:
        """Compute the response, and cache it if its status is 200. Errors are not cached, so that a table
        that halts reports it at once."""
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append({**message})

        await self._app(scope, receive, keep)
        if messages[0]["status"] == OK_STATUS:
            self._answers[scope["path"]] = messages
        else:
            self._answers.pop(scope["path"], None)
        return messages
