"""Failures lock a name where they were typed; a stranger keeps nobody out who signs in elsewhere."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.access import lockout
from controller.access.desk import AccessDesk
from controller.access.errors import AccessError, LockedOut, WrongSecret
from controller.access.lockout import FIRST_LOCK, FREE_FAILURES, MOST_COUNTERS, Counters, Lockout
from controller.access.origin import AT_TABLE
from controller.access.people import Person, SecretKind
from controller.access.store import AccessStore
from controller.access.turns import MOST_WAITING, MOST_WAITING_EACH
from tests.fixtures.access_desk import (
    BADGE,
    FROM,
    PASSWORD,
    PIN,
    Clock,
    HashingThread,
    fail_sign_in,
    hire_staff,
)

SCREEN = "127.0.0.1"
WRONG_PASSWORD = "nine cards and felt"


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> Iterator[AccessDesk]:
    """A desk whose dealers sign in at the table's own screen, as by default."""
    with AccessDesk(tmp_path / "access.db", clock, clock, hashing=HashingThread()) as desk:
        hire_staff(desk)
        yield desk


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockout, "LONGEST_DELAY", 0.01)


async def answer(desk: AccessDesk, kind: SecretKind, name: str, secret: str, address: str) -> str:
    """What the person gets to read."""
    try:
        _, session = await desk.sign_in(kind, name, secret, address)
    except AccessError as refused:
        return f"{type(refused).__name__}: {refused}"
    return f"signed in as {session.person.name}"


@pytest.mark.usefixtures("quick")
async def test_a_stranger_elsewhere_keeps_no_supervisor_out(house: AccessDesk) -> None:
    for address in (*("10.9.9.9",) * (FREE_FAILURES + 1), *(f"10.8.0.{number}" for number in range(20))):
        with pytest.raises((WrongSecret, LockedOut)):
            await house.sign_in("password", "Ann", WRONG_PASSWORD, address)
    assert await answer(house, "password", "Ann", PASSWORD, "10.9.9.9") == (
        "LockedOut: too many failures: locked for 5 minutes"
    )
    assert await answer(house, "password", "Ann", PASSWORD, FROM) == "signed in as Ann"


@pytest.mark.usefixtures("quick")
async def test_signing_in_elsewhere_does_not_unlock_a_stranger(house: AccessDesk) -> None:
    for _ in range(FREE_FAILURES):
        with pytest.raises((WrongSecret, LockedOut)):
            await house.sign_in("password", "Ann", WRONG_PASSWORD, "10.9.9.9")
    await house.sign_in("password", "Ann", PASSWORD, FROM)
    with pytest.raises(LockedOut):
        await house.sign_in("password", "Ann", PASSWORD, "10.9.9.9")


async def test_failures_at_the_table_lock_the_table_only(house: AccessDesk) -> None:
    for _ in range(FREE_FAILURES):
        with pytest.raises((WrongSecret, LockedOut)):
            await house.sign_in("password", "Ann", WRONG_PASSWORD, SCREEN)
    with pytest.raises(LockedOut):
        await house.sign_in("password", "Ann", PASSWORD, "::1")
    await house.sign_in("password", "Ann", PASSWORD, FROM)


async def test_failures_elsewhere_lock_no_dealer_out_of_the_table(desk: AccessDesk) -> None:
    """Dealers of this desk may sign in from elsewhere, too."""
    await fail_sign_in(desk, "Dee", times=FREE_FAILURES)
    with pytest.raises(LockedOut):
        await desk.sign_in("pin", "Dee", PIN, FROM)
    await desk.sign_in("pin", "Dee", PIN, "", at_table=True)


def test_a_name_waits_longer_with_each_failure(tmp_path: Path, clock: Clock) -> None:
    with closing(AccessStore(tmp_path / "access.db")) as store:
        failures, counted = Lockout(store, clock), Counters((), ("everywhere",))
        delays = []
        for _ in range(10):
            delays.append(failures.delay("Ann", counted))
            failures.failed("Ann", Counters(("10.0.0.7",), counted.slowing))
    assert delays == [0, 0, 0, 0, 0, 0.5, 1, 2, 4, 4]


