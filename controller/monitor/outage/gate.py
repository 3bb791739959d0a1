"""Passes requests to the pages while a table plays, and to the application of the outage otherwise."""

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send


class OutageGate:
    """ASGI middleware. `outage`: the application that answers while no table plays; None while one does."""

    def __init__(self, app: ASGIApp, outage: Callable[[], ASGIApp | None]) -> None:
        self._app, self._outage = app, outage

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answering = self._outage() if scope["type"] == "http" else None
        await (answering or self._app)(scope, receive, send)
