"""Who has a lease while servers elect a leader, and when another instance takes it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from nats.aio.client import Client

from controller.floor import lease as module
from controller.floor.connection import Servers, connection
from controller.floor.lease import Lease, LeaseTerms, holder_of
from controller.floor.nats_server import nats_server
from controller.floor.streams import LEASE, Deployment, prepare
from controller.process.tasks import end_tasks
from tests.fixtures.waiting import PATIENCE, come_true


@asynccontextmanager
async def property_with_leases(folder: Path) -> AsyncIterator[Client]:
    async with (
        nats_server(folder / "server") as address,
        connection(Servers((address,), "p", "_INBOX_p")) as client,
    ):
        await prepare(client.jetstream(), Deployment("house"))
        yield client


class Holder:
    """An instance that wants to lead, and what it was told."""

    def __init__(self, client: Client, key: str, name: str, terms: LeaseTerms) -> None:
        self.changes = list[bool]()
        self.lease = Lease(client.jetstream(), key, name, terms, self.changes.append)
        self._task = asyncio.create_task(self.lease.run())

    async def kill(self) -> None:
        """It gives nothing back."""
        await end_tasks([self._task])


async def no_majority() -> bool:
    return False


async def majority() -> bool:
    return True


async def test_a_lease_is_kept_during_an_election_and_is_lost_without_a_majority(tmp_path: Path) -> None:
    async with property_with_leases(tmp_path) as client:
        stream = client.jetstream()
        patient = Holder(client, "one", "p1", LeaseTerms(majority=majority))
        strict = Holder(client, "two", "p1", LeaseTerms(majority=no_majority))
        await come_true(lambda: patient.lease.held and strict.lease.held)
        await stream.delete_stream(f"KV_{LEASE}")  # as long as servers elect, no lease can be written
        await come_true(lambda: not strict.lease.held)
        await prepare(stream, Deployment("house"))
        await come_true(lambda: strict.lease.held)
        async with asyncio.timeout(PATIENCE):
            while await holder_of(stream, "one") != "p1":
                continue
        assert patient.changes == [True]
        await asyncio.gather(patient.kill(), strict.kill())


async def test_an_election_that_never_ends_ends_a_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONGEST_ELECTION", 0.5)
    async with property_with_leases(tmp_path) as client:
        holder = Holder(client, "one", "p1", LeaseTerms(majority=majority))
        await come_true(lambda: holder.lease.held)
        await client.jetstream().delete_stream(f"KV_{LEASE}")
        await come_true(lambda: not holder.lease.held)
        await holder.kill()


async def test_a_lease_of_another_instance_is_lost_at_once_after_an_election(tmp_path: Path) -> None:
    async with property_with_leases(tmp_path) as client:
        stream = client.jetstream()
        holder = Holder(client, "one", "p1", LeaseTerms(majority=majority))
        await come_true(lambda: holder.lease.held)
        await stream.publish(f"$KV.{LEASE}.one", b"p2")
        await come_true(lambda: not holder.lease.held)
        assert await holder_of(stream, "one") == "p2"
        await holder.kill()


async def test_the_other_instance_waits_until_the_leader_is_silent_unless_the_lease_was_given_back(
    tmp_path: Path,
) -> None:
    is_silent = False
    async with property_with_leases(tmp_path) as client:
        first = Holder(client, "one", "p1", LeaseTerms())
        await come_true(lambda: first.lease.held)
        second = Holder(client, "one", "p2", LeaseTerms(may_follow=lambda: is_silent))
        await first.lease.release()
        await first.kill()
        await come_true(lambda: second.lease.held)
        await second.kill()
        third = Holder(client, "one", "p3", LeaseTerms(may_follow=lambda: is_silent))

        while await holder_of(client.jetstream(), "one"):
            continue
        await asyncio.sleep(4 * module.ATTEMPT)
        assert not third.lease.held
        is_silent = True
        await come_true(lambda: third.lease.held)
        await third.kill()
