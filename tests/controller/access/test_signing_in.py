"""People prove who they are, or do not; everything is told to the journal."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from controller.access.desk import AccessDesk
from controller.access.errors import AccessError, LockedOut, TooOften, Unknown, Unusable
from controller.access.lockout import BURST, FIRST, FREE, LONGEST
from controller.access.people import Kind, Role
from controller.access.repeated import MOST, WINDOW
from controller.access.sessions import LIMITS, TOUCH, Limits
from tests.controller.access.house import BADGE, FROM, PASSWORD, PIN, Clock, opened, said, staff


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[AccessDesk]:
    with opened(tmp_path, clock) as desk:
        staff(desk)
        yield desk


async def failed(desk: AccessDesk, name: str, times: int = 1) -> None:
    for number in range(times):
        with pytest.raises((Unknown, LockedOut)):
            await desk.sign_in("pin", name, "0000", f"10.1.1.{number}")


async def test_each_by_their_own_means(desk: AccessDesk) -> None:
    means: tuple[tuple[Kind, str, str], ...] = (
        ("password", "ann", PASSWORD), ("pin", " DEE ", PIN), ("badge", "", BADGE),
    )  # fmt: skip
    for kind, name, secret in means:
        token, session = await desk.sign_in(kind, name, secret, FROM)
        found = desk.sessions.of(token)
        assert found
        assert found == session
    assert session.person.name == "Dee"


async def test_a_dealer_has_no_password_and_a_supervisor_no_pin(desk: AccessDesk) -> None:
    with pytest.raises(Unknown, match="name or password is not right"):
        await desk.sign_in("password", "Dee", PIN, FROM)
    with pytest.raises(Unknown, match="name or PIN is not right"):
        await desk.sign_in("pin", "Ann", PASSWORD, FROM)
    with pytest.raises(AccessError, match=r"Dee \(dealer\) has a PIN or a badge and no password"):
        desk.accounts.prove("Dee", "password", PASSWORD, "root")
    with pytest.raises(AccessError, match=r"Ann \(supervisor\) has a password and no PIN"):
        desk.accounts.prove("Ann", "pin", PIN, "root")


async def test_nobody_says_whether_a_name_is_known(desk: AccessDesk) -> None:
    sentences = set()
    for name in ("Dee", "Nobody"):
        with pytest.raises(Unknown) as refused:
            await desk.sign_in("pin", name, "0000", FROM)
        sentences.add(str(refused.value))
    assert sentences == {"name or PIN is not right"}


@pytest.mark.parametrize("name", ["Dee", "Nobody"])
async def test_five_failures_lock_a_name_known_or_not(desk: AccessDesk, name: str) -> None:
    await failed(desk, name, times=FREE)
    with pytest.raises(LockedOut, match="locked for 5 minutes") as locked:
        await desk.sign_in("pin", name, PIN, FROM)
    assert locked.value.seconds == FIRST
    known = name if name == "Dee" else ""  # what a stranger types is not kept
    assert said(desk)[-2:] == [("locked out", known), ("locked out", known)]


async def test_a_lock_ends_doubles_and_is_forgotten(desk: AccessDesk, clock: Clock) -> None:
    await failed(desk, "Dee", times=FREE)
    lengths = []
    for _ in range(6):
        with pytest.raises(LockedOut) as locked:
            await desk.sign_in("pin", "Dee", PIN, FROM)
        lengths.append(locked.value.seconds)
        clock.now += locked.value.seconds
        await failed(desk, "Dee")
    assert lengths == [300, 600, 1200, 2400, LONGEST, LONGEST]
    clock.now += LONGEST + 1
    await desk.sign_in("pin", "Dee", PIN, FROM)
    await failed(desk, "Dee", times=FREE - 1)
    await desk.sign_in("pin", "Dee", PIN, FROM)


async def test_a_lock_is_as_long_after_thousands_of_failures(desk: AccessDesk, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "access.db")) as file, file:
        file.execute("INSERT INTO failure VALUES ('Dee', 5000, 0)")
    with pytest.raises(LockedOut) as locked:
        await desk.sign_in("pin", "Dee", "0000", FROM)
    assert locked.value.seconds == LONGEST


async def test_a_new_secret_ends_the_lock_of_the_old_one(desk: AccessDesk) -> None:
    await failed(desk, "Dee", times=FREE)
    desk.accounts.prove("Dee", "pin", "9173", "root")
    await desk.sign_in("pin", "Dee", "9173", FROM)


@pytest.mark.parametrize("change", ["lock", "remove", "prove"])
async def test_an_account_that_is_changed_meanwhile_lets_nobody_in(desk: AccessDesk, change: str) -> None:
    """The secret is compared in a thread, which takes long enough."""

    async def meanwhile() -> None:
        if change == "prove":
            desk.accounts.prove("Dee", "pin", "9173", "root")
        else:
            getattr(desk.accounts, change)("Dee", "root")

    answer, _ = await asyncio.gather(
        desk.sign_in("pin", "Dee", PIN, FROM), meanwhile(), return_exceptions=True
    )
    assert isinstance(answer, Unknown)
    assert not desk.sessions.has("Dee")


async def test_a_file_that_cannot_be_written_signs_nobody_out(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.access.desk.BRIEF", 0.0)
    with opened(tmp_path, clock) as desk, closing(sqlite3.connect(tmp_path / "access.db")) as other:
        staff(desk)
        token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
        other.execute("BEGIN IMMEDIATE")
        clock.now += TOUCH
        assert desk.sessions.of(token)
        with pytest.raises(Unusable, match=r"access\.db cannot be used: database is locked"):
            await desk.sign_in("pin", "Dee", PIN, FROM)
        clock.now += LIMITS["supervisor"].idle
        assert desk.sessions.of(token) is None
        other.rollback()
        desk.look()
        assert said(desk)[-1] == ("expired", "Ann")


async def test_a_restart_forgets_no_lock_and_no_session(
    desk: AccessDesk, tmp_path: Path, clock: Clock
) -> None:
    token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    await failed(desk, "Dee", times=FREE)
    with opened(tmp_path, clock) as again:
        assert again.sessions.of(token)
        with pytest.raises(LockedOut):
            await again.sign_in("pin", "Dee", PIN, FROM)


async def test_attempts_at_once_are_no_more_attempts(desk: AccessDesk) -> None:
    tries = (desk.sign_in("pin", "Dee", f"{number:04}", f"10.2.0.{number}") for number in range(12))
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(answer) for answer in answers] == [Unknown] * (FREE - 1) + [LockedOut] * 8


async def test_one_address_cannot_try_every_name(desk: AccessDesk, clock: Clock) -> None:
    for number in range(BURST):
        with pytest.raises(Unknown):
            await desk.sign_in("pin", f"name {number}", "0000", FROM)
    for _ in range(50):
        with pytest.raises(TooOften, match="again in 10 s"):
            await desk.sign_in("pin", "Dee", PIN, FROM)
    assert said(desk).count(("locked out", "Dee")) == 1
    clock.now += 11
    await desk.sign_in("pin", "Dee", PIN, FROM)


async def test_a_badge_that_is_nobodys_locks_no_person(desk: AccessDesk) -> None:
    for _ in range(FREE):
        with pytest.raises((Unknown, LockedOut)):
            await desk.sign_in("badge", "", "TS-none", FROM)
    with pytest.raises(LockedOut):
        await desk.sign_in("badge", "", BADGE, FROM)
    await desk.sign_in("pin", "Dee", PIN, FROM)
    await desk.sign_in("badge", "", BADGE, "10.0.0.8")


async def test_a_badge_is_never_taken_for_a_pin(desk: AccessDesk) -> None:
    with pytest.raises(AccessError, match="badge: not allowed; allowed: of digits alone, more than the 8"):
        desk.accounts.prove("Dee", "badge", "12345678", "root")
    desk.accounts.prove("Dee", "badge", "0012345678", "root")
    await desk.sign_in("badge", "", "0012345678", FROM)


async def test_one_session_a_person(desk: AccessDesk) -> None:
    older, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    newer, _ = await desk.sign_in("password", "Ann", PASSWORD, "10.0.0.9")
    assert (desk.sessions.of(older), bool(desk.sessions.of(newer))) == (None, True)
    assert said(desk) == [("signed in", "Ann"), ("replaced", "Ann"), ("signed in", "Ann")]


@pytest.mark.parametrize(("kind", "name", "secret", "role"), [
    ("password", "Ann", PASSWORD, "supervisor"), ("pin", "Dee", PIN, "dealer"),
])  # fmt: skip
async def test_a_session_ends_by_itself(
    desk: AccessDesk, clock: Clock, kind: str, name: str, secret: str, role: str
) -> None:
    limits = LIMITS["supervisor" if role == "supervisor" else "dealer"]
    token, _ = await desk.sign_in("pin" if kind == "pin" else "password", name, secret, FROM)
    begun = clock.now
    while clock.now < begun + limits.longest - limits.idle:
        clock.now += limits.idle
        assert desk.sessions.of(token)
    clock.now = begun + limits.longest + 1
    assert desk.sessions.of(token) is None
    token, _ = await desk.sign_in("pin" if kind == "pin" else "password", name, secret, FROM)
    clock.now += limits.idle - 1
    assert desk.sessions.of(token, heard=False)
    clock.now += 2
    assert desk.sessions.of(token) is None
    assert said(desk)[-1] == ("expired", name)


async def test_a_clock_that_is_set_back_gives_nobody_more_time(desk: AccessDesk, clock: Clock) -> None:
    token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    clock.now -= LIMITS["supervisor"].idle + 1
    assert desk.sessions.of(token) is None


async def test_signing_out(desk: AccessDesk) -> None:
    token, session = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    assert desk.sessions.end(token, FROM) == session.person
    assert desk.sessions.of(token) is None
    assert desk.sessions.end(token, FROM) is None
    assert said(desk) == [("signed in", "Ann"), ("signed out", "Ann")]


@pytest.mark.parametrize("change", ["lock", "remove"])
async def test_whoever_is_locked_or_removed_is_signed_out(desk: AccessDesk, change: str) -> None:
    token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    getattr(desk.accounts, change)("Ann", "root")
    assert desk.sessions.of(token) is None
    assert said(desk)[-1] == ("signed out", "Ann")
    with pytest.raises(Unknown):
        await desk.sign_in("password", "Ann", PASSWORD, FROM)


async def test_whoever_walks_away_is_signed_out(desk: AccessDesk, clock: Clock) -> None:
    await desk.sign_in("pin", "Dee", PIN, FROM)
    clock.now += LIMITS["dealer"].idle + 1
    desk.look()
    assert said(desk)[-1] == ("expired", "Dee")
    assert not desk.sessions.has("Dee")


async def test_what_a_stranger_types_is_not_kept(desk: AccessDesk, tmp_path: Path) -> None:
    with pytest.raises(Unknown):
        await desk.sign_in("password", PASSWORD, PASSWORD, FROM)
    assert PASSWORD.encode() not in written(tmp_path)
    assert said(desk) == [("refused", "")]


async def test_refusals_in_numbers_are_summed_up(desk: AccessDesk, clock: Clock) -> None:
    for number in range(BURST):
        with pytest.raises(Unknown):
            await desk.sign_in("pin", f"name {number}", "0000", FROM)
    desk.look()
    assert said(desk) == [("refused", "")]
    clock.now += WINDOW
    desk.look()
    texts = [told.text for _, told in desk.untold() if told.what == "refused"]
    assert texts == [
        "name or PIN is not right",
        f"{BURST - 1} more within a minute: name or PIN is not right",
    ]


async def test_a_flood_from_everywhere_fills_no_journal(desk: AccessDesk) -> None:
    for number in range(3 * MOST):
        desk.forged(None, f"10.3.{number // 256}.{number % 256}", "POST /api/v1/session")
    assert len(said(desk)) == MOST + 1


async def test_a_secret_of_an_older_measure_is_kept_by_todays(desk: AccessDesk, tmp_path: Path) -> None:
    older = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)
    desk.accounts.rehash("Ann", "password", older)
    await desk.sign_in("password", "Ann", PASSWORD, FROM)
    with closing(sqlite3.connect(tmp_path / "access.db")) as file:
        ((kept,),) = file.execute("SELECT password FROM account WHERE name = 'Ann'")
    assert kept.startswith("$argon2id$v=19$m=9216,t=4,p=1$")
    await desk.sign_in("password", "Ann", PASSWORD, FROM)


async def test_nothing_that_is_kept_or_told_holds_a_secret(desk: AccessDesk, tmp_path: Path) -> None:
    token, session = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    await failed(desk, "Dee", times=2)
    kept = written(tmp_path)
    for secret in (PASSWORD, BADGE, token):
        assert secret.encode() not in kept
    told = " ".join(str(told) for _, told in desk.untold())
    assert not any(secret in told for secret in (PASSWORD, PIN, BADGE, token, session.csrf))


async def test_a_password_of_ones_own(desk: AccessDesk) -> None:
    token, session = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    with pytest.raises(Unknown, match="the old password is not right"):
        await desk.new_secret(session.person, "another", "seven of diamonds!", FROM)
    with pytest.raises(AccessError, match="the new password is the old one"):
        await desk.new_secret(session.person, PASSWORD, PASSWORD, FROM)
    with pytest.raises(AccessError, match="without the name"):
        await desk.new_secret(session.person, PASSWORD, "ann likes diamonds", FROM)
    await desk.new_secret(session.person, PASSWORD, "seven of diamonds!", FROM)
    assert desk.sessions.of(token) is None
    await desk.sign_in("password", "Ann", "seven of diamonds!", FROM)


async def test_a_dealers_own_pin(desk: AccessDesk) -> None:
    _, session = await desk.sign_in("pin", "Dee", PIN, FROM)
    await desk.new_secret(session.person, PIN, "9173", FROM)
    await desk.sign_in("pin", "Dee", "9173", FROM)


async def test_a_secret_grows_old(tmp_path: Path, clock: Clock) -> None:
    limits: dict[Role, Limits] = {
        "supervisor": Limits(900, 1800, renew=86_400), "dealer": Limits(900, 1800),
    }  # fmt: skip
    with AccessDesk(tmp_path / "access.db", clock, clock, limits) as desk:
        staff(desk)
        clock.now += 86_401
        _, session = await desk.sign_in("password", "Ann", PASSWORD, FROM)
        assert session.person.stale
        await desk.new_secret(session.person, PASSWORD, "seven of diamonds!", FROM)
        _, session = await desk.sign_in("password", "Ann", "seven of diamonds!", FROM)
        assert not session.person.stale
        _, session = await desk.sign_in("pin", "Dee", PIN, FROM)
        assert not session.person.stale


def test_a_file_from_before_ages_were_counted_counts_from_now(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path, clock) as desk:
        staff(desk)
        desk.accounts.add("New", "auditor", "root")
    with closing(sqlite3.connect(tmp_path / "access.db")) as file, file:
        file.execute("ALTER TABLE account DROP COLUMN since")
    before = time.time() - 1
    with opened(tmp_path, clock) as desk:
        ages = {account.name: account.since for account in desk.accounts.all()}
    assert ages.pop("New") is None
    assert all(since and since >= before for since in ages.values())


def test_a_file_that_others_can_read_is_refused(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path, clock):
        pass
    (tmp_path / "access.db").chmod(0o640)
    with (
        pytest.raises(Unusable, match="its mode is 0640, others can read it; chmod 600"),
        opened(tmp_path, clock),
    ):
        pass


async def test_what_was_refused_just_before_the_end_is_told(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path, clock) as desk:
        for _ in range(3):
            desk.forged(None, FROM, "POST /api/v1/session")
    with opened(tmp_path, clock) as desk:
        texts = [told.text for _, told in desk.untold()]
    assert texts == ["POST /api/v1/session", "2 more within a minute: POST /api/v1/session"]


def written(folder: Path) -> bytes:
    """All that is on disk, which is nobody else's to read."""
    assert (folder / "access.db").stat().st_mode & 0o777 == 0o600
    return b"".join(path.read_bytes() for path in folder.iterdir())
