"""A floor as it is installed: servers from the files of `floor prepare`, with TLS and credentials, a table
that two persons have admitted, and what a revocation does to it."""

import asyncio
import json
import ssl
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.access.accounts import Accounts
from controller.access.store import AccessStore
from controller.calendar import Calendar
from controller.commands.app import app
from controller.config import ConfigError
from controller.demo.reservations import free_port
from controller.floor.authority.authority import Authority
from controller.floor.authority.nkeys import Nkey, NkeyKind
from controller.floor.keys import floor_signer
from controller.floor.nats_server import nats_program
from controller.floor.service import preparing
from controller.floor.service.preparing import prepare_keys
from controller.floor.settings import read_floor
from controller.floor.store import FloorStore
from controller.journal.trust import write_public
from tests.controller.floor.floor_process import running
from tests.fixtures.access_desk import add_person
from tests.fixtures.core_table import FLOOR_KEY, open_core
from tests.fixtures.daemon_process import notified
from tests.fixtures.floor_table import with_uplink
from tests.fixtures.house_ca import make_certificates
from tests.fixtures.waiting import PATIENCE, come_true

pytestmark = pytest.mark.usefixtures("fork_server")

FIRST, SECOND = "correct horse battery", "staple correct horse"
PERSONS = ("--who", "Ann", "--second", "Bo", "--why", "a table of the pit")
PLAYED = "1:main=500 close 8h 9c 9d Kc 1:stand 1:pay 1:main="
FLOOR = """
property = "house"
servers = ["tls://127.0.0.1:{port}"]
monitors = ["https://127.0.0.1:{monitor}"]
ca = "ca.crt"
authority = "authority"
credentials = "authority/floor.creds"
levels = ["sevens"]
"""
TABLE = """
credentials = "keys/uplink.creds"
ca = "ca.crt"
[floor]
"""


