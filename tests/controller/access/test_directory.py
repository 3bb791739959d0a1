"""Accounts of the floor at a table: how a directory is taken, and who may sign in while the floor is away."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from controller.access.directory import (
    OFFLINE,
    DirectoryPlace,
    FloorAccount,
    OfferedDirectory,
    OlderDirectory,
)
from controller.access.errors import AccessError, FloorAway, WrongSecret
from tests.fixtures.access_desk import (
    BADGE,
    DEALER_FROM,
    FROM,
    PASSWORD,
    PIN,
    Clock,
    HashingThread,
    hashed,
    hire_staff,
)

SALT = bytes(16)
HOUR = 3600.0
CYRILLIC = "D\u0435e"
"""Looks like Dee."""
FLO_PASSWORD, SAM_PIN, SAM_BADGE = "green baize at nine", "4711", "SAM-000-1"
FLO = FloorAccount("f" * 16, "Flo", "supervisor", hashed(FLO_PASSWORD))
SAM = FloorAccount("5" * 16, "Sam", "dealer", hashed(SAM_PIN), hashed(SAM_BADGE, SALT))
FIRST = OfferedDirectory(7, 100.0, (FLO, SAM), digest="ab12")


@pytest.fixture
def wall() -> Clock:
    return Clock()


@pytest.fixture
def desk(tmp_path: Path, clock: Clock, wall: Clock) -> Iterator[AccessDesk]:
    """Ann and Dee are the table's own people; Flo and Sam are the floor's."""
    with opened(tmp_path, clock, wall) as desk:
        hire_staff(desk)
        desk.directory.take(FIRST)
        yield desk


def opened(folder: Path, clock: Clock, wall: Clock) -> AccessDesk:
    return AccessDesk(
        folder / "access.db",
        wall,
        clock,
        dealer_from=DEALER_FROM,
        hashing=HashingThread(),
        offline_for=24 * HOUR,
    )


async def flo_signs_in(desk: AccessDesk) -> str:
    token, session = await desk.sign_in("password", "flo", FLO_PASSWORD, FROM)
    assert (session.person.name, session.person.role) == ("Flo", "supervisor")
    return token


async def sam_signs_in(desk: AccessDesk) -> str:
    token, session = await desk.sign_in("pin", "Sam", SAM_PIN, FROM)
    assert (session.person.name, session.person.role) == ("Sam", "dealer")
    return token


def place_of(desk: AccessDesk) -> DirectoryPlace:
    place = desk.directory.place
    assert place
    return place


def state_of(desk: AccessDesk) -> str:
    return desk.directory.state


def directory_texts(desk: AccessDesk) -> list[str]:
    return [record.text for _, record in desk.pending_records() if record.what == "directory"]


async def test_people_of_the_floor_and_of_the_table_sign_in(desk: AccessDesk) -> None:
    await flo_signs_in(desk)
    await sam_signs_in(desk)
    await desk.sign_in("password", "Ann", PASSWORD, FROM)
    await desk.sign_in("pin", "Dee", PIN, FROM)
    assert desk.sessions.count() == 4


async def test_a_badge_of_the_floor_is_found_and_one_of_the_table_too(desk: AccessDesk) -> None:
    _, session = await desk.sign_in("badge", "", SAM_BADGE, FROM)
    assert session.person.name == "Sam"
    _, session = await desk.sign_in("badge", "", BADGE, FROM)
    assert session.person.name == "Dee"
    with pytest.raises(WrongSecret):
        await desk.sign_in("badge", "", "SAM-000-2", FROM)


async def test_sams_badge_confirms_nobody_but_sam(desk: AccessDesk) -> None:
    await desk.sign_in("pin", "Dee", PIN, FROM)
    dee = desk.accounts.get("Dee").person
    with pytest.raises(WrongSecret):
        await desk.confirm(dee, "badge", SAM_BADGE, FROM)
    await desk.confirm(desk.accounts.get("Sam").person, "badge", SAM_BADGE, FROM)


def test_a_row_says_what_a_directory_changed_and_holds_no_secret(desk: AccessDesk) -> None:
    (row,) = directory_texts(desk)
    assert row == "Version 7: 2 accounts; new: Flo, Sam (SHA-256 ab12)"
    for secret in (FLO.secret, SAM.secret, SAM.badge):
        assert str(secret) not in str(desk.pending_records())


def test_the_same_version_again_leaves_no_row(desk: AccessDesk) -> None:
    assert desk.directory.take(replace(FIRST, issued=400.0))
    assert not desk.directory.take(replace(FIRST, issued=400.0))
    assert len(directory_texts(desk)) == 1
    place = place_of(desk)
    assert (place.version, place.issued) == (7, 400.0)


@pytest.mark.parametrize("older", [(6, 500.0), (7, 99.9)])
def test_an_older_directory_is_refused_and_changes_nothing(
    desk: AccessDesk, older: tuple[int, float]
) -> None:
    version, issued = older
    with pytest.raises(OlderDirectory, match=f"directory version {version}.*the table has"):
        desk.directory.take(OfferedDirectory(version, issued, ()))
    assert desk.accounts.active("Flo")
    place = place_of(desk)
    assert (place.version, place.issued) == (7, 100.0)


def test_a_later_version_counts_even_if_it_was_issued_earlier(desk: AccessDesk) -> None:
    assert desk.directory.take(OfferedDirectory(8, 1.0, (SAM,)))
    assert not desk.accounts.active("Flo")


@pytest.mark.parametrize(
    "changed",
    [
        (SAM,),
        (replace(FLO, locked=True), SAM),
        (replace(FLO, role="auditor"), SAM),
        (replace(FLO, name="Florence"), SAM),
        (replace(FLO, secret=hashed("another long password")), SAM),
    ],
    ids=["gone", "locked", "role", "name", "password"],
)
async def test_a_change_ends_the_open_session_of_that_person_alone(
    desk: AccessDesk, changed: tuple[FloorAccount, ...]
) -> None:
    flo, sam = await flo_signs_in(desk), await sam_signs_in(desk)
    desk.directory.take(OfferedDirectory(8, 200.0, changed))
    assert desk.sessions.find(flo) is None
    assert desk.sessions.find(sam)
    assert "signed out" in {record.what for _, record in desk.pending_records() if record.who == "Flo"}


async def test_a_person_who_is_revoked_or_locked_is_refused(desk: AccessDesk) -> None:
    desk.directory.take(OfferedDirectory(8, 200.0, (FLO, replace(SAM, locked=True)), frozenset({FLO.id})))
    with pytest.raises(WrongSecret):
        await flo_signs_in(desk)
    with pytest.raises(WrongSecret):
        await sam_signs_in(desk)
    with pytest.raises(WrongSecret):
        await desk.sign_in("badge", "", SAM_BADGE, FROM)


async def test_two_people_may_exchange_their_names(desk: AccessDesk) -> None:
    other = replace(FLO, id="0" * 16, name="Gus", secret=hashed("gus has a password"))
    desk.directory.take(OfferedDirectory(8, 200.0, (FLO, other)))
    desk.directory.take(OfferedDirectory(9, 300.0, (replace(FLO, name="Gus"), replace(other, name="Flo"))))
    _, session = await desk.sign_in("password", "Gus", FLO_PASSWORD, FROM)
    assert session.person.name == "Gus"


class TestNames:
    """An account of the floor and one of the table never become one."""

    async def test_the_tables_own_account_keeps_its_role_and_secret(self, desk: AccessDesk) -> None:
        raised = FloorAccount("d" * 16, "dee", "supervisor", hashed(FLO_PASSWORD))
        desk.directory.take(OfferedDirectory(8, 200.0, (SAM, raised)))
        _, session = await desk.sign_in("pin", "Dee", PIN, FROM)
        assert session.person.role == "dealer"
        with pytest.raises(WrongSecret):
            await desk.sign_in("password", "Dee", FLO_PASSWORD, FROM)
        place = place_of(desk)
        assert place.unused == ("dee",)
        assert "not used, because this table has an account of such a name: dee" in directory_texts(desk)[-1]

    def test_a_name_that_looks_alike_is_not_used(self, desk: AccessDesk) -> None:
        desk.directory.take(OfferedDirectory(8, 200.0, (replace(FLO, name=CYRILLIC),)))
        place = place_of(desk)
        assert place.unused == (CYRILLIC,)

    async def test_the_floors_account_is_used_when_the_tables_own_is_gone(self, desk: AccessDesk) -> None:
        alike = replace(FLO, name="Ann")
        desk.directory.take(OfferedDirectory(8, 200.0, (alike,)))
        desk.accounts.remove("Ann", "root")
        desk.directory.take(OfferedDirectory(8, 300.0, (alike,)))
        _, session = await desk.sign_in("password", "Ann", FLO_PASSWORD, FROM)
        assert session.person.role == "supervisor"
        assert directory_texts(desk)[-1] == "Version 8: 1 account; new: Ann"

    def test_a_new_account_of_the_table_gets_no_name_of_the_floor(self, desk: AccessDesk) -> None:
        with pytest.raises(AccessError, match="'flo' is there already"):
            desk.accounts.add("flo", "dealer", "root", PIN)


class TestAtTheTable:
    """What the table's people can change in an account of the floor."""

    def test_nothing_but_a_lock(self, desk: AccessDesk) -> None:
        changes: tuple[Callable[[], object], ...] = (
            lambda: desk.accounts.set_role("Sam", "supervisor", "root"),
            lambda: desk.accounts.set_secret("Sam", "pin", "8520", "root"),
            lambda: desk.accounts.set_secret("Sam", "badge", "SAM-000-9", "root"),
            lambda: desk.accounts.set_places("Sam", ["bj-1"], [], "root"),
            lambda: desk.accounts.seal("Flo", "root"),
            lambda: desk.accounts.remove("Sam", "root"),
        )
        for change in changes:
            with pytest.raises(AccessError, match="is an account of the floor"):
                change()

    async def test_a_lock_of_the_table_outlives_directories(self, desk: AccessDesk) -> None:
        desk.accounts.lock("Sam", "Ann")
        desk.directory.take(OfferedDirectory(8, 200.0, (FLO, replace(SAM, secret=hashed("8520")))))
        with pytest.raises(WrongSecret):
            await desk.sign_in("pin", "Sam", "8520", FROM)
        desk.accounts.unlock("Sam", "Ann")
        await desk.sign_in("pin", "Sam", "8520", FROM)

    def test_a_lock_of_the_floor_is_not_taken_away_at_the_table(self, desk: AccessDesk) -> None:
        desk.directory.take(OfferedDirectory(8, 200.0, (FLO, replace(SAM, locked=True))))
        with pytest.raises(AccessError, match="Sam is locked at the floor"):
            desk.accounts.unlock("Sam", "Ann")
        assert not desk.accounts.active("Sam")

    async def test_an_unchanged_hash_is_not_replaced(self, desk: AccessDesk) -> None:
        from argon2 import PasswordHasher

        old = PasswordHasher(time_cost=1, memory_cost=8192, parallelism=1).hash(FLO_PASSWORD)
        desk.directory.take(OfferedDirectory(8, 200.0, (replace(FLO, secret=old),)))
        token = await flo_signs_in(desk)
        desk.directory.take(OfferedDirectory(9, 300.0, (replace(FLO, secret=old), SAM)))
        assert desk.sessions.find(token)


