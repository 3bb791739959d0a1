"""The floor sends directories through a real server: when, with which version, and over restarts."""

import hashlib
from base64 import b64encode
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from nats.aio.client import Client
from nats.js.errors import NotFoundError

from controller.access.accounts import Accounts
from controller.access.store import AccessStore
from controller.floor.connection import Servers, connection
from controller.floor.directories.contents import AccountFields, fields_of
from controller.floor.directories.publisher import ISSUE_INTERVAL, TAKEN_WITHIN, DirectoryPublisher
from controller.floor.floor_log import FloorEntry, FloorLog
from controller.floor.nats_server import nats_server
from controller.floor.streams import DIRECTORY, Deployment, prepare
from controller.journal.journal import Journal
from controller.journal.signing import Signer
from controller.property.directory import Directory, DirectoryContent
from controller.property.sealing import SealingKey
from controller.property.signed import SignedMessage
from controller.property.status import StatusDirectory
from controller.property.subjects import PropertySubjects
from tests.fixtures.access_desk import Clock

SUBJECTS = PropertySubjects("house")
SIGNER = Signer(bytes(range(32)))
HASH = "$argon2id$v=19$m=9216,t=4,p=1$5jBBLeb8yRARQnoPKT/Gvg$XpgUx8DqwacvtSALIapeFVvPU31r+0DIscotA75UDqM"
KEYS = {"bj-1": SealingKey(bytes(range(32))), "bj-2": SealingKey(bytes(range(1, 33)))}
TABLES = {table: key.public for table, key in KEYS.items()}


@dataclass
class OwnLog:
    """The floor's own journal, of an instance that acts or not."""

    log: FloorLog
    leads: bool = True

    async def record(self, kind: str, body: Mapping[str, Any]) -> FloorEntry:
        return await self.log.append(kind, body)

    def entries(self) -> Iterable[FloorEntry]:
        return self.log.entries()


@dataclass
class Floor:
    """An instance of the floor with its accounts and a crowd of more, and what a table reads from the
    server."""

    client: Client
    accounts: Accounts
    log: OwnLog
    publisher: DirectoryPublisher
    wall: Clock
    steady: Clock
    crowd: list[AccountFields]

    async def beat(self, tables: Mapping[str, bytes] = TABLES) -> None:
        await self.publisher.beat(tables)

    async def last(self, table: str = "bj-1") -> Directory:
        found = await self.client.jetstream().get_last_msg(DIRECTORY, SUBJECTS.directory(table), direct=True)
        message = SignedMessage.received(SUBJECTS.directory(table), found.data or b"", found.headers)
        return Directory.read(message.verify({SIGNER.public}))

    async def content(self, table: str = "bj-1") -> DirectoryContent:
        return (await self.last(table)).open(KEYS[table])

    async def sent(self) -> int:
        """Messages since the stream began."""
        return (await self.client.jetstream().stream_info(DIRECTORY)).state.last_seq


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    async with nats_server(tmp_path / "nats") as found:
        yield found


@asynccontextmanager
async def instance(address: str, folder: Path, wall: Clock, steady: Clock) -> AsyncIterator[Floor]:
    """An instance that begins to act."""
    async with connection(Servers((address,), "floor", "_INBOX_floor")) as client:
        await prepare(client.jetstream(), Deployment("house"))
        store = AccessStore(folder / "access.db")
        accounts = Accounts(store)
        with Journal(folder / "floor.journal", None, SIGNER) as journal:
            log = FloorLog(client.jetstream(), SUBJECTS.floor_log, folder / "floor.journal", journal, wall)
            await log.start()
            own = OwnLog(log)
            crowd: list[AccountFields] = []
            publisher = DirectoryPublisher(
                client,
                SUBJECTS,
                SIGNER,
                own,
                lambda: (*fields_of(accounts.secret_rows()), *crowd),
                {"main": ("bj-1", "bj-2")},
                wall,
                steady,
            )
            yield Floor(client, accounts, own, publisher, wall, steady, crowd)
            store.close()


@pytest.fixture
def wall() -> Clock:
    return Clock()


@pytest.fixture
def steady() -> Clock:
    return Clock(50.0)


@pytest.fixture
async def floor(address: str, tmp_path: Path, wall: Clock, steady: Clock) -> AsyncIterator[Floor]:
    """Ann may work in the pit, and Dee at bj-1."""
    async with instance(address, tmp_path, wall, steady) as floor:
        floor.accounts.add("Ann", "supervisor", "root")
        floor.accounts.store_secret("Ann", "password", HASH, "root")
        floor.accounts.set_places("Ann", (), ["main"], "root")
        floor.accounts.add("Dee", "dealer", "root")
        floor.accounts.store_secret("Dee", "pin", HASH, "root", HASH)
        floor.accounts.set_places("Dee", ["bj-1"], (), "root")
        yield floor


async def test_each_table_gets_its_own_people_and_nobody_elses(floor: Floor) -> None:
    await floor.beat()
    assert [one.name for one in (await floor.content("bj-1")).accounts] == ["Ann", "Dee"]
    assert [one.name for one in (await floor.content("bj-2")).accounts] == ["Ann"]


async def test_versions_are_the_numbers_of_entries_which_hold_no_secret(floor: Floor) -> None:
    await floor.beat()
    entries = [entry for entry in floor.log.entries() if entry.kind == "directory"]
    assert [(entry.n, entry.body["table"]) for entry in entries] == [(1, "bj-1"), (2, "bj-2")]
    assert [(await floor.last(table)).version for table in TABLES] == [1, 2]
    assert [account["name"] for account in entries[0].body["accounts"]] == ["Ann", "Dee"]
    assert "argon2" not in "".join(entry.model_dump_json() for entry in entries)


