"""Drill `permissions`: a table tries everything under the name of another one, and two writers race."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from nats.aio.client import Client
from nats.js.errors import APIError

from controller.floor.authority.authority import Authority
from controller.floor.authority.nkeys import Nkey, NkeyKind
from controller.floor.authority.permissions import (
    PREPARING_INBOX,
    THIS,
    table_inbox,
    table_permissions,
)
from controller.floor.authority.server_files import accounts
from controller.floor.connection import Servers, connection
from controller.floor.credentials import credentials_text
from controller.floor.drills.house import PROPERTY, until
from controller.floor.drills.outcome import Findings
from controller.floor.nats_server import nats_server
from controller.floor.streams import JOURNAL, Deployment, prepare
from controller.floor.uplink.shipper import EXPECTED, WRONG_SEQUENCE
from controller.property.subjects import PropertySubjects

OWN, OTHER = "bj-1", "bj-2"
RACES: Final = 300
EPOCH: Final = "0123456789abcdef"
LAST: Final = "denied.to.every.client"
"""A server answers in order: its refusal of this subject ends its answers."""


@dataclass(frozen=True, slots=True)
class GuardedServer:
    """A server that admits whom `authority` has signed for."""

    folder: Path
    address: str
    authority: Authority

    def as_table(self, name: str) -> Servers:
        """With new credentials."""
        user = Nkey.make(NkeyKind.USER)
        signed = self.authority.issue(name, user.public, int(time.time())).read_text("ascii").strip()
        path = self.folder / f"{name}-{user.public}.creds"
        path.write_text(credentials_text(signed, user.seed))
        return Servers((self.address,), name, table_inbox(name), None, path)

    def as_preparing(self) -> Servers:
        path = self.authority.make_credentials("prepare", "prepare", int(time.time()))
        return Servers((self.address,), "prepare", PREPARING_INBOX, None, path)


@dataclass
class Trespasser:
    """A client, and what the server refused it."""

    client: Client
    refused: list[str] = field(default_factory=list)

    async def allowed(self, publish: Iterable[str], subscribe: Iterable[str]) -> list[str]:
        """Those of the subjects that the server lets pass."""
        tried = [*(("publish", one) for one in publish), *(("subscription", one) for one in subscribe)]
        for what, subject in tried:
            if what == "publish":
                await self.client.publish(subject, b"{}")
            else:
                await self.client.subscribe(subject)
        await self.client.publish(LAST, b"{}")
        await until(lambda: self._is_refused("publish", LAST))
        return [f"{what} {subject}" for what, subject in tried if not self._is_refused(what, subject)]

    def _is_refused(self, what: str, subject: str) -> bool:
        return any(f'{what} to "{subject}"'.lower() in why for why in self.refused)


async def permissions(folder: Path, _seconds: float) -> Findings:
    found = Findings()
    async with _guarded(folder) as server:
        for name in (OWN, OTHER):
            async with _trespasser(server.as_table(OTHER)) as client:
                allowed = await client.allowed(*_rows(name))
                tried = sum(map(len, _rows(name)))
            if name == OTHER:
                why = f"a table may do only {len(allowed)} of {tried} things under its own name"
                found.check(len(allowed) == tried, why)
            else:
                found.check(not allowed, f"a table may do this under another name: {', '.join(allowed)}")
        await _race(server, found)
    return found


def _rows(table: str) -> tuple[list[str], list[str]]:
    """Subjects of every row of the template, to publish and to subscribe to, under this name."""
    template = table_permissions(PROPERTY)
    publish = [_example(subject, table) for subject in template.publish]
    return publish, [_example(subject, table) for subject in template.subscribe if THIS in subject]


def _example(subject: str, table: str) -> str:
    return subject.replace(THIS, table).replace("*", "x1").replace(">", "x2")


async def _race(server: GuardedServer, found: Findings) -> None:
    """Two programs with one table's name and one expectation: exactly one of them wins each time."""
    subject = PropertySubjects(PROPERTY).journal(OWN, EPOCH)
    async with connection(server.as_table(OWN)) as one, connection(server.as_table(OWN)) as other:
        last = 0
        for number in range(RACES):
            answers = await asyncio.gather(
                *(_publish(client, subject, last, number) for client in (one, other))
            )
            won = [answer for answer in answers if answer]
            found.published += len(won)
            if len(won) != 1:
                found.faults.append(f"race {number}: {len(won)} writers won")
                return
            last = won[0]


async def _publish(client: Client, subject: str, last: int, number: int) -> int:
    """The sequence of the message; 0 if another one was first."""
    headers = {EXPECTED: str(last)}
    try:
        taken = await client.jetstream().publish(subject, b"%d" % number, stream=JOURNAL, headers=headers)
    except APIError as error:
        if error.err_code in WRONG_SEQUENCE:
            return 0
        raise
    return taken.seq


@asynccontextmanager
async def _guarded(folder: Path) -> AsyncIterator[GuardedServer]:
    authority = Authority(folder / "authority", PROPERTY)
    authority.prepare(int(time.time()))
    async with nats_server(folder / "nats", more=accounts(authority)) as address:
        found = GuardedServer(folder, address, authority)
        async with connection(found.as_preparing()) as client:
            await prepare(client.jetstream(), Deployment(PROPERTY))
        yield found


@asynccontextmanager
async def _trespasser(servers: Servers) -> AsyncIterator[Trespasser]:
    client = Client()
    found = Trespasser(client)

    async def refuse(error: Exception) -> None:
        found.refused.append(str(error).lower())

    await client.connect(
        list(servers.addresses),
        inbox_prefix=servers.inbox,
        allow_reconnect=False,
        error_cb=refuse,
        **servers.security(),
    )
    try:
        yield found
    finally:
        await client.close()
