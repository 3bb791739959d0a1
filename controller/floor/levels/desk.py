"""A level, as a program of the floor reaches it that runs beside the service, or without it."""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.aio.subscription import Subscription

from controller.floor.connection import ConnectionEndedError, ServersError, connection
from controller.floor.keys import floor_signer
from controller.floor.levels.acts import LevelAct
from controller.floor.levels.administration import LevelAdministration
from controller.floor.levels.history import LevelHistory, read_end, read_history
from controller.floor.service.servers import servers_of
from controller.floor.settings import FloorConfig
from controller.jackpot.linked.messages import AdminMessage, Amount, read_amount
from controller.jackpot.linked.wire import MalformedMessage
from controller.property.signed import SignedMessage, UnsignedError
from controller.property.subjects import PropertySubjects

CONNECT_LIMIT: Final = 10.0
"""Seconds in which a server answers."""
ANSWER_LIMIT: Final = 30.0
"""Seconds in which a level answers: an instance that takes over needs some."""
HEARING: Final = 2.5
"""Seconds in which an amount is heard: the leader announces one every second."""


@dataclass(frozen=True, slots=True)
class LevelPicture:
    """A level now. `amount`: what its leader announced last, None if nothing was heard."""

    history: LevelHistory
    amount: Amount | None


class LevelDesk:
    """One level of the property, or of the hub. The methods wait, and raise ServersError or CredentialsError
    if no server can be reached, and StreamAway or LogFault for a log that cannot be read."""

    def __init__(self, config: FloorConfig, level: str, answer_limit: float = ANSWER_LIMIT) -> None:
        self._config, self._level, self._answer_limit = config, level, answer_limit
        self._subjects = PropertySubjects(config.property)

    def history(self) -> LevelHistory:
        return asyncio.run(self._read())

    def end(self) -> LevelHistory:
        """Only where the log ends."""
        return asyncio.run(self._read_end())

    def picture(self) -> LevelPicture:
        return asyncio.run(self._look())

    def decide(self, message: AdminMessage, sequence: int) -> LevelAct:
        """The level's answer to the message, which the floor's key signs. `sequence`: of the log's last
        message that the persons saw. Raises NoAnswer, KeyUnknown, KeyFault, too."""
        return asyncio.run(self._decide(message, sequence))

    async def _read(self) -> LevelHistory:
        async with self._connected() as client:
            return await self._history(client)

    async def _read_end(self) -> LevelHistory:
        async with self._connected() as client:
            return await read_end(client.jetstream(), self._subjects.progressive_log(self._level))

    async def _look(self) -> LevelPicture:
        keys = [bytes.fromhex(key) for key in self._config.progressive_keys]
        async with self._connected() as client:
            heard = await client.subscribe(self._subjects.incoming().amount(self._level))
            history = await self._history(client)
            return LevelPicture(history, await _heard(heard, keys) if keys else None)

    async def _history(self, client: Client) -> LevelHistory:
        return await read_history(client.jetstream(), self._subjects.progressive_log(self._level))

    async def _decide(self, message: AdminMessage, sequence: int) -> LevelAct:
        signer = floor_signer(Path(self._config.key))
        async with self._connected() as client:
            level = LevelAdministration(client, self._subjects, self._level, signer)
            return await level.decide(message, sequence, self._answer_limit)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Client]:
        """Raises ServersError, CredentialsError."""
        refused = ""

        def keep(why: str) -> None:
            nonlocal refused
            refused = why

        try:
            async with (
                asyncio.timeout(CONNECT_LIMIT) as limit,
                connection(servers_of(self._config), on_refused=keep) as client,
            ):
                limit.reschedule(None)
                yield client
        except (TimeoutError, nats.errors.Error, ConnectionEndedError) as error:
            why = refused or str(error) or f"no answer in {CONNECT_LIMIT:g} s"
            servers = ", ".join(self._config.servers)
            raise ServersError(f"the servers {servers} cannot be asked about {self._level}: {why}") from error


async def _heard(heard: Subscription, keys: Collection[bytes]) -> Amount | None:
    """The next amount that one of the keys has signed; None if there is none in time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(HEARING):
            async for message in heard.messages:
                with suppress(UnsignedError, MalformedMessage):
                    signed = SignedMessage.received(message.subject, message.data, message.headers)
                    return read_amount(signed.verify(keys))
    return None