async def test_one_network_of_ipv6_counts_as_one_place(house: AccessDesk) -> None:
    for number in range(FREE_FAILURES):
        with pytest.raises((WrongSecret, LockedOut)):
            await house.sign_in("password", "Ann", WRONG_PASSWORD, f"2001:db8:0:1::{number}")
    with pytest.raises(LockedOut):
        await house.sign_in("password", "Ann", PASSWORD, "2001:db8:0:1:ffff::9")
    with pytest.raises(LockedOut):
        await fail_as_ipv4_in_ipv6(house)


async def fail_as_ipv4_in_ipv6(house: AccessDesk) -> None:
    for address in ("10.0.0.8", "::ffff:10.0.0.8") * 3:
        try:
            await house.sign_in("pin", "Nobody", "0000", address)
        except WrongSecret:
            continue


@pytest.mark.parametrize(("kind", "name", "secret"), [("pin", "Dee", PIN), ("badge", "", BADGE)])
async def test_a_dealer_signs_in_at_the_tables_own_screen_only(
    house: AccessDesk, kind: SecretKind, name: str, secret: str
) -> None:
    for address in (SCREEN, "::1", "::ffff:127.0.0.1", ""):
        await house.sign_in(kind, name, secret, address)
    await house.sign_in(kind, name, secret, "10.0.0.7", at_table=True)
    with pytest.raises(WrongSecret):
        await house.sign_in(kind, name, secret, FROM)
    with pytest.raises(WrongSecret):
        await house.sign_in(kind, name, secret, "no address")
    with pytest.raises(WrongSecret):
        await house.confirm(Person("Dee", "dealer"), kind, secret, FROM)


async def test_a_dealer_elsewhere_reads_what_a_stranger_reads(house: AccessDesk) -> None:
    """From one address and from many, with the right PIN and with a wrong one."""
    answers = []
    for net, name, secret in (("10.1", "Dee", PIN), ("10.2", "Dee", "0000"), ("10.3", "Nobody", PIN)):
        addresses = [*(f"{net}.0.1",) * (FREE_FAILURES + 2), *(f"{net}.0.{last}" for last in range(2, 8))]
        answers.append([await answer(house, "pin", name, secret, address) for address in addresses])
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][0] == "WrongSecret: name or PIN is not right"
    assert await answer(house, "pin", "Dee", PIN, SCREEN) == "signed in as Dee"


async def test_the_journal_says_that_a_dealer_tried_it_elsewhere(house: AccessDesk) -> None:
    with pytest.raises(WrongSecret):
        await house.sign_in("pin", "Dee", PIN, FROM)
    _, record = house.pending_records()[-1]
    assert (record.what, record.who, record.address) == ("refused", "Dee", FROM)
    assert record.text == "dealers sign in at the table's own screen only (access.dealer_from)"


async def test_a_person_learns_how_often_somebody_failed_in_the_meantime(house: AccessDesk) -> None:
    await house.sign_in("pin", "Dee", PIN, SCREEN)
    for address in (SCREEN, SCREEN, FROM):
        with pytest.raises(WrongSecret):
            await house.sign_in("pin", "Dee", "0000", address)
    with pytest.raises(WrongSecret):
        await house.confirm(Person("Dee", "dealer"), "pin", "0000", SCREEN)
    token, session = await house.sign_in("badge", "", BADGE, SCREEN)
    found = house.sessions.find(token)
    assert found
    assert (session.failures, found.failures) == (4, 4)
    _, session = await house.sign_in("pin", "Dee", PIN, SCREEN)
    assert session.failures == 0


