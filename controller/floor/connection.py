"""A connection to the servers of a property that is made again and again, and that nobody waits for."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import nats
import structlog
from nats.aio.client import Client

FIRST_PAUSE, LONGEST_PAUSE = 0.2, 2.0
"""Seconds between two attempts to connect at first. The pause doubles with each failure."""
PING_SECONDS = 2


@dataclass(frozen=True, slots=True)
class Servers:
    """`name`: what this client calls itself; `inbox`: the prefix of its own subjects."""

    addresses: tuple[str, ...]
    name: str
    inbox: str


@asynccontextmanager
async def connection(
    servers: Servers, on_change: Callable[[bool], None] = lambda _connected: None
) -> AsyncIterator[Client]:
    """A connected client, which connects again by itself. Waits for the first connection. `on_change` hears
    whether it is connected."""
    log = structlog.get_logger("tableside.floor")

    async def lost() -> None:
        on_change(False)
        log.warning("connection lost")

    async def found() -> None:
        on_change(True)
        log.info("connected again")

    async def failed(error: Exception) -> None:
        log.warning("connection", why=str(error) or type(error).__name__)

    client = Client()
    pause = FIRST_PAUSE
    while True:
        try:
            await client.connect(
                list(servers.addresses),
                name=servers.name,
                inbox_prefix=servers.inbox,
                max_reconnect_attempts=-1,
                connect_timeout=2,
                reconnect_time_wait=1,
                ping_interval=PING_SECONDS,
                max_outstanding_pings=2,
                error_cb=failed,
                disconnected_cb=lost,
                reconnected_cb=found,
                allow_reconnect=True,
            )
        except (OSError, nats.errors.Error, TimeoutError) as error:
            log.warning("no connection", why=str(error) or type(error).__name__)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        else:
            break
    on_change(True)
    try:
        yield client
    finally:
        with suppress(Exception):
            await client.close()
