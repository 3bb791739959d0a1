"""Checks who somebody is: limits, the secret, and what happens after a failure."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from controller.access.accounts import Account, Accounts
from controller.access.directory import Directory
from controller.access.errors import AccessError, FloorAway, HashingFailed, LockedOut, TooOften, WrongSecret
from controller.access.hashing.process import HashingProcess
from controller.access.lockout import BURST, REFILL, Counters, Lockout, TokenBucket, counters
from controller.access.origin import AT_TABLE, Network, Origin
from controller.access.people import SecretKind
from controller.access.secrets import badge_hash
from controller.access.store import AccessRecord, AccessStore
from controller.access.turns import Turns
from controller.text.characters import folded_name

AccountRow = Mapping[str, Any]

WRONG_SECRET: Final[Mapping[SecretKind, str]] = {
    "password": "name or password is not right",
    "pin": "name or PIN is not right",
    "badge": "this badge is nobody's",
}
BADGES: Final = ""
"""The name under which failures of badges are counted, because no account is known. No account has it."""
NOT_HERE: Final = "dealers sign in at the table's own screen only (access.dealer_from)"
"""What the journal says about a dealer's secret that was typed elsewhere. The person reads that it is not
right."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """How somebody tries to prove who they are. `owner`: the person whose secret it must be; empty for
    anyone's."""

    kind: SecretKind
    name: str
    secret: str = field(repr=False)
    origin: Origin
    owner: str = ""


