"""A connection to the servers of a property, which is made again whenever it is lost."""

import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog
from nats.aio.client import Client

from controller.floor.credentials import Credentials

CONNECT_LIMIT = 2
PAUSE = 1
"""Seconds between two attempts to connect to the same server."""
PING_INTERVAL = 2
PINGS_WITHOUT_ANSWER = 2


class ServersError(Exception):
    """The servers cannot be used as configured. The message names what is wrong."""


@dataclass(frozen=True, slots=True)
class Servers:
    """`client`: what this program calls itself; `inbox`: the prefix of the subjects of its answers. `ca`: the
    file of the authorities that certify servers, None for those of the system. `credentials`: the file with
    which it signs in, None without."""

    addresses: tuple[str, ...]
    client: str
    inbox: str
    ca: Path | None = None
    credentials: Path | None = None

    def security(self) -> dict[str, Any]:
        """The options of a connection for TLS and signing in. Raises ServersError, CredentialsError."""
        options = dict[str, Any]()
        if self.ca:
            try:
                context = ssl.create_default_context(cafile=self.ca)
            except (OSError, ssl.SSLError) as error:
                raise ServersError(f"certificates {self.ca} cannot be read: {error}") from error
            context.minimum_version = ssl.TLSVersion.TLSv1_3
            options["tls"] = context
        if self.credentials:
            options |= Credentials.read(self.credentials).options()
        return options


@asynccontextmanager
async def connection(
    servers: Servers, on_change: Callable[[bool], None] = lambda _connected: None
) -> AsyncIterator[Client]:
    """A client. Entering waits as long as no server answers. `on_change` gets whether it is connected. Raises
    ServersError, CredentialsError."""
    log = structlog.get_logger("tableside.floor")

    async def lost() -> None:
        log.warning("connection lost")
        on_change(False)

    async def found() -> None:
        log.info("connected again")
        on_change(True)

    async def failed(error: Exception) -> None:
        log.warning("connection", why=str(error) or type(error).__name__)

    client, security = Client(), servers.security()
    try:
        await client.connect(
            list(servers.addresses),
            name=servers.client,
            inbox_prefix=servers.inbox,
            max_reconnect_attempts=-1,
            connect_timeout=CONNECT_LIMIT,
            reconnect_time_wait=PAUSE,
            ping_interval=PING_INTERVAL,
            max_outstanding_pings=PINGS_WITHOUT_ANSWER,
            error_cb=failed,
            disconnected_cb=lost,
            reconnected_cb=found,
            **security,
        )
        on_change(True)
        yield client
    finally:
        with suppress(Exception):
            await client.close()
