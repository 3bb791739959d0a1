"""On a full disk nobody signs in, nobody is signed out, and nobody learns whether a secret was right."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from controller.access.errors import AccountsUnusable
from controller.access.people import Person
from controller.access.sessions import LIMITS, TOUCH_INTERVAL
from tests.fixtures.access_desk import FROM, PASSWORD, PIN, Clock, records_of

ANN = Person("Ann", "supervisor")


@contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """No file of this process gets longer than the longest one that the accounts have."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    longest = max(path.stat().st_size for path in folder.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (longest, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


async def test_a_full_disk_signs_nobody_in_and_nobody_out(
    desk: AccessDesk, tmp_path: Path, clock: Clock
) -> None:
    token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    with full_disk(tmp_path):
        refusals = [await refusal(desk, "pin", "Dee", secret) for secret in (PIN, "0000")]
        clock.now += TOUCH_INTERVAL
        assert desk.sessions.find(token)
        with pytest.raises(AccountsUnusable):
            await desk.confirm(ANN, "password", PASSWORD, FROM)
        clock.now += LIMITS["supervisor"].idle
        assert desk.sessions.find(token) is None
    assert refusals[0] == refusals[1]
    assert not desk.sessions.has("Dee")
    await desk.sign_in("pin", "Dee", PIN, FROM)
    assert records_of(desk)[-1] == ("signed in", "Dee")


async def refusal(desk: AccessDesk, kind: str, name: str, secret: str) -> str:
    with pytest.raises(AccountsUnusable) as unusable:
        await desk.sign_in("pin" if kind == "pin" else "password", name, secret, FROM)
    return unusable.value.why
