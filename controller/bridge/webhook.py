"""Events as HTTP requests, signed as the specification Standard Webhooks 1.0 says: HMAC-SHA256 over the
id, the time of the request and the body, with a secret that the receiver knows."""

import asyncio
import base64
import binascii
import hashlib
import hmac
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import httpx

from controller.bridge.events import Event, TableName
from controller.bridge.place import Place
from controller.bridge.receiver import NotDelivered, ReceiverError, for_ever, secret_text, tls_context
from controller.config.bridge import EventName, WebhookSection

LIMIT: Final = 10.0
"""Seconds within which a receiver must have answered."""
SECRET_PREFIX: Final = "whsec_"  # noqa: S105
LEAST_SECRET: Final = 24
MOST_SECRET: Final = 64
"""Bytes of a secret."""


class WebhookReceiver:
    """Raises ReceiverError for files that cannot be used. `secret`: the file with it, if it is not the
    section's own. `clock`: seconds of Unix time."""

    greets = False

    def __init__(
        self,
        name: str,
        section: WebhookSection,
        table: TableName,
        secret: Path | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._name, self._section, self._table, self._clock = name, section, table, clock
        self._secret = read_secret(secret or Path(section.secret))
        self._tls = tls_context(section.ca)

    @property
    def name(self) -> str:
        return f"webhook-{self._name}"

    @property
    def events(self) -> frozenset[EventName]:
        return frozenset(self._section.events)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator["WebhookConnection"]:
        async with httpx.AsyncClient(verify=self._tls, timeout=LIMIT, trust_env=False) as client:
            yield WebhookConnection(client, self._section.url, self._table, self._secret, self._clock)


class WebhookConnection:
    """A Connection to a receiver of HTTP requests, which keeps no place of its own."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        url: str,
        table: TableName,
        secret: bytes,
        clock: Callable[[], float],
    ) -> None:
        self._client, self._url, self._table = client, url, table
        self._secret, self._clock = secret, clock

    async def send(self, event: Event) -> None:
        """Raises NotDelivered for every answer but one of the statuses 200 to 299."""
        body = event.payload(self._table)
        headers = {"content-type": "application/json"} | signature(
            self._secret, event.id, self._clock(), body
        )
        try:
            async with (
                asyncio.timeout(LIMIT),
                self._client.stream("POST", self._url, content=body, headers=headers) as answer,
            ):
                status = answer.status_code
        except TimeoutError:
            raise NotDelivered(f"{self._url} has not answered within {LIMIT:g} s") from None
        except httpx.HTTPError as error:
            raise NotDelivered(f"{self._url}: {error or type(error).__name__}") from error
        if not 200 <= status < 300:
            raise NotDelivered(f"{self._url} answers {status}; needed: 200 to 299")

    async def reached(self) -> Sequence[Place]:
        return ()

    async def lost(self) -> None:
        await for_ever()


def signature(secret: bytes, message_id: str, at: float, body: bytes) -> dict[str, str]:
    """The headers by which a receiver knows who sent a request, and when."""
    second = str(int(at))
    signed = b".".join((message_id.encode(), second.encode(), body))
    digest = base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()
    return {"webhook-id": message_id, "webhook-timestamp": second, "webhook-signature": f"v1,{digest}"}


def new_secret() -> str:
    """A secret as its file and its receiver have it."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(LEAST_SECRET)).decode()


def read_secret(path: Path) -> bytes:
    """Raises ReceiverError, which does not repeat the secret."""
    text = secret_text(path)
    try:
        key = base64.b64decode(text.removeprefix(SECRET_PREFIX), validate=True)
    except binascii.Error:
        key = b""
    if not text.startswith(SECRET_PREFIX) or not LEAST_SECRET <= len(key) <= MOST_SECRET:
        allowed = f"{SECRET_PREFIX} and the base64 of {LEAST_SECRET} to {MOST_SECRET} bytes"
        raise ReceiverError(
            f"secret {path} is none; allowed: {allowed}, as tableside table bridge secret makes it"
        )
    return key
