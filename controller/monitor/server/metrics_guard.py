"""Keeps the metrics for programs on the table's own computer and for those that know a token (RFC 6750).

The metrics tell how much a table plays and wins, and when nobody watches it.
"""

import hmac
import os
from pathlib import Path
from typing import Final

import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.config import Config
from controller.config.web import METRICS_FILE
from controller.monitor.authorization import bearer_token
from controller.monitor.server.admission import OWN_PARTIES
from controller.monitor.server.connection import party_of_request
from drivers.key_files import CREDENTIALS, KeyFault, credential, key_text, read_key

METRICS: Final = "/metrics"
CREDENTIAL: Final = "metrics.token"
"""The name of the token among the service's systemd credentials, which take precedence over the
configuration."""
CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="metrics"'}


def metrics_token(config: Config) -> str:
    """The token, 64 hexadecimal digits; empty if there is no file with it, or if the file cannot be used,
    which is logged. The pages are more important than the metrics, so they are served all the same."""
    try:
        path = credential(CREDENTIAL) or Path(config.web.metrics_token)
        return key_text(read_key(path)).strip() if _is_there(path) else ""
    except (KeyFault, OSError) as error:
        structlog.get_logger("tableside.web").error("no metrics for other computers", why=str(error))
        return ""


def _is_there(path: Path) -> bool:
    """Whether there may be a file. The service gets a file at the default path as a credential, and may not
    look there itself."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except PermissionError:
        return not (CREDENTIALS in os.environ and path.match(METRICS_FILE))
    return True


class MetricsGuard:
    """ASGI middleware that answers 401 to requests for the metrics from other computers without `token`. If
    that is empty, no other computer gets them."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == METRICS and not self._may_read(Request(scope)):
            detail = (
                "the metrics need the token of web.metrics_token, as Authorization: Bearer TOKEN"
                if self._token
                else "the metrics are for this computer alone, because web.metrics_token has no token"
            )
            await JSONResponse({"detail": detail}, 401, CHALLENGE)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _may_read(self, request: Request) -> bool:
        if party_of_request(request) in OWN_PARTIES:
            return True
        sent = bearer_token(request).lower()
        return bool(self._token) and hmac.compare_digest(sent.encode(), self._token.encode())
