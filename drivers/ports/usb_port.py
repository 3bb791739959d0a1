"""A USB port as a Transport. Threads do its transfers, so the event loop never waits."""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress

from usb.backend import IBackend

from drivers.errors import Absent
from drivers.ports import usb_claim
from drivers.ports.names import usb_address
from drivers.ports.threads import open_in_thread
from drivers.ports.transport import BACKLOG
from drivers.ports.usb_transfers import Endpoints, Lost

CHUNK = 4096
"""Bytes of one transfer. It is a multiple of every packet size, so a transfer never overflows."""


async def open_usb(name: str, backend: Callable[[], IBackend] = usb_claim.libusb) -> "UsbTransport":
    """Claims the port. Raises Absent with its name and the reason."""
    address = usb_address(name)
    claimed = await open_in_thread(lambda: usb_claim.claim(address, backend), usb_claim.release)
    return UsbTransport(name, claimed)


class UsbTransport:
    """Bytes that arrive wait in `_arrived`. While that is full, the device has to wait.

    Bytes to write wait in `_unsent`. What does not fit is dropped, as on a bad line.
    """

    def __init__(self, name: str, claimed: usb_claim.Claimed) -> None:
        self._name = name
        self._loop = asyncio.get_running_loop()
        self._ready: Callable[[], None] = _ignore
        self._arrived, self._unsent = bytearray(), bytearray()
        self._change = threading.Condition()
        """Guards everything below, and wakes the threads."""
        self._notified = self._stopping = False
        self._gone: Absent | None = None
        self._dropped = 0
        self._endpoints = Endpoints(claimed)
        self._threads = [
            threading.Thread(target=self._run, args=(work,), daemon=True)
            for work in (self._read_loop, self._write_loop)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def name(self) -> str:
        return self._name

    @property
    def counts(self) -> Mapping[str, int]:
        """Stalls, overflows, time-outs and dropped bytes."""
        return Counter(self._endpoints.counts) + Counter(dropped_bytes=self._dropped)

    def watch(self, ready: Callable[[], None]) -> None:
        self._ready = ready
        self._loop.call_soon(self._announce)

    def read(self) -> bytes:
        with self._change:
            if not self._arrived:
                self._check()
                return b""
            data = bytes(self._arrived)
            self._arrived.clear()
            self._change.notify_all()
        if self._gone:
            self._loop.call_soon(self._announce)  # the news that it is gone is still to come
        return data

    def write(self, data: bytes) -> None:
        with self._change:
            self._check()
            if len(self._unsent) + len(data) > BACKLOG:
                self._dropped += len(data)
                return
            self._unsent += data
            self._change.notify_all()

    async def close(self) -> None:
        """Closes the port in a thread, because a transfer in progress ends first. Last bytes are still
        sent."""
        if self._stopping:
            return
        self._ready = _ignore
        with self._change:
            self._stopping = True
            self._gone = self._gone or Absent(f"port {self._name} is closed")
            self._arrived.clear()
            self._change.notify_all()
        await asyncio.shield(self._loop.run_in_executor(None, self._end))

    def _end(self) -> None:
        for thread in self._threads:
            thread.join()
        self._endpoints.release()

    def _check(self) -> None:
        if self._gone:
            raise self._gone

    def _announce(self) -> None:
        """Runs in the loop: calls `ready` if something is still to be read."""
        with self._change:
            self._notified = False
            something = self._arrived or self._gone
        if something and not self._stopping:
            self._ready()

    def _run(self, work: Callable[[], None]) -> None:
        """The body of a thread. However it ends, whoever waits for the port learns of it."""
        why = "its thread ended, by a bug of ours"
        try:
            work()
        except Lost as error:
            why = str(error)
        finally:
            self._set_gone(why)

    def _read_loop(self) -> None:
        while not self._stopping:
            if data := self._endpoints.read(CHUNK):
                self._arrive(data)

    def _arrive(self, data: bytes) -> None:
        with self._change:
            self._change.wait_for(lambda: self._stopping or len(self._arrived) < BACKLOG)
            self._arrived += data
            self._notify()

    def _write_loop(self) -> None:
        while self._wait_for_bytes():
            with self._change:
                data = bytes(self._unsent[:CHUNK])
            written = self._endpoints.write(data)
            with self._change:
                del self._unsent[:written]
            if self._stopping:
                return  # a last word had its chance

    def _wait_for_bytes(self) -> bool:
        with self._change:
            self._change.wait_for(lambda: self._due() or self._stopping or self._gone)
            return self._due() and (self._stopping or not self._gone)

    def _due(self) -> bool:
        return bool(self._unsent) or self._endpoints.open

    def _set_gone(self, why: str) -> None:
        with self._change:
            self._gone = self._gone or Absent(f"the device on port {self._name} is gone: {why}")
            self._change.notify_all()
            self._notify()

    def _notify(self) -> None:
        if not self._notified:
            self._notified = True
            with suppress(RuntimeError):  # the loop has ended, and nobody closed the port
                self._loop.call_soon_threadsafe(self._announce)


def _ignore() -> None:
    """Stands for the reader until `watch` is called."""
