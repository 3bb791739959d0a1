"""Accounts in a folder of the test's, with a clock that stands until it is moved."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from controller.access.errors import LockedOut, Unknown

PASSWORD, PIN, BADGE = "felt and nine cards", "2580", "TS-0042-7"
FROM = "10.0.0.7"


@dataclass
class Clock:
    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def opened(folder: Path, clock: Clock) -> Iterator[AccessDesk]:
    with AccessDesk(folder / "access.db", clock, clock) as desk:
        yield desk


def staff(desk: AccessDesk) -> None:
    """Ann supervises, Dee deals."""
    desk.accounts.add("Ann", "supervisor", "root", PASSWORD)
    desk.accounts.add("Dee", "dealer", "root", PIN)
    desk.accounts.prove("Dee", "badge", BADGE, "root")


def said(desk: AccessDesk) -> list[tuple[str, str]]:
    """What the journal would be told, and of whom."""
    return [(told.what, told.who) for _, told in desk.untold() if told.what != "account"]


async def failed(desk: AccessDesk, name: str, times: int = 1) -> None:
    """So many PINs that are not theirs, each from another address."""
    for number in range(times):
        with pytest.raises((Unknown, LockedOut)):
            await desk.sign_in("pin", name, "0000", f"10.1.1.{number}")


def written(folder: Path) -> bytes:
    """All that is on disk, which is nobody else's to read."""
    assert (folder / "access.db").stat().st_mode & 0o777 == 0o600
    return b"".join(path.read_bytes() for path in folder.iterdir())
