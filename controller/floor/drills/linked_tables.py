"""Tables of a linked progressive without devices, at real servers: they send readings, claims and steps, and
hear the amounts."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError

from controller.floor.demo.level import LEVEL
from controller.floor.drills.interleavings.world import Table
from controller.jackpot.linked.entries import LogEntry, Won
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.messages import Admission, read_amount
from controller.journal.signing import Signer
from controller.property.signed import SignedMessage
from controller.property.subjects import PropertySubjects

PAUSE: Final = 0.15
"""Seconds between two rounds of a table; a real one sends its messages every second."""
ANSWER_LIMIT: Final = 0.5


class LinkedTables:
    """So many tables at a level. `announcing`: the public key of the progressive; `faults`: what the tables
    heard and may not hear."""

    def __init__(self, client: Client, subjects: PropertySubjects, count: int, announcing: bytes) -> None:
        self._client, self._subjects, self._announcing = client, subjects, announcing
        self._playing = False
        self._chance = Random(count)
        self.tables = [Table.new(number) for number in range(1, count + 1)]
        self._signers = {table.name: Signer(bytes([number]) * 32) for number, table in enumerate(self.tables)}
        for table in self.tables:
            table.signer = self._signers[table.name].public.hex()
        self._announced = dict[str, int]()
        self.faults = set[str]()

    @property
    def admissions(self) -> list[Admission]:
        return [Admission(table=one.name, epoch=one.epoch, public=one.signer) for one in self.tables]

    @property
    def won(self) -> int:
        """How many claims have amounts."""
        return sum(len(table.rows) for table in self.tables)

    @property
    def states(self) -> set[str]:
        """Whether the level is open at the tables, or lost."""
        return {table.level.state(time.monotonic()) for table in self.tables}

    async def listen(self) -> None:
        await self._client.subscribe(self._subjects.amount(LEVEL), cb=self._hear)

    async def play(self) -> None:
        """Rounds, wins and steps at random, until `stop`."""
        self._playing = True
        while self._playing:
            for table in self.tables:
                acts = (table.play, table.play, table.play, table.win, table.step)
                self._chance.choice(acts)(self._chance)
            await self.send()
            await asyncio.sleep(PAUSE)

    def stop(self) -> None:
        self._playing = False

    async def settle(self) -> None:
        """End the claims that have amounts, and send everything again."""
        for table in self.tables:
            table.step(self._chance)
        await self.send()

    async def send(self) -> None:
        """Everything that is not decided. A message may get lost; it is sent again the next time."""
        for table in self.tables:
            subject = self._subjects.reading(LEVEL, table.name)
            for sent in table.messages():
                message = SignedMessage.make(subject, sent.message.payload, self._signers[table.name])
                with suppress(TimeoutError, APIError, nats.errors.Error):
                    await self._client.jetstream().publish(
                        subject, message.payload, headers=message.headers(), timeout=ANSWER_LIMIT
                    )

    def are_settled(self, level: LinkedLevel) -> bool:
        """Whether every wager counts and every claim has ended, also at the tables."""
        return not level.open and all(
            not table.level.undecided
            and not table.level.unconfirmed
            and all(claim in table.steps for claim in table.claims)
            and level.contributors[table.name, table.epoch].known == table.reading.meters
            for table in self.tables
        )

    def compare(self, log: Sequence[LogEntry]) -> None:
        """What was announced with what the log has."""
        won = [one for entry in log for one in entry.out if isinstance(one, Won)]
        for one in won:
            if self._announced.get(one.claim, one.cents) != one.cents:
                self.faults.add(f"{one.claim}: {one.cents} in the log, and {self._announced[one.claim]} said")

    async def _hear(self, message: Msg) -> None:
        """What all tables do with an amount."""
        signed = SignedMessage.received(message.subject, message.data, message.headers)
        payload = signed.verify({self._announcing})
        amount = read_amount(payload)
        if amount.state == "inoperable":
            self.faults.add("an instance has stopped, and waits for two persons")
        for claim in amount.claims:
            if self._announced.setdefault(claim.claim, claim.cents) != claim.cents:
                self.faults.add(f"{claim.claim} was announced with two amounts")
        for table in self.tables:
            try:
                table.hear(payload, time.monotonic())
            except AssertionError as error:
                self.faults.add(str(error))
            if table.level.conflict:
                self.faults.add(f"{table.name}: {table.level.conflict}")
