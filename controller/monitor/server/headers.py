"""Security headers, which restrict what a browser does with a response."""

from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "no-store",
}
TLS_HEADERS: Mapping[str, str] = {"Strict-Transport-Security": "max-age=31536000"}


class SecurityHeaders:
    """ASGI middleware that adds HEADERS to each response, but does not replace a header that the response
    has. `tls`: adds TLS_HEADERS too, so that the browser uses only TLS from then on."""

    def __init__(self, app: ASGIApp, *, tls: bool = False) -> None:
        self._app = app
        self._headers = {**HEADERS, **(TLS_HEADERS if tls else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)
