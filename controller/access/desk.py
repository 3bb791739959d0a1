"""Sign-in for the daemon: accounts, sessions and limits on failures in one object."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from controller.access.accounts import Account, Accounts
from controller.access.errors import (
    AccessError,
    AccountsUnusable,
    HashingFailed,
    LockedOut,
    TooOften,
    WrongSecret,
)
from controller.access.hashing.process import HashingProcess
from controller.access.lockout import BURST, REFILL, Lockout, TokenBucket
from controller.access.people import Person, Role, SecretKind, secret_kind
from controller.access.refusal_sums import RefusalSums
from controller.access.secrets import badge_hash
from controller.access.sessions import LIMITS, Session, SessionLimits, Sessions
from controller.access.store import AccessRecord, AccessStore
from controller.text.characters import folded_name, same_name

AccountRow = Mapping[str, Any]

WRONG_SECRET: Mapping[SecretKind, str] = {
    "password": "name or password is not right",
    "pin": "name or PIN is not right",
    "badge": "this badge is nobody's",
}
DAEMON_PATIENCE = 0.2
"""Seconds that the daemon waits for a transaction of a command. The table stands still meanwhile."""
BADGE_FAILURES = "badges from {}"
"""The name under which failures of badges from an address are counted, because no account is known."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """How somebody tries to prove who they are. `owner`: the person whose secret it must be; empty for
    anyone's."""

    kind: SecretKind
    name: str
    secret: str = field(repr=False)
    address: str
    owner: str = ""


