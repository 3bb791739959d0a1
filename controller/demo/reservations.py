"""What a demonstration needs before it starts, and what it reserves while it runs: a folder, and a port
for its page.

Both reservations end when the processes that hold them end, however they end.
"""

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom
from typing import Final

from drivers.sim.usb import umockdev

MOST_FOLDER = 86
"""Bytes. The name of a Unix socket has at most 107, and the longest one in the folder ends with
"/shuffler.control.new"."""


def obstacle(folder: Path, *, usb: bool) -> str:
    """A sentence about what prevents a demonstration; empty if nothing does."""
    length = len(os.fsencode(folder))
    if length > MOST_FOLDER:
        return f"folder {folder}: a name of {length} bytes; allowed: up to {MOST_FOLDER}, sockets lie in it"
    if usb:
        try:
            umockdev.check()
        except umockdev.UmockdevMissingError as error:
            return f"the shoe cannot be on USB: {error}"
    return ""


LOOPBACK = "127.0.0.1"
LOCK = "demo.lock"
"""The file in the folder that carries the lock."""
PORTS = range(20_000, 32_000)
"""Linux gives the ports from 32,768 to connections, unless it is configured otherwise."""
_previous: Final = set[int]()
"""Those that this process has from `free_port`."""
_random: Final = SystemRandom()


class ReservationError(Exception):
    """Another process has reserved it. The text is a sentence."""


@contextmanager
def reserved_folder(folder: Path) -> Iterator[int]:
    """Creates and locks the folder. Yields a descriptor; the lock lasts as long as any process has it
    open.

    Raises ReservationError, OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ReservationError(
                f"folder {folder} is in use by another demonstration: end it, or choose another --folder"
            ) from None
        yield file.fileno()


@contextmanager
def reserved_port(wish: int, usual: int) -> Iterator[int]:
    """A TCP port of loopback that no program listens on, reserved against other demonstrations.

    `wish` is the port to use. If it is 0, `usual` is used if it is free, else any port. Raises
    ReservationError if the wished port is in use.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as mark:
        if _is_reserved(mark, wish or usual):
            yield wish or usual
            return
        if wish:
            raise ReservationError(
                f"port {wish} of {LOOPBACK} is in use: end the program that has it, or choose another --port"
            )
        while not _is_reserved(mark, port := free_port()):
            continue
        yield port


def free_port() -> int:
    """A TCP port of loopback that no program listens on now, another one at each call. The system gives it to
    no connection, so it stays free for a server that starts later."""
    while True:
        port = _random.choice(PORTS)
        if port not in _previous and _is_free(port):
            _previous.add(port)
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def _is_reserved(mark: socket.socket, port: int) -> bool:
    """Binds an abstract socket name, which only one process can do, until the daemon listens on the port."""
    if not _is_free(port):
        return False
    try:
        mark.bind(f"\0tableside-demonstration-{port}")
    except OSError:
        return False
    return True
