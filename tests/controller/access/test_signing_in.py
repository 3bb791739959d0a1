"""Signing in succeeds or fails; each attempt is recorded in the journal."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from controller.access.errors import AccessError, LockedOut, TooOften, WrongSecret
from controller.access.lockout import BURST, FIRST_LOCK, FREE_FAILURES, LONGEST_LOCK
from controller.access.people import SecretKind
from tests.fixtures.access_desk import BADGE, FROM, PASSWORD, PIN, Clock, fail_sign_in, records_of


async def test_each_role_signs_in_by_its_own_means(desk: AccessDesk) -> None:
    means: tuple[tuple[SecretKind, str, str], ...] = (
        ("password", "ann", PASSWORD),
        ("pin", " DEE ", PIN),
        ("badge", "", BADGE),
    )
    for kind, name, secret in means:
        token, session = await desk.sign_in(kind, name, secret, FROM)
        found = desk.sessions.find(token)
        assert found
        assert found == session
    assert session.person.name == "Dee"


@pytest.mark.parametrize("name", ["José", "Jose\u0301", "JOSÉ", " josé ", "Ｊｏｓé"])
async def test_a_name_signs_in_in_any_spelling_that_counts_as_the_same(desk: AccessDesk, name: str) -> None:
    desk.accounts.add("José", "supervisor", "root", PASSWORD)
    _, session = await desk.sign_in("password", name, PASSWORD, FROM)
    assert session.person.name == "José"


async def test_failures_of_all_spellings_of_a_name_count_together(desk: AccessDesk) -> None:
    await fail_sign_in(desk, "Dee", times=FREE_FAILURES - 1)
    await fail_sign_in(desk, "Ｄｅｅ")
    with pytest.raises(LockedOut):
        await desk.sign_in("pin", "Dee", PIN, FROM)


async def test_a_dealer_has_no_password_and_a_supervisor_no_pin(desk: AccessDesk) -> None:
    with pytest.raises(WrongSecret, match="name or password is not right"):
        await desk.sign_in("password", "Dee", PIN, FROM)
    with pytest.raises(WrongSecret, match="name or PIN is not right"):
        await desk.sign_in("pin", "Ann", PASSWORD, FROM)
    with pytest.raises(AccessError, match=r"Dee \(dealer\) has a PIN or a badge and no password"):
        desk.accounts.set_secret("Dee", "password", PASSWORD, "root")
    with pytest.raises(AccessError, match=r"Ann \(supervisor\) has a password and no PIN"):
        desk.accounts.set_secret("Ann", "pin", PIN, "root")


async def test_nobody_says_whether_a_name_is_known(desk: AccessDesk) -> None:
    sentences = set()
    for name in ("Dee", "Nobody"):
        with pytest.raises(WrongSecret) as refused:
            await desk.sign_in("pin", name, "0000", FROM)
        sentences.add(str(refused.value))
    assert sentences == {"name or PIN is not right"}


@pytest.mark.parametrize("name", ["Dee", "Nobody"])
async def test_five_failures_lock_a_name_known_or_not(desk: AccessDesk, name: str) -> None:
    await fail_sign_in(desk, name, times=FREE_FAILURES)
    with pytest.raises(LockedOut, match="locked for 5 minutes") as locked:
        await desk.sign_in("pin", name, PIN, FROM)
    assert locked.value.seconds == FIRST_LOCK
    known = name if name == "Dee" else ""  # the name of an unknown person is not recorded
    assert records_of(desk)[-2:] == [("locked out", known), ("locked out", known)]


async def test_a_lock_ends_doubles_and_is_forgotten(desk: AccessDesk, clock: Clock) -> None:
    await fail_sign_in(desk, "Dee", times=FREE_FAILURES)
    lengths = []
    for _ in range(6):
        with pytest.raises(LockedOut) as locked:
            await desk.sign_in("pin", "Dee", PIN, FROM)
        lengths.append(locked.value.seconds)
        clock.now += locked.value.seconds
        await fail_sign_in(desk, "Dee")
    assert lengths == [300, 600, 1200, 2400, LONGEST_LOCK, LONGEST_LOCK]
    clock.now += LONGEST_LOCK + 1
    await desk.sign_in("pin", "Dee", PIN, FROM)
    await fail_sign_in(desk, "Dee", times=FREE_FAILURES - 1)
    await desk.sign_in("pin", "Dee", PIN, FROM)


async def test_a_lock_is_as_long_after_thousands_of_failures(desk: AccessDesk, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "access.db")) as file, file:
        file.execute("INSERT INTO failure VALUES ('Dee', '10.0.0.7', 5000, 0)")
    with pytest.raises(LockedOut) as locked:
        await desk.sign_in("pin", "Dee", "0000", FROM)
    assert locked.value.seconds == LONGEST_LOCK


async def test_a_new_secret_ends_the_lock_of_the_old_one(desk: AccessDesk) -> None:
    await fail_sign_in(desk, "Dee", times=FREE_FAILURES)
    desk.accounts.set_secret("Dee", "pin", "9173", "root")
    await desk.sign_in("pin", "Dee", "9173", FROM)


@pytest.mark.parametrize("change", ["lock", "remove", "prove"])
async def test_an_account_that_is_changed_meanwhile_lets_nobody_in(desk: AccessDesk, change: str) -> None:
    """The secret is compared in a thread, which takes long enough."""

    async def meanwhile() -> None:
        if change == "prove":
            desk.accounts.set_secret("Dee", "pin", "9173", "root")
        else:
            getattr(desk.accounts, change)("Dee", "root")

    answer, _ = await asyncio.gather(
        desk.sign_in("pin", "Dee", PIN, FROM), meanwhile(), return_exceptions=True
    )
    assert isinstance(answer, WrongSecret)
    assert not desk.sessions.has("Dee")


async def test_attempts_at_once_are_no_more_attempts(desk: AccessDesk) -> None:
    tries = (desk.sign_in("pin", "Dee", f"{number:04}", f"10.2.0.{number}") for number in range(12))
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(answer) for answer in answers] == [WrongSecret] * (FREE_FAILURES - 1) + [LockedOut] * 8


async def test_one_address_cannot_try_every_name(desk: AccessDesk, clock: Clock) -> None:
    for number in range(BURST):
        with pytest.raises(WrongSecret):
            await desk.sign_in("pin", f"name {number}", "0000", FROM)
    for _ in range(50):
        with pytest.raises(TooOften, match="again in 10 s"):
            await desk.sign_in("pin", "Dee", PIN, FROM)
    assert records_of(desk).count(("locked out", "Dee")) == 1
    clock.now += 11
    await desk.sign_in("pin", "Dee", PIN, FROM)


async def test_a_badge_that_is_nobodys_locks_no_person(desk: AccessDesk) -> None:
    for _ in range(FREE_FAILURES):
        with pytest.raises((WrongSecret, LockedOut)):
            await desk.sign_in("badge", "", "TS-none", FROM)
    with pytest.raises(LockedOut):
        await desk.sign_in("badge", "", BADGE, FROM)
    await desk.sign_in("pin", "Dee", PIN, FROM)
    await desk.sign_in("badge", "", BADGE, "10.0.0.8")


async def test_a_badge_is_never_taken_for_a_pin(desk: AccessDesk) -> None:
    with pytest.raises(AccessError, match="badge: not allowed; allowed: of digits alone, more than the 8"):
        desk.accounts.set_secret("Dee", "badge", "12345678", "root")
    desk.accounts.set_secret("Dee", "badge", "0012345678", "root")
    await desk.sign_in("badge", "", "0012345678", FROM)
