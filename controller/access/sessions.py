"""Sessions: at most one for each person. They are stored with hashed tokens, so that they survive a
restart."""

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Any

from controller.access.accounts import Account
from controller.access.errors import AccountsUnusable
from controller.access.people import Person, Role
from controller.access.secrets import token_hash
from controller.access.store import AccessRecord, AccessStore
from controller.text.characters import same_name

SELECT_SESSION = (
    "SELECT session.*, account.name AS person, account.role, account.since,"
    " account.badge IS NOT NULL OR account.badge_code IS NOT NULL AS has_badge"
    " FROM session JOIN account USING (name)"
)
TOUCH_INTERVAL = 30.0
"""Least seconds between two updates of a session's last activity, to save writes to the disk."""


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """Limits in seconds. `idle`: a session ends after this time without activity; `longest`: it ends after
    this time in any case; `renew`: the person is reminded to change a password or PIN of this age."""

    idle: float
    longest: float
    renew: float = inf


LIMITS: Mapping[Role, SessionLimits] = {
    "dealer": SessionLimits(3600, 12 * 3600),
    "supervisor": SessionLimits(900, 12 * 3600),
    "technician": SessionLimits(900, 4 * 3600),
    "auditor": SessionLimits(900, 12 * 3600),
}
"""A dealer works at the table for a whole shift; others may leave a page open when they walk away."""


@dataclass(frozen=True, slots=True)
class Session:
    """The session of a signed-in person. `address`: that of the client; `failures`: how often somebody
    failed to sign in as this person since they last signed in; `since`: when the person's password or PIN was
    set, None if they have none; `badge`: whether they have one. Times in Unix time."""

    person: Person
    csrf: str
    begun: float
    address: str
    limits: SessionLimits
    failures: int = 0
    since: float | None = None
    badge: bool = False

    @property
    def until(self) -> float:
        """The latest end of the session, in Unix time."""
        return self.begun + self.limits.longest


class Sessions:
    """`clock`: Unix time that does not go back, see `AccessClock`."""

    def __init__(
        self, store: AccessStore, clock: Callable[[], float], limits: Mapping[Role, SessionLimits] = LIMITS
    ) -> None:
        self._store, self._clock, self._limits = store, clock, limits

    def begin(self, account: Account, address: str) -> tuple[str, Session]:
        """Begin a session. Returns its token and the session. An older session of the person ends; both
        changes are recorded for the journal."""
        token, csrf, now = secrets.token_urlsafe(32), secrets.token_urlsafe(24), self._clock()
        with self._store.transaction():
            older = self._store.one("SELECT address FROM session WHERE name = ?", account.name)
            if older:
                self._store.execute("DELETE FROM session WHERE name = ?", account.name)
                text = f"Signed in elsewhere: the session from {older['address']} is over"
                self._store.add_record(AccessRecord("replaced", account.name, account.role, address, text))
            self._store.execute(
                "INSERT INTO session(token, name, csrf, begun, seen, address, failures)"
                " SELECT ?, name, ?, ?, ?, ?, failures FROM account WHERE name = ?",
                token_hash(token),
                csrf,
                now,
                now,
                address,
                account.name,
            )
            self._store.execute("UPDATE account SET failures = 0 WHERE name = ?", account.name)
            self._store.add_record(AccessRecord("signed in", account.name, account.role, address))
        return token, self._session(self._store.one(f"{SELECT_SESSION} WHERE token = ?", token_hash(token)))

    def find(self, token: str, *, active: bool = True) -> Session | None:
        """The session of this token; None if it does not exist or is over. `active`: the request counts as
        activity of the person."""
        now = self._clock()  # before the row is read, because the clock may have to change it
        row = self._store.one(f"{SELECT_SESSION} WHERE token = ?", token_hash(token))
        session = self._if_valid(row, now) if row else None
        if session and active and now - row["seen"] >= TOUCH_INTERVAL:
            with suppress(AccountsUnusable):  # on a full disk, sessions continue until the idle limit
                self._store.execute("UPDATE session SET seen = ? WHERE token = ?", now, row["token"])
        return session

    def end(self, token: str, address: str) -> Person | None:
        """End the session of this token. Returns its person, or None if it does not exist."""
        session = self.find(token, active=False)
        if session is None:
            return None
        with self._store.transaction():
            self._store.execute("DELETE FROM session WHERE token = ?", token_hash(token))
            self._store.add_record(
                AccessRecord("signed out", session.person.name, session.person.role, address)
            )
        return session.person

    def expire(self) -> None:
        """End all sessions that have reached a limit."""
        now = self._clock()
        for row in self._store.rows(SELECT_SESSION):
            self._if_valid(row, now)

    def has(self, name: str) -> bool:
        """Whether this person is signed in, in any spelling that counts as the same."""
        return any(same_name(row["name"], name) for row in self._store.rows("SELECT name FROM session"))

    def all(self) -> list[Session]:
        """All sessions, the oldest first."""
        return [self._session(row) for row in self._store.rows(f"{SELECT_SESSION} ORDER BY begun")]

    def count(self) -> int:
        """The number of sessions."""
        return int(self._store.one("SELECT COUNT(*) FROM session")[0])

    def _if_valid(self, row: Mapping[str, Any], now: float) -> Session | None:
        """The session of a row. If it has reached a limit, delete it, record that for the journal, return
        None."""
        limits = self._limits[row["role"]]
        if now - row["seen"] <= limits.idle and now - row["begun"] <= limits.longest:
            return self._session(row)
        with suppress(AccountsUnusable), self._store.transaction():  # over even if this fails
            if self._store.execute("DELETE FROM session WHERE token = ?", row["token"]):
                self._store.add_record(AccessRecord("expired", row["person"], row["role"], row["address"]))
        return None

    def _session(self, row: Mapping[str, Any]) -> Session:
        limits, since = self._limits[row["role"]], row["since"]
        stale = since is not None and self._clock() - since > limits.renew
        person = Person(row["person"], row["role"], stale)
        return Session(
            person,
            row["csrf"],
            row["begun"],
            row["address"],
            limits,
            row["failures"],
            since,
            bool(row["has_badge"]),
        )