class TestApart:
    """Who may sign in while no directory comes."""

    def test_a_table_that_never_had_a_directory_is_not_apart(
        self, tmp_path: Path, clock: Clock, wall: Clock
    ) -> None:
        with opened(tmp_path, clock, wall) as desk:
            clock.now += 1000 * HOUR
            assert state_of(desk) == "none"

    async def test_a_table_is_offline_after_a_quarter_of_an_hour(
        self, desk: AccessDesk, clock: Clock
    ) -> None:
        clock.now += OFFLINE - 1
        assert state_of(desk) == "online"
        clock.now += 1
        assert state_of(desk) == "offline"
        await flo_signs_in(desk)
        desk.directory.take(replace(FIRST, issued=200.0))
        assert state_of(desk) == "online"

    def test_the_directory_that_the_table_has_ends_no_time_apart(
        self, desk: AccessDesk, clock: Clock
    ) -> None:
        clock.now += OFFLINE
        assert not desk.directory.take(FIRST)
        assert state_of(desk) == "offline"

    async def test_after_offline_for_only_dealers_who_dealt_sign_in(
        self, desk: AccessDesk, clock: Clock
    ) -> None:
        clock.now += OFFLINE
        desk.directory.note_dealing("Sam")
        clock.now += 24 * HOUR
        assert state_of(desk) == "expired"
        await sam_signs_in(desk)
        await desk.sign_in("badge", "", SAM_BADGE, FROM)
        for kind, name, secret in (("password", "Flo", FLO_PASSWORD), ("password", "Ann", PASSWORD)):
            with pytest.raises(FloorAway, match="no directory for too long"):
                await desk.sign_in(kind, name, secret, FROM)  # type: ignore[arg-type]
        with pytest.raises(FloorAway):
            await desk.sign_in("pin", "Dee", PIN, FROM)
        with pytest.raises(WrongSecret, match="name or password is not right"):
            await desk.sign_in("password", "Flo", "a wrong password", FROM)

    async def test_who_dealt_before_the_last_directory_is_refused(
        self, desk: AccessDesk, clock: Clock
    ) -> None:
        desk.directory.note_dealing("Sam")
        desk.directory.take(replace(FIRST, issued=200.0))
        clock.now += 25 * HOUR
        desk.directory.note_dealing("Sam")  # too late
        with pytest.raises(FloorAway):
            await sam_signs_in(desk)

    async def test_a_new_directory_lets_all_in_again(self, desk: AccessDesk, clock: Clock) -> None:
        clock.now += 25 * HOUR
        with pytest.raises(FloorAway):
            await flo_signs_in(desk)
        desk.directory.take(replace(FIRST, issued=200.0))
        await flo_signs_in(desk)

    async def test_the_sealed_account_signs_in_and_says_so(self, desk: AccessDesk, clock: Clock) -> None:
        desk.accounts.seal("Ann", "root")
        clock.now += 25 * HOUR
        await desk.sign_in("password", "Ann", PASSWORD, FROM)
        used = [record for _, record in desk.pending_records() if record.what == "sealed account"]
        assert [record.who for record in used] == ["Ann"]

    def test_a_dealer_is_no_sealed_account(self, desk: AccessDesk) -> None:
        with pytest.raises(AccessError, match="Dee is a dealer"):
            desk.accounts.seal("Dee", "root")


