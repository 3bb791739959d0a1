"""Reads a stream from a place on, in order."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import nats.errors
from nats.js import JetStreamContext
from nats.js.api import ConsumerConfig


@asynccontextmanager
async def ordered_consumer(
    stream: JetStreamContext,
    name: str,
    subject: str,
    config: ConsumerConfig,
    idle_heartbeat: float | None = None,
) -> AsyncIterator[JetStreamContext.PushSubscription]:
    """The messages of the stream `name` under `subject`, in order and without a gap.
    `idle_heartbeat`: seconds between two signs of life from the server. The consumer and its tasks end with
    the block. Raises the errors of nats."""
    reading = await stream.subscribe(
        subject, stream=name, ordered_consumer=True, idle_heartbeat=idle_heartbeat, config=config
    )
    try:
        yield reading
    finally:
        with suppress(nats.errors.Error):  # a connection that is closed has ended them
            await reading.unsubscribe()
