"""A connection to the servers of a property, which is made again whenever it is lost."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import structlog
from nats.aio.client import Client

CONNECT_LIMIT = 2
PAUSE = 1
"""Seconds between two attempts to connect to the same server."""
PING_INTERVAL = 2
PINGS_WITHOUT_ANSWER = 2


@dataclass(frozen=True, slots=True)
class Servers:
    """`client`: what this program calls itself; `inbox`: the prefix of the subjects of its answers."""

    addresses: tuple[str, ...]
    client: str
    inbox: str


@asynccontextmanager
async def connection(
    servers: Servers, on_change: Callable[[bool], None] = lambda _connected: None
) -> AsyncIterator[Client]:
    """A client. Entering waits as long as no server answers. `on_change` gets whether it is connected."""
    log = structlog.get_logger("tableside.floor")

    async def lost() -> None:
        log.warning("connection lost")
        on_change(False)

    async def found() -> None:
        log.info("connected again")
        on_change(True)

    async def failed(error: Exception) -> None:
        log.warning("connection", why=str(error) or type(error).__name__)

    client = Client()
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
        )
        on_change(True)
        yield client
    finally:
        with suppress(Exception):
            await client.close()