class TestRestart:
    """How long the table is apart, over a restart."""

    @pytest.mark.parametrize(("passed", "state"), [(60.0, "online"), (OFFLINE, "offline")])
    def test_the_wall_clock_counts_while_the_table_is_off(
        self, tmp_path: Path, clock: Clock, wall: Clock, passed: float, state: str
    ) -> None:
        with opened(tmp_path, clock, wall) as desk:
            desk.directory.take(FIRST)
        clock.now = 5.0  # the computer started anew
        wall.now += passed
        with opened(tmp_path, clock, wall) as desk:
            assert state_of(desk) == state
            assert desk.accounts.active("Flo")
            place = place_of(desk)
            assert place.version == 7
            with pytest.raises(OlderDirectory):
                desk.directory.take(OfferedDirectory(6, 900.0, (FLO,)))

    def test_a_clock_that_was_set_back_gives_nobody_more_time(
        self, tmp_path: Path, clock: Clock, wall: Clock
    ) -> None:
        with opened(tmp_path, clock, wall) as desk:
            desk.directory.take(FIRST)
            clock.now += OFFLINE
            desk.expire_and_sum_up()
        clock.now, wall.now = 5.0, wall.now - 10 * HOUR
        with opened(tmp_path, clock, wall) as desk:
            assert state_of(desk) == "offline"
            assert desk.directory.apart >= OFFLINE

    async def test_who_dealt_is_known_after_a_restart(
        self, tmp_path: Path, clock: Clock, wall: Clock
    ) -> None:
        with opened(tmp_path, clock, wall) as desk:
            desk.directory.take(FIRST)
            desk.directory.note_dealing("Sam")
        clock.now, wall.now = 5.0, wall.now + 30 * HOUR
        with opened(tmp_path, clock, wall) as desk:
            assert state_of(desk) == "expired"
            await sam_signs_in(desk)


