"""The accounts of a floor at its two instances, which share them in the floor's own journal."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.access.accounts import Account, Accounts
from controller.access.store import AccessStore
from controller.floor.approvals.acts import FloorActs
from controller.floor.connection import Servers, connection
from controller.floor.nats_server import nats_server
from controller.floor.service.account_log import ENTRY, AccountLog
from controller.floor.streams import Deployment, prepare
from controller.journal.signing import Signer
from controller.process.tasks import end_tasks
from tests.controller.floor.approvals.acting import instance, until_acting
from tests.controller.floor.approvals.house import FLOOR_KEY
from tests.fixtures.waiting import come_true

PASSWORD = "quiet-castle-91"
SELECT = "SELECT id, name, role, password, badge, badge_code, locked, pits FROM account ORDER BY name"


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    async with nats_server(tmp_path / "nats") as found:
        async with connection(Servers((found,), "prepare", "_INBOX_prepare")) as client:
            await prepare(client.jetstream(), Deployment("house"))
        yield found


class Computer:
    """A computer of the floor, with a file of accounts."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.store = AccessStore(folder / "accounts.sqlite")
        self.accounts = Accounts(self.store)

    def rows(self) -> list[tuple[object, ...]]:
        return [tuple(row) for row in self.store.rows(SELECT)]

    def listed(self) -> dict[str, Account]:
        return {one.name: one for one in self.accounts.list_all()}


@dataclass(frozen=True, slots=True)
class House:
    one: Computer
    two: Computer

    async def until_equal(self) -> None:
        await come_true(lambda: self.one.rows() == self.two.rows())


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(Computer(tmp_path / "one"), Computer(tmp_path / "two"))
    yield made
    for each in (made.one, made.two):
        each.store.close()


@asynccontextmanager
async def sharing(address: str, at: Computer, signer: Signer = FLOOR_KEY) -> AsyncIterator[FloorActs]:
    async with instance(address, at.folder) as acts:
        running = asyncio.create_task(AccountLog(at.folder / "accounts.sqlite", acts, signer).run())
        try:
            yield acts
        finally:
            await end_tasks([running])


async def test_a_second_computer_takes_over_all_accounts(address: str, house: House) -> None:
    ann = house.one.accounts.add("Ann", "supervisor", "root", PASSWORD)
    house.one.accounts.add("Dee", "dealer", "root")
    house.one.accounts.set_secret("Dee", "badge", "badge-of-dee-17", "root")
    house.one.accounts.set_places("Dee", (), ("main",), "root")
    house.two.accounts.add("Ann", "technician", "root", PASSWORD)
    house.two.accounts.add("Eve", "supervisor", "root", PASSWORD)
    async with sharing(address, house.one) as acts:
        await until_acting(acts)
        async with sharing(address, house.two):
            await house.until_equal()
    assert house.two.listed().keys() == {"Ann", "Dee"}
    assert house.two.listed()["Ann"] == ann
    assert house.two.accounts.list_all()[1].pits == ("main",)
    one, two = (AccessStore(each.folder / "accounts.sqlite") for each in (house.one, house.two))
    assert one.badge_key == two.badge_key
    one.close()
    two.close()


async def test_changes_at_either_computer_reach_the_other_one(address: str, house: House) -> None:
    house.one.accounts.add("Ann", "supervisor", "root", PASSWORD)
    house.one.accounts.add("Bo", "supervisor", "root", PASSWORD)
    async with sharing(address, house.one) as acts:
        await until_acting(acts)
        async with sharing(address, house.two) as follows:
            await come_true(lambda: len(house.two.listed()) == 2)
            house.two.accounts.set_secret("Ann", "password", f"{PASSWORD}-new", "root")
            await house.until_equal()
            house.one.accounts.lock("Ann", "root")
            house.two.accounts.remove("Bo", "root")
            await come_true(lambda: not house.one.listed().keys() - {"Ann"})
            await come_true(lambda: house.two.listed()["Ann"].locked)
            entries = [entry.body for entry in follows.entries() if entry.kind == ENTRY]
    assert [body.get("removed", False) for body in entries if body["name"] != "Ann"] == [False, True]
    assert "argon2" not in str(entries)


async def test_changes_of_one_account_at_two_computers_raise_no_role(address: str, house: House) -> None:
    house.one.accounts.add("Ann", "supervisor", "root", PASSWORD)
    house.one.accounts.add("Bo", "supervisor", "root", PASSWORD)
    async with sharing(address, house.one) as acts:
        await until_acting(acts)
        async with sharing(address, house.two):
            await house.until_equal()
        house.two.accounts.set_role("Ann", "technician", "root")
        house.two.accounts.remove("Bo", "root")
        before = acts.last
        for name in ("Ann", "Bo"):
            house.one.accounts.set_secret(name, "password", f"{PASSWORD}-new", "root")
        await come_true(lambda: acts.last == before + 2)
        async with sharing(address, house.two):
            await come_true(lambda: house.one.listed().keys() == {"Ann"})
            await come_true(lambda: house.one.listed()["Ann"].locked)
            await house.until_equal()


async def test_an_instance_with_another_key_shares_nothing(address: str, house: House) -> None:
    house.one.accounts.add("Ann", "supervisor", "root", PASSWORD)
    house.two.accounts.add("Eve", "supervisor", "root", PASSWORD)
    async with sharing(address, house.one) as acts:
        await until_acting(acts)
        await come_true(lambda: acts.last)
    async with sharing(address, house.two, Signer(bytes(32))) as acts:
        await until_acting(acts)
        await asyncio.sleep(1)
        assert acts.last == 1
    assert house.two.listed().keys() == {"Eve"}
