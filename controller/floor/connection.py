"""A connection to the servers of a property, which is made again whenever it is lost."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import structlog
from nats.aio.client import Client, Server

from controller.floor.credentials import Credentials

CONNECT_LIMIT = 2
PAUSE = 1.0
"""Seconds between two attempts to connect to the same server."""


@dataclass(frozen=True, slots=True)
class Pings:
    """How long a server may be silent: a client sends it a ping every `interval` seconds, and leaves it when
    more than `most_open` pings wait for an answer."""

    interval: int
    most_open: int


PATIENT: Final = Pings(2, 2)
"""Leaves after 4 to 6 seconds: answers may wait behind much that is stored."""
PROMPT: Final = Pings(1, 1)
"""Leaves after 1 to 2 seconds: a table closes its linked spots after 5 seconds without an amount."""

REFUSALS: Final = ("authorization violation", "authentication")
"""What servers say to a program whose credentials do not count."""


class _ClosesAtOnce(ssl.SSLObject):
    """Ends a session without waiting for the peer to do so. asyncio would wait 30 seconds for a server that
    has lost its power, and the client would not look for another one meanwhile."""

    def unwrap(self) -> None:
        with suppress(ssl.SSLWantReadError):
            super().unwrap()


class ServersError(Exception):
    """The servers cannot be used as configured. The message names what is wrong."""


class ConnectionEndedError(Exception):
    """The servers ended the connection for good, as they do when credentials are revoked."""


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
    pings: Pings = PATIENT

    def security(self) -> dict[str, Any]:
        """The options of a connection for TLS and signing in. Raises ServersError, CredentialsError."""
        options = dict[str, Any]()
        if self.ca:
            try:
                context = ssl.create_default_context(cafile=self.ca)
            except (OSError, ssl.SSLError) as error:
                raise ServersError(f"certificates {self.ca} cannot be read: {error}") from error
            context.minimum_version = ssl.TLSVersion.TLSv1_3
            context.sslobject_class = _ClosesAtOnce
            options["tls"] = context
        if self.credentials:
            options |= Credentials.read(self.credentials).options()
        return options


class _NextServer:
    """Chooses the server that was tried longest ago: another one than that which has just failed."""

    def __init__(self) -> None:
        self._tried = dict[str, float]()

    def note(self, client: Client) -> None:
        """The client uses this server now."""
        if url := client.connected_url:
            self._tried[url.netloc] = time.monotonic()

    def __call__(self, servers: list[Server], _info: dict[str, Any]) -> tuple[Server, float]:
        """The server, and seconds to wait before it is tried."""
        chosen = min(servers, key=lambda server: self._tried.get(server.uri.netloc, -PAUSE))
        now, last = time.monotonic(), self._tried.get(chosen.uri.netloc, -PAUSE)
        wait = max(0.0, last + PAUSE - now)
        self._tried[chosen.uri.netloc] = now + wait
        return chosen, wait


@asynccontextmanager
async def connection(
    servers: Servers,
    on_change: Callable[[bool], None] = lambda _connected: None,
    on_refused: Callable[[str], None] = lambda _why: None,
) -> AsyncIterator[Client]:
    """A client. Entering waits as long as no server answers. `on_change` gets whether it is connected,
    `on_refused` why a server does not let this program in; it goes on trying. Raises
    ServersError, CredentialsError; ConnectionEndedError, also inside the block, because the client does not
    connect again after that."""
    log = structlog.get_logger("tableside.floor")
    limit = asyncio.timeout(None)
    closing = False

    async def lost() -> None:
        if not closing:
            log.warning("connection lost")
        on_change(False)

    async def found() -> None:
        log.info("connected again")
        next_server.note(client)
        on_change(True)

    async def failed(error: Exception) -> None:
        why = str(error) or type(error).__name__
        log.warning("connection", why=why)
        if any(sign in why.lower() for sign in REFUSALS):
            on_refused(why)

    async def ended() -> None:
        with suppress(RuntimeError):  # the block has ended
            limit.reschedule(asyncio.get_running_loop().time())

    client, next_server, security = Client(), _NextServer(), servers.security()
    try:
        async with limit:
            await client.connect(
                list(servers.addresses),
                name=servers.client,
                inbox_prefix=servers.inbox,
                max_reconnect_attempts=-1,
                connect_timeout=CONNECT_LIMIT,
                reconnect_to_server_handler=next_server,
                ping_interval=servers.pings.interval,
                max_outstanding_pings=servers.pings.most_open,
                error_cb=failed,
                disconnected_cb=lost,
                reconnected_cb=found,
                closed_cb=ended,
                **security,
            )
            next_server.note(client)
            on_change(True)
            yield client
            if client.is_closed:
                raise _ended(client)
    except (TimeoutError, asyncio.CancelledError):
        if limit.expired() or (client.is_closed and not _is_cancelled()):  # the client cancels its waiters
            raise _ended(client) from None
        raise
    finally:
        closing = True
        with suppress(Exception):
            await client.close()


def _ended(client: Client) -> ConnectionEndedError:
    return ConnectionEndedError(f"the servers ended the connection: {client.last_error}")


def _is_cancelled() -> bool:
    """Whether this task has been asked to end."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