async def test_a_table_that_leaves_its_floor_forgets_the_floors_people(desk: AccessDesk) -> None:
    token = await flo_signs_in(desk)
    desk.directory.forget()
    assert desk.sessions.find(token) is None
    assert [account.name for account in desk.accounts.list_all()] == ["Ann", "Dee"]
    assert state_of(desk) == "none"


async def test_each_attempt_that_failed_is_counted(desk: AccessDesk) -> None:
    for _ in range(3):
        with pytest.raises(WrongSecret):
            await desk.sign_in("pin", "Sam", "0000", FROM)
    await sam_signs_in(desk)
    assert desk.failures == 3


async def test_the_floor_has_an_argon2id_of_each_badge(tmp_path: Path, clock: Clock, wall: Clock) -> None:
    (tmp_path / "floor").mkdir()
    with opened(tmp_path / "floor", clock, wall) as floor:
        hire_staff(floor)
        floor.accounts.set_places("Dee", ["bj-2", "bj-1"], ["main"], "root")
        dee = next(row for row in floor.accounts.secret_rows() if row["name"] == "Dee")
        account = floor.accounts.get("Dee")
        assert (account.tables, account.pits) == (("bj-1", "bj-2"), ("main",))
        offered = FloorAccount(dee["id"], "Dee", "dealer", dee["pin"], dee["badge_code"])
    with opened(tmp_path, clock, wall) as desk:
        desk.directory.take(OfferedDirectory(1, 1.0, (offered,)))
        _, session = await desk.sign_in("badge", "", BADGE, FROM)
        assert session.person.name == "Dee"
        assert session.badge
