"""The lease: which of two instances tries to lead. It fences nothing; the log does that.

Three servers elect a leader for the stream of leases after theirs has failed. That takes them 4 to 9 seconds,
sometimes more, and meanwhile a lease can be neither renewed nor taken nor lost. If most of the servers
answer, the holder keeps its lease so long.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
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
LONGEST_ELECTION: Final = 12.0
"""Seconds after the end of a lease for which its holder waits for an election."""
RELEASED: Final = b""
"""The value of a lease that its holder gave back."""


async def _no_majority() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class LeaseTerms:
    """`wanted`: whether the instance may lead now; `may_follow`: whether it may take a lease that has ended
    without being given back; `majority`: whether most servers answer."""

    wanted: Callable[[], bool] = lambda: True
    may_follow: Callable[[], bool] = lambda: True
    majority: Callable[[], Awaitable[bool]] = _no_majority


class Lease:
    """The lease under `key` for the instance `name`. `on_change` gets whether it holds the lease."""

    def __init__(
        self,
        stream: JetStreamContext,
        key: str,
        name: str,
        terms: LeaseTerms,
        on_change: Callable[[bool], None],
    ) -> None:
        self._stream, self._subject, self._name = stream, _subject(key), name
        self._terms, self._on_change = terms, on_change
        self._log = structlog.get_logger("tableside.lease")
        self._revision = 0
        self._until = 0.0
        self.held = False
        self.holder = ""
        """The name of the instance that had the lease at the last look; empty if no instance had it."""

    async def run(self) -> None:
        """Get, renew and give back the lease until cancelled."""
        while True:
            begun = time.monotonic()
            if not self._terms.wanted():
                await self.release()
            elif self.held:
                await self._renew()
            else:
                await self._try()
            is_renewed = self.held and self._until >= begun + LEASE_SECONDS
            await asyncio.sleep(RENEWAL if is_renewed else ATTEMPT)

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
        self._revision, self.holder = await _last(self._stream, self._subject)
        has_ended = self._revision == 0
        return self._terms.may_follow() if has_ended else self.holder in ("", self._name)

    async def _renew(self) -> None:
        """Without an answer, the lease is held until it must have ended, or the servers have elected."""
        try:
            await self._take()
        except APIError as error:
            if error.err_code in WRONG_SEQUENCE:
                await self._take_again()
        except (TimeoutError, nats.errors.Error):
            pass
        if self.held and time.monotonic() >= self._until and not await self._is_election():
            self._set(held=False)

    async def _take_again(self) -> None:
        """The lease has ended during an election, unless another instance has it."""
        with suppress(APIError, TimeoutError, nats.errors.Error):
            self._revision, self.holder = await _last(self._stream, self._subject)
            if self.holder in ("", self._name):
                await self._take()
                return
        self._set(held=False)

    async def _is_election(self) -> bool:
        return time.monotonic() < self._until + LONGEST_ELECTION and await self._terms.majority()

    async def _take(self) -> None:
        until = time.monotonic() + LEASE_SECONDS
        self._revision = await self._write(self._name.encode())
        self._until, self.holder = until, self._name
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
