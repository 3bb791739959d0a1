"""One account for the floor and its tables, through real processes: daemon, uplink, server and floor."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from nats.aio.client import Client
from typer.testing import CliRunner

from controller.access.accounts import Accounts
from controller.access.store import AccessStore
from controller.commands.app import app
from controller.config import read
from controller.demo.reservations import free_port
from controller.floor.admitting import read_request
from controller.floor.connection import Servers, connection
from controller.floor.nats_server import nats_server
from controller.floor.register import Decision, FloorRegister
from controller.floor.service.preparing import prepare_floor
from controller.floor.settings import read_floor
from controller.floor.streams import DIRECTORY
from controller.floor.uplink.enrolment import request_of
from controller.past.recall.audit import AuditQuery, audit
from controller.property.signed import SignedMessage
from controller.property.status import read_status
from controller.property.subjects import PropertySubjects
from controller.socket.client import CoreClient
from controller.socket.codes import Code
from controller.socket.listening import socket_place
from controller.socket.wire import CallRefused
from tests.controller.floor.floor_process import FloorProcess, running
from tests.fixtures.access_desk import FROM, PASSWORD
from tests.fixtures.daemon_process import notified
from tests.fixtures.floor_table import with_uplink
from tests.fixtures.loopback import CLIENT_OPTIONS
from tests.fixtures.waiting import come_true

pytestmark = pytest.mark.usefixtures("fork_server")

SUBJECT = PropertySubjects("house").directory("bj-7")
FLOOR = """
property = "house"
servers = ["{server}"]
[pits]
main = ["bj-7"]
[web]
port = {port}
"""


class House:
    """A property with one table: the files of both."""

    def __init__(self, folder: Path, server: str) -> None:
        self.server = server
        self.floor, self.table = folder / "floor" / "floor.toml", folder / "table"
        for each in (self.floor.parent, self.table):
            each.mkdir()
        self.floor.write_text(FLOOR.format(server=server, port=free_port()))
        public = prepare_floor(read_floor(self.floor)).public
        self.config = with_uplink(self.table, server, public)
        for key in ("journal", "directory"):
            made = CliRunner().invoke(app, ["provision", key, "--config", str(self.config)])
            assert made.exit_code == 0

    @contextmanager
    def accounts(self) -> Iterator[Accounts]:
        """Those of the floor."""
        store = AccessStore(Path(read_floor(self.floor).access.path))
        try:
            yield Accounts(store)
        finally:
            store.close()

    def admit(self) -> None:
        """Two persons admit what `tableside table uplink enroll` prints."""
        request = json.dumps(request_of(read(self.config)).model_dump())
        asked = read_request(request, "house")
        with FloorRegister(Path(read_floor(self.floor).stores), lambda: 1.0) as register:
            register.decide(
                Decision("admit", asked.name(), asked.admission(), "Ann", "Bo", "a table of the pit", 1.0)
            )

    def at_table(self) -> dict[str, Any]:
        """The accounts that the table has, by name."""
        store = AccessStore(Path(read(self.config).access.path))
        try:
            return {row["name"]: dict(row) for row in store.rows("SELECT * FROM account")}
        finally:
            store.close()

    @asynccontextmanager
    async def core(self) -> AsyncIterator[CoreClient]:
        """The running daemon of the table, and a client of the kind web."""
        with notified(self.config, "run") as (_, say):
            await _says(say, "READY=1")
            async with CoreClient(socket_place(read(self.config)).path, "web") as client:
                await client.wait_connected(60)
                yield client

    @asynccontextmanager
    async def uplink(self) -> AsyncIterator[None]:
        with notified(self.config, "uplink") as (process, say):
            await _says(say, "READY=1")
            yield
            process.terminate()
            await asyncio.to_thread(process.wait, 60)

    @asynccontextmanager
    async def client(self) -> AsyncIterator[Client]:
        async with connection(Servers((self.server,), "looker", "_INBOX_looker")) as client:
            yield client

    def audit(self) -> str:
        """The table's audit log."""
        page = audit(Path(read(self.config).journal.path), AuditQuery())
        return "\n".join(line.text for line in page.lines)

    async def replay(self, old: SignedMessage) -> dict[str, Any]:
        """What the core answers to a message that an uplink sends once more."""
        async with CoreClient(socket_place(read(self.config)).path, "uplink") as uplink:
            await uplink.wait_connected(60)
            answer: dict[str, Any] = await uplink.call("act", {"signed": old.fields()})
            return answer