async def test_an_attempt_that_nobody_checked_is_no_wrong_pin(house: AccessDesk, clock: Clock) -> None:
    for _ in range(FREE_FAILURES + 3):
        with pytest.raises((WrongSecret, LockedOut)):
            await house.sign_in("pin", "Dee", "0000", SCREEN)
    clock.now += FIRST_LOCK
    _, session = await house.sign_in("pin", "Dee", PIN, SCREEN)
    assert session.failures == FREE_FAILURES


def test_the_counters_of_strangers_do_not_fill_the_disk(tmp_path: Path, clock: Clock) -> None:
    with AccessDesk(tmp_path / "access.db", clock, clock) as desk:
        hire_staff(desk)
    with closing(AccessStore(tmp_path / "access.db")) as store, store.transaction():
        failures = Lockout(store, clock)
        for _ in range(FREE_FAILURES):
            failures.failed("Dee", Counters((AT_TABLE,)))
        for number in range(2 * MOST_COUNTERS):
            failures.failed(f"name {number}", Counters((f"10.1.{number // 256}.{number % 256}",)))
            failures.failed("Dee", Counters((f"10.2.{number // 256}.{number % 256}",)))
        assert store.one("SELECT COUNT(*) FROM failure")[0] == MOST_COUNTERS + 1
        with pytest.raises(LockedOut):
            failures.check("Dee", Counters((AT_TABLE,)))


async def test_a_thousand_strangers_at_once_keep_nobody_at_the_table_waiting(house: AccessDesk) -> None:
    order: list[str] = []

    async def enter(kind: SecretKind, name: str, secret: str, address: str) -> str:
        said = await answer(house, kind, name, secret, address)
        order.append(said)
        return said

    strangers = [
        asyncio.create_task(enter("pin", "Dee", "0000", f"10.{number // 256}.{number % 256}.1"))
        for number in range(1000)
    ]
    await asyncio.sleep(0)
    own = asyncio.create_task(enter("pin", "Dee", PIN, SCREEN))
    answers = await asyncio.gather(*strangers)
    assert await own == "signed in as Dee"
    assert answers.count("WrongSecret: name or PIN is not right") == MOST_WAITING
    assert answers.count("TooOften: too many attempts: again in 10 s") == 1000 - MOST_WAITING
    checked = [said for said in order if not said.startswith("TooOften")]
    assert checked.index("signed in as Dee") <= 2


async def test_strangers_keep_nobody_waiting_who_is_signed_in(house: AccessDesk) -> None:
    """Neither by their number nor by the failures of that name."""
    order: list[str] = []

    async def stranger(number: int) -> None:
        await answer(house, "password", "Ann", WRONG_PASSWORD, f"10.1.{number}.1")
        order.append("stranger")

    async def ann() -> None:
        await house.confirm(Person("Ann", "supervisor"), "password", PASSWORD, FROM)
        order.append("Ann")

    await asyncio.gather(*map(stranger, range(FREE_FAILURES + 1)))
    order.clear()
    strangers = [asyncio.create_task(stranger(100 + number)) for number in range(MOST_WAITING)]
    await asyncio.sleep(0)
    await ann()
    assert order == ["Ann"]
    for task in strangers:
        task.cancel()
    await asyncio.wait(strangers)


async def test_one_stranger_does_not_take_all_room(house: AccessDesk) -> None:
    mine = [answer(house, "password", "Ann", WRONG_PASSWORD, "10.9.9.9") for _ in range(10)]
    *answers, own = await asyncio.gather(*mine, answer(house, "password", "Ann", PASSWORD, FROM))
    assert sum(said.startswith("TooOften") for said in answers) == 10 - MOST_WAITING_EACH
    assert own == "signed in as Ann"
    at_screen = [answer(house, "pin", "Dee", PIN, SCREEN) for _ in range(MOST_WAITING_EACH + 1)]
    answers = await asyncio.gather(*at_screen)
    assert answers == ["signed in as Dee"] * MOST_WAITING_EACH + [
        "TooOften: too many attempts: again in 10 s"
    ]
