"""What the daemon does about directories of the floor unasked: alerts, and who deals."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from controller.access.directory import OFFLINE, FloorAccount, OfferedDirectory
from controller.access.errors import AccountsUnusable
from controller.config import Config, read
from controller.daemon.access_journal import record_access
from controller.daemon.floor_contact import look_at_directory
from controller.daemon.web_access import open_accounts
from controller.table.apply.conditions import DIRECTORY, NAMES
from controller.table.record.causes import Cause
from controller.table.record.events import DealerOn
from tests.fixtures.access_desk import PIN, Clock
from tests.fixtures.daemon_process import configured
from tests.fixtures.device_inputs import Script
from tests.fixtures.floor_table import with_uplink
from tests.fixtures.loop_table import loop_table
from tests.fixtures.waiting import come_true

SAM = FloorAccount("5" * 16, "Sam", "dealer")
FIRST = OfferedDirectory(7, 100.0, (SAM,))
HOURS = 24


@pytest.fixture
def steady() -> Clock:
    return Clock()


@pytest.fixture
def desk(tmp_path: Path, steady: Clock) -> Iterator[AccessDesk]:
    with AccessDesk(tmp_path / "access.db", Clock(), steady, offline_for=HOURS * 3600.0) as desk:
        yield desk


def conditions(desk: AccessDesk) -> dict[Cause, str]:
    """What is wrong with the directory now, by cause."""
    found: dict[Cause, str] = {}
    look_at_directory(HOURS, found.__setitem__, desk)
    return {cause: text for cause, text in found.items() if text}


def test_an_alert_says_how_long_the_last_directory_counts(desk: AccessDesk, steady: Clock) -> None:
    assert conditions(desk) == {}
    desk.directory.take(FIRST)
    assert conditions(desk) == {}
    steady.now += OFFLINE
    assert conditions(desk)[DIRECTORY].endswith("The last one counts for 24 h")
    steady.now += HOURS * 3600
    assert "no directory for 24 h. Only dealers who have dealt here" in conditions(desk)[DIRECTORY]
    desk.directory.take(OfferedDirectory(7, 200.0, (SAM,)))
    assert conditions(desk) == {}


def test_an_alert_names_the_accounts_of_the_floor_that_do_not_count(desk: AccessDesk) -> None:
    desk.accounts.add("Sam", "dealer", "root", PIN)
    desk.directory.take(FIRST)
    assert conditions(desk)[NAMES].endswith("such names: Sam")
    desk.accounts.remove("Sam", "root")
    desk.directory.take(OfferedDirectory(7, 200.0, (SAM,)))
    assert conditions(desk) == {}


async def test_whoever_deals_may_sign_in_later_without_the_floor(
    tmp_path: Path, desk: AccessDesk, steady: Clock
) -> None:
    desk.directory.take(FIRST)
    script = Script("easy-jack", devices={})
    with loop_table(tmp_path / "journal", script.started()) as at:
        at.apply(DealerOn("Sam"))
        looks: list[AccessDesk] = []
        copying = asyncio.create_task(record_access(desk, at.table, lambda _fault: None, looks.append))
        await come_true(lambda: looks)
        copying.cancel()
        with suppress(asyncio.CancelledError):
            await copying
    steady.now += 30 * 3600
    (sam,) = desk.accounts.secret_rows()
    assert desk.directory.state == "expired"
    assert desk.directory.refusal(sam) == ""


class TestLeaving:
    """A table whose configuration names no floor any more."""

    def names(self, config: Config) -> list[str]:
        with open_accounts(config) as found:
            assert not isinstance(found, AccountsUnusable)
            return [account.name for account in found.accounts.list_all()]

    def test_forgets_the_people_of_the_floor(self, tmp_path: Path) -> None:
        config = read(with_uplink(tmp_path, "nats://127.0.0.1:4222"))
        with open_accounts(config) as found:
            assert not isinstance(found, AccountsUnusable)
            found.directory.take(FIRST)
            found.accounts.add("Dee", "dealer", "root", PIN)
        assert self.names(config) == ["Dee", "Sam"]
        assert self.names(read(configured(tmp_path))) == ["Dee"]