async def _says(say: Callable[[], str], text: str) -> None:
    while text not in await asyncio.to_thread(say):
        continue


async def last_directory(client: Client) -> SignedMessage:
    found = await client.jetstream().get_last_msg(DIRECTORY, SUBJECT)
    return SignedMessage.received(SUBJECT, found.data or b"", found.headers)


async def page_accepts(floor: FloorProcess, secret: str) -> bool:
    await come_true(lambda: floor.logged("page"))
    address = str(floor.logged("page")[0]["address"])
    async with httpx.AsyncClient(base_url=address, **CLIENT_OPTIONS) as browser:
        body = {"kind": "password", "name": "Flo", "secret": secret}
        return (await browser.post("/api/v1/session", json=body)).is_success


async def refuses_flo(core: CoreClient) -> bool:
    try:
        await core.sign_in("password", "Flo", PASSWORD, FROM)
    except CallRefused as refused:
        return refused.code == Code.NO_SESSION
    return False


async def test_one_account_works_everywhere_until_the_floor_revokes_it(tmp_path: Path) -> None:
    async with nats_server(tmp_path / "nats", free_port()) as server:
        house = await asyncio.to_thread(House, tmp_path, server)
        async with house.core() as core, house.client() as looker:
            house.admit()
            async with running(house.floor) as floor:
                with house.accounts() as accounts:
                    accounts.add("Flo", "supervisor", "root", PASSWORD)
                    accounts.set_places("Flo", (), ["main"], "root")
                async with house.uplink():
                    await come_true(lambda: "Flo" in house.at_table(), pause=0.2)
                    token = (await core.sign_in("password", "Flo", PASSWORD, FROM)).token
                    assert await page_accepts(floor, PASSWORD)
                    await _status_has_directory(looker)
                old = await last_directory(looker)
                with house.accounts() as accounts:
                    accounts.remove("Flo", "root")
                await _another_version(looker, old)
                assert await core.session(token), "the table is apart, and knows nothing of it"
                assert not await page_accepts(floor, PASSWORD)
                async with house.uplink():
                    await come_true(lambda: "Flo" not in house.at_table(), pause=0.2)
                    assert await core.session(token) is None
                    assert await refuses_flo(core)
            answer = await house.replay(old)
            assert (answer["ok"], answer["code"]) == (False, "older")
            assert await refuses_flo(core)
            await come_true(lambda: "A directory of the floor was refused" in house.audit(), pause=0.2)
    audit_log = house.audit()
    assert re.search(r"directory: Version \d+: 1 account; new: Flo", audit_log)
    assert "0 accounts; gone: Flo" in audit_log
    assert "argon2" not in audit_log


async def _status_has_directory(client: Client) -> None:
    """The table's own status says which directory it has."""
    subject = PropertySubjects("house").status("bj-7")
    news = await client.subscribe(subject)
    while True:
        message = await news.next_msg(60)
        if message.headers and (has := read_status(message.data).directory) and has.version:
            assert has.state == "online"
            await news.unsubscribe()
            return


async def _another_version(client: Client, old: SignedMessage) -> None:
    news = await client.subscribe(SUBJECT)
    version = json.loads(old.payload)["version"]
    last = await last_directory(client)
    while json.loads(last.payload)["version"] == version:
        message = await news.next_msg(60)
        last = SignedMessage.received(SUBJECT, message.data, message.headers)
    await news.unsubscribe()