class Installation:
    """The folder of a floor, that of a table, and a server whose files are those of `floor prepare`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.table = folder, folder / "table"
        self.port, monitor = free_port(), free_port()
        self.table.mkdir()
        make_certificates(folder)
        self.config = folder / "floor.toml"
        self.config.write_text(FLOOR.format(port=self.port, monitor=monitor))
        self._add_persons()
        self.server_files = folder / "authority" / "servers"

    def _add_persons(self) -> None:
        store = AccessStore(self.folder / "access.db")
        accounts = Accounts(store)
        add_person(accounts, "Ann", "supervisor", FIRST)
        add_person(accounts, "Bo", "supervisor", SECOND)
        store.close()

    @property
    def address(self) -> str:
        return f"tls://127.0.0.1:{self.port}"

    async def floor(self, *words: str) -> Result:
        """`tableside floor ...`, with the passwords of two supervisors."""
        return await self._ran(["floor", *words, "--config", str(self.config)], f"{FIRST}\n{SECOND}\n")

    async def uplink(self, *words: str) -> Result:
        return await self._ran(["uplink", *words, "--config", str(self.table / "table.toml")], "")

    async def _ran(self, words: list[str], typed: str) -> Result:
        return await asyncio.to_thread(CliRunner().invoke, app, words, typed)

    def set_up_table(self) -> None:
        public = floor_signer(self.folder / "keys" / "floor.key").public.hex()
        path = with_uplink(self.table, self.address, public)
        path.write_text(path.read_text().replace("[floor]\n", TABLE.lstrip(), 1))
        (self.table / "ca.crt").write_bytes((self.folder / "ca.crt").read_bytes())
        write_public(self.table / "journal.pub", FLOOR_KEY.public)

    @asynccontextmanager
    async def server(self) -> AsyncIterator[asyncio.subprocess.Process]:
        """A server on this computer, which keeps its files here instead of in /etc and /var."""
        own = self.server_files / f"127.0.0.1-{self.port}.conf"
        text = own.read_text().replace("/etc/tableside/nats", str(self.folder))
        copy = self.server_files / "here.conf"
        copy.write_text(text.replace("/var/lib/tableside-nats", str(self.folder / "nats")))
        with (self.folder / "server.log").open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                nats_program(), "-c", str(copy), stdout=log, stderr=log
            )
        try:
            yield process
        finally:
            process.terminate()
            await process.wait()

    def stored(self) -> dict[str, int]:
        """The last row that the floor has of each table."""
        with FloorStore(self.folder / "stores", Calendar(), time.time) as store:
            return {name.table: head.row for name, head in store.newest.heads().items()}


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    """Prepared, but for the streams."""
    made = Installation(tmp_path)
    prepare_keys(read_floor(made.config))
    made.set_up_table()
    return made


async def test_a_table_comes_to_the_floor_and_is_revoked(installation: Installation) -> None:
    async with installation.server():
        done = await installation.floor("prepare")
        assert done.exit_code == 0, done.output
        assert "stream PROGRESSIVE_LOG: made" in done.output
        async with table_that_plays(installation):
            await admit(installation)
            async with running(installation.config):
                with notified(installation.table / "table.toml", "uplink") as (process, say):
                    await until(say, "STATUS=Sends rows to the floor")
                    await come_true(lambda: installation.stored().get("bj-7", 0) > 20)
                    assert "Violation" not in (installation.folder / "server.log").read_text()
                    await revoke(installation)
                    _, logged = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
                    assert process.returncode == 1
                    assert "the servers ended the connection" in logged
                with notified(installation.table / "table.toml", "uplink") as (_, say):
                    await until(say, "A server of the floor refuses the table's credentials")


@asynccontextmanager
async def table_that_plays(installation: Installation) -> AsyncIterator[None]:
    folder = installation.table
    async with open_core(folder, PLAYED, socket_path=folder / "journal.sock"):
        yield


async def admit(installation: Installation) -> None:
    """As an installer does it: the request goes to the floor, and what it signs to the table."""
    request = await installation.uplink("enroll")
    assert request.exit_code == 0, request.output
    done = await installation.floor("admit", request.stdout, *PERSONS)
    assert done.exit_code == 0, done.output
    [signed] = (installation.folder / "authority" / "issued").iterdir()
    assert str(signed) in done.output
    joined = await installation.uplink("join", str(signed))
    assert joined.exit_code == 0, joined.output


async def revoke(installation: Installation) -> None:
    done = await installation.floor("revoke", "bj-7", *PERSONS)
    assert done.exit_code == 0, done.output
    assert f"servers that know it: 127.0.0.1-{installation.port}" in done.output
    accounts = installation.server_files / "accounts.conf"
    assert Authority(installation.folder / "authority", "house").account_jwt.strip() in accounts.read_text()


async def until(say: Callable[[], str], text: str) -> None:
    while text not in await asyncio.to_thread(say):
        continue


async def test_the_servers_speak_tls_1_3_with_the_certificate_of_the_house_only(
    installation: Installation,
) -> None:
    async with installation.server():
        assert (await installation.floor("prepare")).exit_code == 0
        context = ssl.create_default_context(cafile=installation.folder / "ca.crt")
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        reader, writer = await asyncio.open_connection("127.0.0.1", installation.port)
        await reader.readline()
        with pytest.raises(ssl.SSLError):
            await writer.start_tls(context)
        writer.close()


async def test_prepare_without_a_server_says_what_to_copy(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "ANSWER_LIMIT", 0.5)
    done = await installation.floor("prepare")
    assert done.exit_code == 1
    advice = f"copy the files in {installation.server_files} to them, start them, and prepare again"
    assert advice in done.output


async def test_the_files_of_the_servers_are_made_without_a_server(installation: Installation) -> None:
    before = {path.name: path.read_bytes() for path in installation.server_files.iterdir()}
    done = await installation.floor("prepare", "--files")
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[1:] == [f"files of the servers: {installation.server_files}"]
    assert {path.name: path.read_bytes() for path in installation.server_files.iterdir()} == before
    listed = json.loads((await installation.floor("prepare", "--files", "--json")).stdout)
    assert listed["servers"] == str(installation.server_files)


async def test_a_request_without_a_key_of_the_uplink_is_refused(installation: Installation) -> None:
    async with table_that_plays(installation):
        request = json.loads((await installation.uplink("enroll")).stdout)
    done = await installation.floor("admit", json.dumps({**request, "user": ""}), *PERSONS)
    assert done.exit_code == 2
    assert "user is missing; needed: the key that tableside table uplink enroll makes" in done.output
    damaged = {**request, "user": request["user"][:-1] + ("A" if request["user"][-1] != "A" else "B")}
    done = await installation.floor("admit", json.dumps(damaged), *PERSONS)
    assert done.exit_code == 2
    assert "user = " in done.output


async def test_credentials_of_another_table_are_refused(installation: Installation) -> None:
    authority = Authority(installation.folder / "authority", "house")
    async with table_that_plays(installation):
        user = json.loads((await installation.uplink("enroll")).stdout)["user"]
    other = authority.issue("bj-8", user, int(time.time()))
    done = await installation.uplink("join", str(other))
    assert (done.exit_code, "it is for the table 'bj-8'; allowed: 'bj-7'" in done.output) == (1, True)
    stranger = authority.issue("bj-7", Nkey.make(NkeyKind.USER).public, int(time.time()))
    done = await installation.uplink("join", str(stranger))
    assert (done.exit_code, f"the key of this table is {user}" in done.output) == (1, True)
    assert not (installation.table / "keys" / "uplink.creds").exists()


async def test_a_table_without_credentials_cannot_be_revoked(installation: Installation) -> None:
    done = await installation.floor("revoke", "bj-9", *PERSONS)
    assert done.exit_code == 1
    assert "table 'bj-9': the floor has signed no credentials for it" in done.output


def test_a_cluster_of_three_knows_its_other_two(installation: Installation) -> None:
    """The server itself reads each of the three files."""
    hosts = [f"nats-{number}.house.example" for number in (1, 2, 3)]
    servers = ", ".join(f'"tls://{host}:4222"' for host in hosts)
    monitors = ", ".join(f'"https://{host}:8222"' for host in hosts)
    lines = installation.config.read_text().splitlines()
    text = "\n".join(line for line in lines if not line.startswith(("servers", "monitors")))
    installation.config.write_text(f"servers = [{servers}]\nmonitors = [{monitors}]\nreplicas = 3\n{text}\n")
    prepare_keys(read_floor(installation.config))
    for host in hosts:
        path = installation.server_files / f"{host}-4222.conf"
        written = path.read_text()
        others = [f'"nats-route://{other}:6222"' for other in hosts if other != host]
        assert f"routes: [{', '.join(others)}]" in written
        copy = path.with_name("here.conf")
        copy.write_text(written.replace("/etc/tableside/nats", str(installation.folder)))
        checked = subprocess.run(
            [nats_program(), "-t", "-c", copy], capture_output=True, text=True, check=False
        )
        assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("monitors", ["", 'monitors = ["https://nats-2.house.example:8222"]\n'])
def test_a_server_elsewhere_must_be_monitored(tmp_path: Path, monitors: str) -> None:
    config = tmp_path / "floor.toml"
    config.write_text(f'property = "house"\nservers = ["tls://nats-1.house.example:4222"]\n{monitors}')
    with pytest.raises(
        ConfigError, match=r"monitors = .* with the monitoring port of nats-1\.house\.example"
    ):
        read_floor(config)
