"""The language of a request: the person's choice in this browser, else what the browser asks for."""

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.languages import preferred_language, speaking

COOKIE = "language"
"""The cookie with the code of the language that the person chose."""


class RequestLanguage:
    """ASGI middleware that answers each request in its language, and says in a page's header which one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        language = preferred_language(
            request.cookies.get(COOKIE, ""), request.headers.get("accept-language", "")
        )

        async def send_with_language(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers["Content-Language"] = language.code
                    headers.add_vary_header("Accept-Language, Cookie")
            await send(message)

        with speaking(language):
            await self._app(scope, receive, send_with_language)
