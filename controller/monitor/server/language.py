"""The language of a request: the choice of the person who is signed in, else the one that was made in this
browser, else what the browser asks for."""

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.languages import LANGUAGES, preferred_language, speaking
from controller.monitor.sign_in.cookies import LANGUAGE

COOKIE = "language"
"""The cookie with the code of the language that a person chose in this browser without signing in."""


class RequestLanguage:
    """ASGI middleware that answers each request in its language, and says in a page's header which one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        own = request.cookies.get(LANGUAGE, "")
        language = preferred_language(
            own if own in LANGUAGES else request.cookies.get(COOKIE, ""),
            request.headers.get("accept-language", ""),
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