class Authenticator:
    """`dealer_from`: the networks from which dealers may sign in. `clock`: Unix time; `steady`: a monotonic
    clock in seconds. `report` receives records of refusals for the journal."""

    def __init__(
        self,
        store: AccessStore,
        accounts: Accounts,
        directory: Directory,
        hashing: HashingProcess,
        dealer_from: tuple[Network, ...],
        clock: Callable[[], float],
        steady: Callable[[], float],
        report: Callable[[AccessRecord], None],
    ) -> None:
        self._store, self._accounts, self._directory, self._hashing = store, accounts, directory, hashing
        self._dealer_from, self._report = dealer_from, report
        self._lockout = Lockout(store, clock)
        self._attempts = TokenBucket(steady, burst=BURST, refill=REFILL)
        self._turns = Turns()

    async def account(self, attempt: Attempt) -> Account:
        """The account that this secret proves. Raises WrongSecret, LockedOut, TooOften or HashingFailed, and
        reports each of them."""
        try:
            return await self._admitted(attempt)
        except (WrongSecret, LockedOut, TooOften, HashingFailed) as refused:
            self._report_refusal(refused, attempt)
            raise

    async def _admitted(self, attempt: Attempt) -> Account:
        """Attempts are checked one after the other: simultaneous ones cannot get around the lockout."""
        place = attempt.origin.place
        self._attempts.take(place)
        known = place == AT_TABLE or bool(attempt.owner)
        async with self._turns.room(place, known=known):
            counted = self._counters(attempt, place)
            await asyncio.sleep(self._lockout.delay(self._failure_name(attempt), counted))
            async with self._turns.turn(known=known):
                return await self._checked(attempt, counted)

    async def _checked(self, attempt: Attempt, counted: Counters) -> Account:
        failure_name = self._failure_name(attempt)
        self._lockout.check(failure_name, counted)
        row = self._row(attempt) or await self._row_of_floor_badge(attempt)
        new_hash = await self._verify(attempt, row)
        if row is None or new_hash is None or row["locked"] or self._row_now(row) != row:
            raise self._failure(attempt, failure_name, counted)
        if refusal := self._directory.refusal(row):
            raise FloorAway(f"not now: {refusal}")
        if new_hash and not row["floor"]:
            self._accounts.rehash(row["name"], attempt.kind, new_hash)
        self._lockout.passed(failure_name, attempt.origin.place)
        return self._accounts.get(row["name"])

    async def _verify(self, attempt: Attempt, row: AccountRow | None) -> str | None:
        """None if the secret is wrong; the new hash to store if the parameters have changed; otherwise empty.

        A badge is right if its row was found. A password or PIN is compared even without a row, so that the
        duration does not reveal which names exist. The account may change while this waits.
        """
        if row is not None and self._is_dealer_elsewhere(attempt, row):
            row = None
        if attempt.kind == "badge":
            return None if row is None else ""
        reply = await self._hashing.compare(row[attempt.kind] if row is not None else None, attempt.secret)
        return reply.hash if reply.right else None

    def _failure(self, attempt: Attempt, failure_name: str, counted: Counters) -> WrongSecret | LockedOut:
        """Count the failure. What the person gets to know of it."""
        with self._store.transaction():
            lock = self._lockout.failed(failure_name, counted)
            if known := self._known_row(attempt):
                self._accounts.count_failure(known["name"])
        return LockedOut(int(lock)) if lock else WrongSecret(WRONG_SECRET[attempt.kind])

    def _is_dealer_elsewhere(self, attempt: Attempt, row: AccountRow) -> bool:
        return row["role"] == "dealer" and not self._accepts_dealers(attempt)

    def _accepts_dealers(self, attempt: Attempt) -> bool:
        return attempt.origin.is_within(self._dealer_from)

    def _counters(self, attempt: Attempt, place: str) -> Counters:
        """Where a failure counts. Strangers do not slow down somebody who is signed in."""
        found = counters(attempt.kind, place, accepted=self._accepts_dealers(attempt))
        return replace(found, slowing=()) if attempt.owner else found

    def _failure_name(self, attempt: Attempt) -> str:
        """The name under which failures are counted. An unknown name is stored as a hash only, because it
        may be a password."""
        if attempt.kind == "badge":
            return BADGES
        row = self._named_row(attempt.name)
        return row["name"] if row else badge_hash(self._store.badge_key, folded_name(attempt.name)).hex()

    def _row(self, attempt: Attempt) -> AccountRow | None:
        """The row of the account with this badge or this name; None if it is not the owner's."""
        badge = attempt.kind == "badge"
        found = self._badge_row(attempt.secret) if badge else self._named_row(attempt.name)
        return found if found is None or attempt.owner in {"", found["name"]} else None

    async def _row_of_floor_badge(self, attempt: Attempt) -> AccountRow | None:
        """The row of the floor's account with this badge. The floor's badges are hashed as passwords are, so
        that a directory does not give them away."""
        if attempt.kind != "badge":
            return None
        rows = self._store.rows("SELECT * FROM account WHERE floor AND badge_code IS NOT NULL")
        known = {row["badge_code"]: row for row in rows if attempt.owner in {"", row["name"]}}
        found = await self._hashing.find(known, attempt.secret)
        return known[found] if found else None

    def _row_now(self, row: AccountRow) -> AccountRow | None:
        """What became of a row meanwhile."""
        now: AccountRow | None = self._store.one("SELECT * FROM account WHERE id = ?", row["id"])
        return now

    def _known_row(self, attempt: Attempt) -> AccountRow | None:
        """The row of the person who tries it, as far as it is known."""
        return self._named_row(attempt.owner) if attempt.owner else self._row(attempt)

    def _badge_row(self, code: str) -> AccountRow | None:
        badge = badge_hash(self._store.badge_key, code)
        row: AccountRow | None = self._store.one("SELECT * FROM account WHERE badge = ?", badge)
        return row

    def _named_row(self, name: str) -> AccountRow | None:
        folded, rows = folded_name(name), self._store.rows("SELECT * FROM account")
        alike = [row for row in rows if folded_name(row["name"]) == folded]
        return min(alike, key=lambda row: row["name"] != name, default=None)

    def _report_refusal(self, refused: AccessError, attempt: Attempt) -> None:
        what = "locked out" if isinstance(refused, LockedOut | TooOften) else "refused"
        row = self._known_row(attempt)
        who, role = (row["name"], row["role"]) if row else ("", "")
        elsewhere = isinstance(refused, WrongSecret) and row and self._is_dealer_elsewhere(attempt, row)
        text = NOT_HERE if elsewhere else str(refused)
        self._report(AccessRecord(what, who, role, attempt.origin.address, text))
