"""A signed-in person proves again who they are."""

import pytest

from controller.access.desk import AccessDesk
from controller.access.errors import LockedOut, TooOften, WrongSecret
from controller.access.lockout import BURST, FREE_FAILURES
from controller.access.people import Person, SecretKind
from tests.fixtures.access_desk import BADGE, FROM, PASSWORD, PIN, Clock, records_of

ANN = Person("Ann", "supervisor")
DEE = Person("Dee", "dealer")


@pytest.mark.parametrize(
    ("person", "kind", "secret"),
    [(ANN, "password", PASSWORD), (DEE, "pin", PIN), (DEE, "badge", BADGE)],
)
async def test_each_secret_of_a_person_confirms(
    desk: AccessDesk, person: Person, kind: SecretKind, secret: str
) -> None:
    await desk.confirm(person, kind, secret, FROM)
    ((_, record),) = (each for each in desk.pending_records() if each[1].what == "confirmed")
    assert (record.who, record.role, record.address) == (person.name, person.role, FROM)


@pytest.mark.parametrize(
    ("person", "kind", "secret"),
    [(ANN, "password", PIN), (ANN, "pin", PIN), (ANN, "badge", BADGE), (DEE, "password", PASSWORD)],
)
async def test_nothing_else_confirms_a_person(
    desk: AccessDesk, person: Person, kind: SecretKind, secret: str
) -> None:
    with pytest.raises(WrongSecret):
        await desk.confirm(person, kind, secret, FROM)
    assert records_of(desk) == [("refused", person.name)]


async def test_wrong_confirmations_count_as_wrong_sign_ins(desk: AccessDesk) -> None:
    for _ in range(FREE_FAILURES - 1):
        with pytest.raises(WrongSecret):
            await desk.confirm(ANN, "password", "wrong", FROM)
    with pytest.raises(LockedOut):
        await desk.sign_in("password", "Ann", "wrong", FROM)
    with pytest.raises(LockedOut):
        await desk.confirm(ANN, "password", PASSWORD, FROM)


async def test_confirmations_too_often_are_refused(desk: AccessDesk, clock: Clock) -> None:
    for _ in range(BURST):
        await desk.confirm(DEE, "badge", BADGE, FROM)
    with pytest.raises(TooOften):
        await desk.confirm(DEE, "badge", BADGE, FROM)
    clock.now += 11
    await desk.confirm(DEE, "badge", BADGE, FROM)


@pytest.mark.parametrize("change", ["lock", "remove"])
async def test_whoever_has_lost_the_account_confirms_nothing(desk: AccessDesk, change: str) -> None:
    getattr(desk.accounts, change)("Ann", "root")
    with pytest.raises(WrongSecret):
        await desk.confirm(ANN, "password", PASSWORD, FROM)
