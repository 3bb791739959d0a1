"""What keeps a demonstration from being set up at all.

What a demonstration reserves while it runs: a folder, and the port of its page.

Both reservations end when the processes that hold them end, however they end.
"""

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from drivers.sim.usb import umockdev

MOST_FOLDER = 86
"""Bytes: a Unix socket's name has 107, and those in the folder are called up to "/shuffler.control.new"."""


def obstacle(folder: Path, *, usb: bool) -> str:
    """A sentence; empty where there is none."""
    length = len(os.fsencode(folder))
    if length > MOST_FOLDER:
        return f"folder {folder}: a name of {length} bytes; allowed: up to {MOST_FOLDER}, sockets lie in it"
    if usb:
        try:
            umockdev.check()
        except umockdev.UmockdevMissingError as error:
            return f"the shoe can not be on USB: {error}"
    return ""


LOOPBACK = "127.0.0.1"
LOCK = "demo.lock"
"""The file in the folder that carries the lock."""


class ReservationError(Exception):
    """Another process has reserved it; the text is a sentence."""


@contextmanager
def reserved_folder(folder: Path) -> Iterator[int]:
    """A descriptor that reserves the folder for every process that has it open. Creates a missing folder.

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
    """A TCP port of loopback that no program listens on, and that no other demonstration gets meanwhile.

    `wish` is the port to use; if it is 0, `usual` is used when it is free, else any port. Raises
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


def free_port(wish: int = 0) -> int:
    """A TCP port of loopback that no program listens on now: `wish` if that is free."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, wish))
        except OSError:
            probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def _is_reserved(mark: socket.socket, port: int) -> bool:
    """A name that only one process can have reserves the port until the daemon listens on it."""
    if free_port(port) != port:
        return False
    try:
        mark.bind(f"\0tableside-demonstration-{port}")
    except OSError:
        return False
    return True
