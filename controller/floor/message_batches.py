"""Messages of a subscription, as many at once as belong into one transaction."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Self

from nats.aio.msg import Msg

from controller.process.tasks import end_tasks

MOST_MESSAGES: Final = 64
MOST_BYTES: Final = 1 << 18
LONGEST_WAIT: Final = 0.2
"""The limits of a transaction: how many messages it has, how many bytes before its last message, and how many
seconds may pass between its first message and its begin. They keep statuses from waiting long while a backlog
is stored."""


class MessageBatches:
    """`next_message`: of a subscription. `idle`: seconds to wait for the first message. A wait that is
    cancelled could lose a message, so a wait that takes too long goes on at the next `take`, and ends with
    the `with` block."""

    def __init__(self, next_message: Callable[[float | None], Awaitable[Msg]], idle: float) -> None:
        self._next_message, self._idle = next_message, idle
        self._waiting: asyncio.Task[Msg] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        if self._waiting:
            await end_tasks([self._waiting])

    async def take(self) -> list[Msg]:
        """The next messages; none if none came in time. Raises the errors of nats."""
        messages, size = list[Msg](), 0
        end, loop = self._idle, asyncio.get_running_loop()
        begun = loop.time()
        while len(messages) < MOST_MESSAGES and size < MOST_BYTES:
            message = await self._next(begun + end - loop.time())
            if message is None:
                break
            if not messages:
                begun, end = loop.time(), LONGEST_WAIT
            messages.append(message)
            size += len(message.data)
        return messages

    async def _next(self, seconds: float) -> Msg | None:
        """None if it does not come in time. Raises the errors of nats."""
        waiting = self._waiting or asyncio.ensure_future(self._wait())
        self._waiting = waiting
        await asyncio.wait({waiting}, timeout=max(0.0, seconds))
        if not waiting.done():
            return None
        self._waiting = None
        return waiting.result()

    async def _wait(self) -> Msg:
        return await self._next_message(None)