async def test_nothing_is_sent_while_nothing_changes_and_no_time_passes(floor: Floor) -> None:
    await floor.beat()
    floor.steady.now += ISSUE_INTERVAL - 1
    await floor.beat()
    assert await floor.sent() == 2


async def test_the_same_version_is_issued_again_every_five_minutes(floor: Floor) -> None:
    await floor.beat()
    first = await floor.last()
    floor.steady.now += ISSUE_INTERVAL
    floor.wall.now += ISSUE_INTERVAL
    await floor.beat()
    again = await floor.last()
    assert again.version == first.version
    assert again.issued == pytest.approx(first.issued + ISSUE_INTERVAL)


async def test_a_lock_goes_out_at_once_to_the_tables_that_it_concerns(floor: Floor) -> None:
    await floor.beat()
    before = await floor.last("bj-2")
    floor.accounts.lock("Dee", "root")
    await floor.beat()
    assert (await floor.last("bj-1")).version == 3
    assert [one.locked for one in (await floor.content("bj-1")).accounts] == [False, True]
    assert await floor.last("bj-2") == before


async def test_who_is_taken_away_is_revoked(floor: Floor) -> None:
    await floor.beat()
    dee = (await floor.content()).accounts[1].id
    floor.accounts.set_places("Dee", (), (), "root")
    await floor.beat()
    assert (await floor.content()).revoked == (dee,)


async def test_a_table_with_another_key_gets_a_new_version(floor: Floor) -> None:
    await floor.beat({"bj-1": KEYS["bj-2"].public})
    await floor.beat({"bj-1": KEYS["bj-1"].public})
    assert (await floor.last()).version == 2
    assert (await floor.content()).accounts


async def test_a_clock_that_is_set_back_makes_no_earlier_issue(floor: Floor) -> None:
    await floor.beat()
    first = await floor.last()
    floor.wall.now -= 86_400
    floor.steady.now += ISSUE_INTERVAL
    await floor.beat()
    assert (await floor.last()).issued > first.issued


async def test_an_instance_without_the_lease_sends_nothing(floor: Floor) -> None:
    floor.log.leads = False
    await floor.beat()
    with pytest.raises(NotFoundError):
        await floor.last()
    floor.log.leads = True
    await floor.beat()
    assert (await floor.last()).version == 1


async def test_a_restarted_instance_goes_on_with_version_and_issue(
    address: str, tmp_path: Path, floor: Floor
) -> None:
    await floor.beat()
    first, entries = await floor.last(), len(list(floor.log.entries()))
    other = tmp_path / "other"  # the journal is completed from the stream; the accounts are the same
    other.mkdir()
    (other / "access.db").symlink_to(tmp_path / "access.db")
    async with instance(address, other, Clock(floor.wall.now - 3600), Clock(7.0)) as restarted:
        await restarted.beat()
        again = await restarted.last()
        assert again.version == first.version
        assert again.issued > first.issued
        assert len(list(restarted.log.entries())) == entries
        restarted.accounts.remove("Dee", "root")
        await restarted.beat()
        assert len((await restarted.content()).revoked) == 1


class TestComplaints:
    """Whether a table has what was sent."""

    async def test_a_table_that_has_not_taken_it_is_named_after_half_a_minute(self, floor: Floor) -> None:
        await floor.beat()
        last = await floor.last()
        older = StatusDirectory(version=0)
        assert floor.publisher.complaint("bj-1", older) == ""
        floor.steady.now += TAKEN_WITHIN
        assert floor.publisher.complaint("bj-1", older) == (
            "The table has not taken its directory: it has none"
        )
        assert floor.publisher.complaint("bj-1", None) == "The table does not say which directory it has"
        taken = StatusDirectory(version=last.version, issued=last.issued)
        assert floor.publisher.complaint("bj-1", taken) == ""

    async def test_a_table_that_misses_the_last_issue_is_named(self, floor: Floor) -> None:
        await floor.beat()
        first = await floor.last()
        floor.steady.now += ISSUE_INTERVAL
        await floor.beat()
        floor.steady.now += TAKEN_WITHIN
        has = StatusDirectory(version=first.version, issued=first.issued)
        assert floor.publisher.complaint("bj-1", has).endswith(f"it has version {first.version}")

    async def test_a_directory_that_is_too_long_is_a_complaint_and_is_not_sent(self, floor: Floor) -> None:
        floor.crowd += [_dealer(number) for number in range(700)]
        await floor.beat()
        assert "the directory of bj-1 has 702 accounts" in floor.publisher.complaint("bj-1", None)
        with pytest.raises(NotFoundError):
            await floor.last("bj-1")
        assert (await floor.content("bj-2")).accounts


def _dealer(number: int) -> AccountFields:
    """A dealer of bj-1, whose hash deflating makes no shorter."""
    parts = (hashlib.sha256(f"{number} {part}".encode()).digest() for part in range(2))
    salt, digest = (b64encode(text).decode().rstrip("=") for text in parts)
    secret = f"$argon2id$v=19$m=9216,t=4,p=1${salt}${digest}"
    return (f"{number:016x}", f"Dealer {number}", "dealer", None, secret, None, 0, "bj-1", "")
