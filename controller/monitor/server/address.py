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

from controller.config.web import KIOSK_HOST

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
    server, so that the page of a halted table is served at the same address.

    `kiosk_port`: another port, at KIOSK_HOST, for the table's own screen; 0 for none. It has a queue and
    places of its own, so that a crowd at the first port cannot keep the screen out.
    """

    def __init__(self, host: str, port: int, tls: SSLContext | None = None, *, kiosk_port: int = 0) -> None:
        self.tls = tls
        self._host, self._port = host, port
        self._listener: socket.socket | None = None
        self._kiosk = Address(KIOSK_HOST, kiosk_port, tls) if kiosk_port else None

    def __enter__(self) -> Self:
        """Try to listen once if the host is an IP address, so that most starts serve the page at once."""
        for port in self.ports:
            port.try_to_listen()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for port in self.ports:
            port.close()

    @property
    def ports(self) -> tuple["Address", ...]:
        """This address, then that of the kiosk if there is one."""
        return (self, self._kiosk) if self._kiosk else (self,)

    def try_to_listen(self) -> None:
        """Listen at this port if its host is an IP address and the port is available now."""
        with suppress(ValueError, OSError):
            if ip_address(self._host):
                self._listener = listen(self._host, self._port)

    def close(self) -> None:
        """Stop to listen at this port."""
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


class PortReports:
    """Combines the reports of `count` ports: the sentences of all that cannot be reached, and an empty text
    once all can."""

    def __init__(self, report: ReportReachability, count: int) -> None:
        self._report = report
        self._last: list[str | None] = [None] * count
        """The last report of each port; None before the first."""

    def of(self, number: int) -> ReportReachability:
        """Receives the reports of this port."""

        def receive(why: str) -> None:
            self._last[number] = why
            faults = [each for each in self._last if each]
            if faults or None not in self._last:
                self._report(". ".join(faults))

        return receive


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
