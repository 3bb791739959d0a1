"""What `tableside floor prepare` does: the floor's key, and the streams on the servers."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import nats.errors

from controller.floor.connection import ServersError, connection
from controller.floor.keys import prepared_signer
from controller.floor.monitoring import check_disk_writes
from controller.floor.service.servers import servers_of
from controller.floor.settings import FloorConfig
from controller.floor.streams import prepare

ANSWER_LIMIT: Final = 30.0
"""Seconds in which the servers answer."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """`public`: the key that tables pin, in hex; `made`: the streams that were missing; `streams`: all."""

    public: str
    made: tuple[str, ...]
    streams: tuple[str, ...]


def prepare_floor(config: FloorConfig) -> Prepared:
    """Make what is missing. Raises KeyFault, StreamError, ServersError, CredentialsError."""
    public = prepared_signer(Path(config.key)).public.hex()
    made = asyncio.run(_prepare_streams(config))
    return Prepared(public, tuple(made), tuple(config.deployment().streams()))


async def _prepare_streams(config: FloorConfig) -> list[str]:
    try:
        async with asyncio.timeout(ANSWER_LIMIT), connection(servers_of(config)) as client:
            await check_disk_writes(config.monitors, Path(config.ca) if config.ca else None)
            return await prepare(client.jetstream(), config.deployment())
    except (TimeoutError, nats.errors.Error) as error:
        servers = ", ".join(config.servers)
        why = str(error) or f"no answer in {ANSWER_LIMIT:g} s"
        raise ServersError(f"the servers {servers} cannot be prepared: {why}") from error
