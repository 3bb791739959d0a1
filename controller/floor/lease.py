"""The lease: which of two instances tries to lead. It fences nothing; the log does that."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import nats.errors
import structlog
from nats.js import JetStreamContext
from nats.js.errors import APIError, NotFoundError

from controller.floor.streams import LEASE, LEASE_SECONDS
from controller.floor.uplink.shipper import EXPECTED, WRONG_SEQUENCE

RENEWAL: Final = 1.0
"""Seconds between two renewals."""
ATTEMPT: Final = 0.25
"""Seconds between two attempts to get a lease that another instance has."""
ANSWER_LIMIT: Final = 1.0
RELEASED: Final = b""
"""The value of a lease that its holder gave back."""


class Lease:
    """The lease under `key` for the instance `name`. `wanted`: whether the instance may lead now; `on_change`
    gets whether it holds the lease."""

    def __init__(
        self,
        stream: JetStreamContext,
        key: str,
        name: str,
        wanted: Callable[[], bool],
        on_change: Callable[[bool], None],
    ) -> None:
        self._stream, self._subject, self._name = stream, _subject(key), name
        self._wanted, self._on_change = wanted, on_change
        self._log = structlog.get_logger("tableside.lease")
        self._revision = 0
        self._until = 0.0
        self.held = False

    async def run(self) -> None:
        """Get, renew and give back the lease until cancelled."""
        while True:
            if not self._wanted():
                await self.release()
            elif self.held:
                await self._renew()
            else:
                await self._try()
            await asyncio.sleep(RENEWAL if self.held else ATTEMPT)

    async def release(self) -> None:
        """Give the lease back, so that another instance need not wait for its end."""
        if self.held:
            self._set(held=False)
            with suppress(APIError, TimeoutError, nats.errors.Error):
                await self._write(RELEASED)

    async def _try(self) -> None:
        try:
            if await self._is_free():
                await self._take()
        except (APIError, TimeoutError, nats.errors.Error) as error:
            if getattr(error, "err_code", 0) not in WRONG_SEQUENCE:  # else another instance was quicker
                self._log.warning("no lease", why=repr(error))

    async def _is_free(self) -> bool:
        self._revision, holder = await _last(self._stream, self._subject)
        return holder in ("", self._name)

    async def _renew(self) -> None:
        """Without an answer, the lease is held until it must have ended."""
        try:
            await self._take()
        except APIError as error:
            if error.err_code in WRONG_SEQUENCE:
                self._set(held=False)
        except (TimeoutError, nats.errors.Error):
            pass
        if self.held and time.monotonic() >= self._until:
            self._set(held=False)

    async def _take(self) -> None:
        until = time.monotonic() + LEASE_SECONDS
        self._revision = await self._write(self._name.encode())
        self._until = until
        self._set(held=True)

    async def _write(self, value: bytes) -> int:
        """The new revision. Raises APIError, TimeoutError and the errors of nats."""
        headers = {EXPECTED: str(self._revision)}
        written = await self._stream.publish(self._subject, value, timeout=ANSWER_LIMIT, headers=headers)
        return written.seq

    def _set(self, *, held: bool) -> None:
        if held != self.held:
            self.held = held
            self._on_change(held)


async def holder_of(stream: JetStreamContext, key: str) -> str:
    """The instance that has the lease under `key`, empty for none. Raises APIError, TimeoutError and the
    errors of nats."""
    return (await _last(stream, _subject(key)))[1]


async def _last(stream: JetStreamContext, subject: str) -> tuple[int, str]:
    """The revision of a lease, and who has it."""
    try:
        found = await stream.get_msg(f"KV_{LEASE}", subject=subject)
    except NotFoundError:
        return 0, ""
    return found.seq or 0, (found.data or RELEASED).decode()


def _subject(key: str) -> str:
    return f"$KV.{LEASE}.{key}"
