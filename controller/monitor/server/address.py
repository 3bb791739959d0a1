"""The address at which pages are served. It may become available after the table starts, or another program
may use it for a while; the table plays in the meantime."""

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from ipaddress import ip_address
from ssl import SSLContext
from types import TracebackType
from typing import Self

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
"""Seconds between two attempts. Each pause is twice as long as the previous one, up to the longest."""
BACKLOG = 256
"""Connections that the kernel queues until they are accepted."""
FREEBIND = {socket.AF_INET: (socket.SOL_IP, 15), socket.AF_INET6: (socket.IPPROTO_IPV6, 78)}
"""IP_FREEBIND (linux/in.h) and IPV6_FREEBIND (linux/in6.h), for which Python has no constants."""

ReportReachability = Callable[[str], None]
"""Receives a sentence while the pages cannot be reached, and an empty text once they can."""


class Address:
    """The address for pages; without `tls` they are not encrypted. The listening socket outlives its
    server, so that the page of a halted table is served at the same address."""

    def __init__(self, host: str, port: int, tls: SSLContext | None = None) -> None:
        self.tls = tls
        self._host, self._port = host, port
        self._listener: socket.socket | None = None

    def __enter__(self) -> Self:
        """Try to listen once if the host is an IP address, so that most starts serve the page at once."""
        with suppress(ValueError, OSError):
            if ip_address(self._host):
                self._listener = listen(self._host, self._port)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._listener:
            self._listener.close()

    @property
    def url(self) -> str:
        """The URL of the first page; empty until the listening socket exists."""
        if self._listener is None:
            return ""
        host, port = self._listener.getsockname()[:2]
        return f"{'https' if self.tls else 'http'}://{f'[{host}]' if ':' in host else host}:{port}/"

    async def listening_socket(
        self, report: ReportReachability, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> socket.socket:
        """A duplicate of the listening socket, which the caller closes. Retries until the socket exists. Each
        attempt runs in a thread, because a name lookup may take long."""
        pauses = _pauses()
        while True:
            try:
                if self._listener is None:
                    self._listener = await asyncio.to_thread(listen, self._host, self._port)
                return self._listener.dup()
            except OSError as error:
                report(f"{error}. It is tried again every {LONGEST_PAUSE:g} s")
            await sleep(next(pauses))

    async def wait_until_assigned(
        self, report: ReportReachability, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        """Return once this computer has the address to which the socket is bound."""
        pauses, where = _pauses(), f"{self._host} port {self._port}"
        while not (self._listener and _is_assigned(self._listener)):
            report(f"No page can be reached at {where}: this computer has no such address yet")
            await sleep(next(pauses))
        report("")


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, even for an address that this computer does not have yet. Raises OSError with the
    host and port in its text."""
    try:
        return _listening_socket(host, port, early=False)
    except OSError as error:
        why = error
    if why.errno == errno.EADDRNOTAVAIL:
        with suppress(OSError):
            return _listening_socket(host, port, early=True)
    reason = (why.strerror or "").partition(" (")[0]  # the rest repeats the address
    raise OSError(f"No page can be served at {host} port {port}: {reason}") from why


def _listening_socket(host: str, port: int, *, early: bool) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if early:
            listener.setsockopt(*FREEBIND[family], 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


def _is_assigned(listener: socket.socket) -> bool:
    """Whether this computer has the address, that is, whether another socket can be bound to it."""
    try:
        with socket.socket(listener.family, socket.SOCK_DGRAM) as probe:
            probe.bind((listener.getsockname()[0], 0))
    except OSError as error:
        return error.errno != errno.EADDRNOTAVAIL
    return True


def _pauses() -> Iterator[float]:
    pause = FIRST_PAUSE
    while True:
        yield pause
        pause = min(2 * pause, LONGEST_PAUSE)
