"""Passes requests to the pages while a table plays, and to the application of the outage otherwise."""

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from controller.monitor.house import PATH as HOUSE


class OutageGate:
    """ASGI middleware. `outage`: the application that answers while no table plays; None while one does.
    The branding of the house needs no table."""

    def __init__(self, app: ASGIApp, outage: Callable[[], ASGIApp | None]) -> None:
        self._app, self._outage = app, outage

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        needs_table = scope["type"] == "http" and not scope["path"].startswith(f"{HOUSE}/")
        answering = self._outage() if needs_table else None
        await (answering or self._app)(scope, receive, send)