class AccessDesk:
    """Everything about access that the daemon needs. `wall`: Unix time; `steady`: a monotonic clock in
    seconds; `hashing` checks passwords and PINs.

    Raises AccountsUnusable if the file cannot be used.
    """

    def __init__(
        self,
        path: Path,
        wall: Callable[[], float],
        steady: Callable[[], float],
        limits: Mapping[Role, SessionLimits] = LIMITS,
        hashing: HashingProcess | None = None,
    ) -> None:
        self._store = AccessStore(path, DAEMON_PATIENCE)
        self.accounts = Accounts(self._store, wall)
        self.sessions = Sessions(self._store, wall, limits)
        self._lockout = Lockout(self._store, wall)
        self._attempts = TokenBucket(steady, burst=BURST, refill=REFILL)
        self._repeated = RefusalSums(self._store.add_record, steady)
        self._hashing = hashing or HashingProcess()
        self._serialize = asyncio.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ending: object) -> None:
        with suppress(AccountsUnusable):
            self._repeated.sum_up(0)
        self._store.close()

    async def sign_in(self, kind: SecretKind, name: str, secret: str, address: str) -> tuple[str, Session]:
        """The token of a new session, and the session. Raises WrongSecret, LockedOut or TooOften, and records
        each refusal for the journal."""
        account = await self._authenticated(_Attempt(kind, name.strip(), secret, address))
        return self.sessions.begin(account, address)

    async def confirm(self, person: Person, kind: SecretKind, secret: str, address: str) -> None:
        """The person proves again who they are, for an act that takes more than a session. Failures count as
        failures to sign in; each confirmation and each refusal is recorded for the journal. Raises
        WrongSecret, LockedOut or TooOften."""
        account = await self._authenticated(_Attempt(kind, person.name, secret, address, owner=person.name))
        self._store.add_record(AccessRecord("confirmed", account.name, account.role, address))

    async def new_secret(self, person: Person, old: str, new: str, address: str) -> None:
        """Change the person's password or, for a dealer, PIN, and end their session. Raises AccessError."""
        kind, word = secret_kind(person.role), person.secret_word
        try:
            account = await self._authenticated(_Attempt(kind, person.name, old, address, owner=person.name))
        except WrongSecret:
            raise WrongSecret(f"the old {word} is not right") from None
        if new == old:
            raise AccessError(f"the new {word} is the old one; nothing is changed")
        self.accounts.check_secret(account.name, kind, new)
        self.accounts.store_secret(account.name, kind, await self._hashing.hash(new), account.name)

    def holder(self, name: str) -> Person | None:
        """The person with this name, in any spelling that counts as the same; None if no such person may sign
        in. Raises LookupError if the file cannot be read."""
        try:
            account = self.accounts.active(name)
        except AccountsUnusable as unusable:
            raise LookupError(str(unusable)) from unusable
        return account.person if account else None

    def report_forged(self, person: Person | None, address: str, what: str) -> None:
        """Record a forged request, that is, one that a page of another server made. `what`: method and
        path."""
        who, role = (person.name, person.role) if person else ("", "")
        self._repeated.add(AccessRecord("forged", who, role, address, what))

    def expire_and_sum_up(self) -> None:
        """End sessions that are over, and record the sums of refusals. To be called once a second."""
        self.sessions.expire()
        self._repeated.sum_up()

    def pending_records(self) -> list[tuple[int, AccessRecord]]:
        """The records that the journal does not have yet, with their numbers, oldest first."""
        return self._store.pending_records()

    def confirm_record(self, number: int) -> None:
        """Delete a record that the journal now has."""
        self._store.delete_record(number)

    async def _authenticated(self, attempt: _Attempt) -> Account:
        """The account that this secret proves. Attempts are checked one after the other, so that simultaneous
        ones cannot get around the lockout."""
        try:
            self._attempts.take(attempt.address)
            async with self._serialize:
                return await self._checked(attempt)
        except (WrongSecret, LockedOut, TooOften, HashingFailed) as refused:
            self._report_refusal(refused, attempt)
            raise

    async def _checked(self, attempt: _Attempt) -> Account:
        row = self._row(attempt)
        failure_name = self._failure_name(attempt, row)
        self._lockout.check(failure_name)
        new_hash = await self._verify(attempt, row)
        if row is None or new_hash is None or row["locked"] or self._row(attempt) != row:
            if lock := self._lockout.failed(failure_name):
                raise LockedOut(int(lock))
            raise WrongSecret(WRONG_SECRET[attempt.kind])
        if new_hash:
            self.accounts.rehash(row["name"], attempt.kind, new_hash)
        self._lockout.passed(failure_name)
        return self.accounts.get(row["name"])

    async def _verify(self, attempt: _Attempt, row: AccountRow | None) -> str | None:
        """None if the secret is wrong; the new hash to store if the parameters have changed; otherwise empty.

        A badge is right if its row was found. A password or PIN is compared even without a row, so that the
        duration does not reveal which names exist. The account may change while this waits.
        """
        if attempt.kind == "badge":
            return None if row is None else ""
        reply = await self._hashing.compare(row[attempt.kind] if row is not None else None, attempt.secret)
        return reply.hash if reply.right else None

    def _failure_name(self, attempt: _Attempt, row: AccountRow | None) -> str:
        """The name under which failures are counted. An unknown name is stored as a hash only, because it
        may be a password."""
        if attempt.kind == "badge":
            return BADGE_FAILURES.format(attempt.address)
        return row["name"] if row else badge_hash(self._store.badge_key, folded_name(attempt.name)).hex()

    def _row(self, attempt: _Attempt) -> AccountRow | None:
        """The row of the account with this badge or this name; None if it is not the owner's."""
        badge = attempt.kind == "badge"
        found = self._badge_row(attempt.secret) if badge else self._named_row(attempt.name)
        return found if found is None or attempt.owner in {"", found["name"]} else None

    def _badge_row(self, code: str) -> AccountRow | None:
        badge = badge_hash(self._store.badge_key, code)
        row: AccountRow | None = self._store.one("SELECT * FROM account WHERE badge = ?", badge)
        return row

    def _named_row(self, name: str) -> AccountRow | None:
        alike = [row for row in self._store.rows("SELECT * FROM account") if same_name(row["name"], name)]
        return min(alike, key=lambda row: row["name"] != name, default=None)

    def _report_refusal(self, refused: AccessError, attempt: _Attempt) -> None:
        what = "locked out" if isinstance(refused, LockedOut | TooOften) else "refused"
        row = self._named_row(attempt.owner) if attempt.owner else self._row(attempt)
        who, role = (row["name"], row["role"]) if row else ("", "")
        self._repeated.add(AccessRecord(what, who, role, attempt.address, str(refused)))
