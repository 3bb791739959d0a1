"""Where people say who they are."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from controller.access.accounts import Account, Accounts
from controller.access.errors import AccessError, LockedOut, TooOften, Unknown, Unusable
from controller.access.lockout import BURST, REFILL, Bucket, Lockout
from controller.access.people import Kind, Person, Role, proof
from controller.access.refusal_sums import Repeated
from controller.access.secrets import HASHER, badge_hash, fits
from controller.access.sessions import LIMITS, Limits, Session, Sessions
from controller.access.store import Store, Told
from controller.text.characters import fold, same

Row = Mapping[str, Any]

WRONG: Mapping[Kind, str] = {
    "password": "name or password is not right",
    "pin": "name or PIN is not right",
    "badge": "this badge is nobody's",
}
BRIEF = 0.2
"""Seconds that the daemon waits for a command's transaction: meanwhile its table stands still."""
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
        self._store = Store(path, BRIEF)
        self.accounts = Accounts(self._store, wall)
        self.sessions = Sessions(self._store, wall, limits)
        self._lockout = Lockout(self._store, wall)
        self._attempts = Bucket(steady, burst=BURST, refill=REFILL)
        self._repeated = Repeated(self._store.tell, steady)
        self._one = asyncio.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ending: object) -> None:
        with suppress(Unusable):
            self._repeated.sum_up(0)
        self._store.close()

    async def sign_in(self, kind: Kind, name: str, secret: str, address: str) -> tuple[str, Session]:
        """The token of a new session, and the session. Raises Unknown, LockedOut or TooOften, which the
        journal is told."""
        return self.sessions.begin(await self._proved(kind, name.strip(), secret, address), address)

    async def new_secret(self, person: Person, old: str, new: str, address: str) -> None:
        """Another password, or a dealer's PIN; they are signed out. Raises AccessError."""
        kind, word = proof(person.role), person.word
        try:
            account = await self._proved(kind, person.name, old, address)
        except Unknown:
            raise Unknown(f"the old {word} is not right") from None
        if new == old:
            raise AccessError(f"the new {word} is the old one; nothing is changed")
        self.accounts.checked(account.name, kind, new)
        kept = await asyncio.to_thread(HASHER.hash, new)
        self.accounts.keep(account.name, kind, kept, account.name)

    def holder(self, name: str) -> Person | None:
        """The person with this name, in any spelling that counts as the same; None if no such person may sign
        in. Raises LookupError if the file cannot be read."""
        try:
            account = self.accounts.holds(name)
        except Unusable as unusable:
            raise LookupError(str(unusable)) from unusable
        return account.person if account else None

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
        try:
            self._attempts.take(address)
            async with self._one:
                return await self._known(kind, name, secret, address)
        except (Unknown, LockedOut, TooOften) as refused:
            self._refused(refused, self._row(kind, name, secret), address)
            raise

    async def _known(self, kind: Kind, name: str, secret: str, address: str) -> Account:
        row = self._row(kind, name, secret)
        counted = self._counted(kind, name, row, address)
        self._lockout.check(counted)
        better = await self._fits(kind, row, secret)
        if row is None or better is None or row["locked"] or self._row(kind, name, secret) != row:
            if lock := self._lockout.failed(counted):
                raise LockedOut(int(lock))
            raise Unknown(WRONG[kind])
        if better:
            self.accounts.rehash(row["name"], kind, better)
        self._lockout.passed(counted)
        return self.accounts.named(row["name"])

    async def _fits(self, kind: Kind, row: Row | None, secret: str) -> str | None:
        """None: the secret is another one. Else how it is to be kept from now on; empty: as it is.

        A badge was looked for by itself; all others are compared, whoever it is. Meanwhile the account may
        have been changed.
        """
        if kind == "badge":
            return None if row is None else ""
        kept = row[kind] if row is not None else None
        if not await asyncio.to_thread(fits, kept, secret):
            return None
        return await asyncio.to_thread(HASHER.hash, secret) if HASHER.check_needs_rehash(str(kept)) else ""

    def _counted(self, kind: Kind, name: str, row: Row | None, address: str) -> str:
        """Under which name failures are counted. What a stranger typed is not kept: it may be a password."""
        if kind == "badge":
            return BADGES.format(address)
        return row["name"] if row else badge_hash(self._store.badge_key, fold(name)).hex()

    def _row(self, kind: Kind, name: str, secret: str) -> Row | None:
        """Whose badge or whose name it is."""
        found: Row | None
        if kind == "badge":
            shown = badge_hash(self._store.badge_key, secret)
            found = self._store.one("SELECT * FROM account WHERE badge = ?", shown)
        else:
            alike = [row for row in self._store.rows("SELECT * FROM account") if same(row["name"], name)]
            found = min(alike, key=lambda row: row["name"] != name, default=None)
        return found

    def _refused(self, refused: Unknown | LockedOut | TooOften, row: Row | None, address: str) -> None:
        what = "refused" if isinstance(refused, Unknown) else "locked out"
        who, role = (row["name"], row["role"]) if row else ("", "")
        self._repeated.hear(Told(what, who, role, address, str(refused)))
