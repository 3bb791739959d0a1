"""Where people say who they are."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

from controller.access.accounts import Account, Accounts
from controller.access.errors import LockedOut, TooOften, Unknown
from controller.access.lockout import BURST, REFILL, Bucket, Lockout
from controller.access.people import Person, Role
from controller.access.repeated import Repeated
from controller.access.secrets import HASHER, Kind, badge_hash, fits, nobody
from controller.access.sessions import LIMITS, Limits, Session, Sessions
from controller.access.store import Store, Told

Row = Mapping[str, object]

WRONG: Mapping[Kind, str] = {
    "password": "name or password is not right",
    "pin": "name or PIN is not right",
    "badge": "this badge is nobody's",
}
FIND = {
    True: "SELECT * FROM account WHERE badge = ?",
    False: "SELECT * FROM account WHERE name = ?",
}
"""By whether it is a badge that somebody showed."""
BADGES = "badges from {}"
"""Under which name failures of badges are counted: nobody's name is known."""


class AccessDesk:
    """Everything about access that the daemon needs. `wall` is Unix time, `steady` never jumps.

    Raises AccessError where the file cannot be used.
    """

    def __init__(
        self, path: Path, wall: Callable[[], float], steady: Callable[[], float],
        limits: Mapping[Role, Limits] = LIMITS,
    ) -> None:  # fmt: skip
        self._store = Store(path)
        self.accounts = Accounts(self._store)
        self.sessions = Sessions(self._store, wall, limits)
        self._lockout = Lockout(self._store, wall)
        self._attempts = Bucket(steady, burst=BURST, refill=REFILL)
        self._repeated = Repeated(self._store.tell, steady)
        self._one = asyncio.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ending: object) -> None:
        self._store.close()

    async def sign_in(self, kind: Kind, name: str, secret: str, address: str) -> tuple[str, Session]:
        """The token of a new session, and the session. Raises Unknown, LockedOut or TooOften, which the
        journal is told."""
        return self.sessions.begin(await self._proved(kind, name.strip(), secret, address), address)

    async def new_secret(self, person: Person, old: str, new: str, address: str) -> None:
        """Another password, or a dealer's PIN; they are signed out. Raises AccessError."""
        kind: Kind = "pin" if person.role == "dealer" else "password"
        account = await self._proved(kind, person.name, old, address)
        change = self.accounts.pin if kind == "pin" else self.accounts.password
        change(account.name, new, account.name)

    def forged(self, person: Person | None, address: str, what: str) -> None:
        """A request came from a browser that no page of ours made."""
        who, role = (person.name, person.role) if person else ("", "")
        self._repeated.hear(Told("forged", who, role, address, what))

    def look(self) -> None:
        """Once a second: ends what is over, sums up what was refused."""
        self.sessions.expire()
        self._repeated.sum_up()

    def untold(self) -> list[tuple[int, Told]]:
        """What the journal does not have yet."""
        return self._store.untold()

    def was_told(self, number: int) -> None:
        """The journal has it."""
        self._store.was_told(number)

    async def _proved(self, kind: Kind, name: str, secret: str, address: str) -> Account:
        """One attempt is looked at after the other: nobody gets more of them by making them at once."""
        row = self._row(kind, name, secret)
        try:
            self._attempts.take(address)
            async with self._one:
                return await self._known(kind, self._counted(kind, name, row, address), row, secret)
        except (Unknown, LockedOut, TooOften) as refused:
            self._refused(refused, row, address)
            raise

    async def _known(self, kind: Kind, counted: str, row: Row | None, secret: str) -> Account:
        self._lockout.check(counted)
        if not await self._fits(kind, row, secret) or row is None or row["locked"]:
            if lock := self._lockout.failed(counted):
                raise LockedOut(int(lock))
            raise Unknown(WRONG[kind])
        self._lockout.passed(counted)
        return self.accounts.named(str(row["name"]))

    async def _fits(self, kind: Kind, row: Row | None, secret: str) -> bool:
        """A badge was looked for by itself; all others are compared, whoever it is."""
        if kind == "badge":
            return row is not None
        kept = row[kind] if row is not None else None
        good = await asyncio.to_thread(fits, str(kept or nobody()), secret)
        if row is None or kept is None or not good:
            return False
        if HASHER.check_needs_rehash(str(kept)):
            self.accounts.rehash(str(row["name"]), kind, await asyncio.to_thread(HASHER.hash, secret))
        return True

    def _counted(self, kind: Kind, name: str, row: Row | None, address: str) -> str:
        """Under which name failures are counted. What a stranger typed is not kept: it may be a password."""
        if kind == "badge":
            return BADGES.format(address)
        return str(row["name"]) if row else badge_hash(self._store.badge_key, name.casefold()).hex()

    def _row(self, kind: Kind, name: str, secret: str) -> Row | None:
        looked: object = badge_hash(self._store.badge_key, secret) if kind == "badge" else name
        found: Row | None = self._store.one(FIND[kind == "badge"], looked)
        return found

    def _refused(self, refused: Unknown | LockedOut | TooOften, row: Row | None, address: str) -> None:
        what = "refused" if isinstance(refused, Unknown) else "locked out"
        who, role = (str(row["name"]), str(row["role"])) if row else ("", "")
        self._repeated.hear(Told(what, who, role, address, str(refused)))
