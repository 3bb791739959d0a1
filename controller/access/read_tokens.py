"""Tokens with which other systems read the API: named, with an end, and stored as hashes. They never act: the
table takes acts with the token of a person's session only."""

import math
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from controller.access.errors import AccessError, TokenRefused
from controller.access.secrets import token_hash
from controller.access.store import AccessRecord, AccessStore
from controller.text.characters import character_fault

PREFIX: Final = "tsr_"
"""So that people and programs that look for lost secrets know what it is."""
MOST_NAME: Final = 40
MOST_DAYS: Final = 3650
DAY: Final = 86_400.0
USE_INTERVAL: Final = 3600.0
"""Least seconds between two updates of a token's last use, to save writes to the disk."""
UNKNOWN: Final = "this token is not known: it was mistyped, or belongs to another table"
REVOKED: Final = "the token {name} was revoked"
EXPIRED: Final = "the token {name} has expired"


@dataclass(frozen=True, slots=True)
class ReadToken:
    """A token without its secret. Times in Unix time. `by`: who made it; `revoked` and `used` (the last
    use, to the hour) are None if that did not happen."""

    name: str
    by: str
    made: float
    until: float
    revoked: float | None
    used: float | None

    def fault(self, now: float) -> str:
        """Why it may not be used; empty if it may."""
        if self.revoked is not None:
            return REVOKED.format(name=self.name)
        return EXPIRED.format(name=self.name) if now >= self.until else ""


class ReadTokens:
    """All tokens. What is changed is recorded for the journal. `clock`: Unix time."""

    def __init__(self, store: AccessStore, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    def now(self) -> float:
        return self._clock()

    def list_all(self) -> list[ReadToken]:
        """All tokens, sorted by name, with those that nobody may use any more."""
        return [_token(row) for row in self._store.rows("SELECT * FROM read_token ORDER BY name")]

    def make(self, name: str, days: int, by: str) -> str:
        """A new token, which nobody can read again. Raises AccessError; also for the name of another
        token, even of one that was revoked, so that the journal says which one is meant."""
        name = _checked_name(name)
        if not 1 <= days <= MOST_DAYS:
            raise AccessError(f"days = {days}; allowed: 1 to {MOST_DAYS}")
        token, now = PREFIX + secrets.token_urlsafe(32), self._clock()
        with self._store.transaction():
            if self._store.one("SELECT 1 FROM read_token WHERE name = ?", name):
                raise AccessError(f"token {name!r} exists already; allowed: another name")
            self._store.execute(
                "INSERT INTO read_token(name, token, maker, made, until) VALUES (?, ?, ?, ?, ?)",
                name,
                token_hash(token),
                by,
                now,
                now + days * DAY,
            )
            self._record(by, f"{by} made the token {name}, which reads the API for {days} days")
        return token

    def revoke(self, name: str, by: str) -> ReadToken:
        """From now on nobody may use it. Raises AccessError."""
        with self._store.transaction():
            found = self._named(name)
            if found.revoked is None:
                self._store.execute(
                    "UPDATE read_token SET revoked = ? WHERE name = ?", self._clock(), found.name
                )
                self._record(by, f"{by} revoked the token {found.name}")
        return self._named(name)

    def check(self, token: str) -> ReadToken:
        """The token that may be used. Raises TokenRefused, which says why not."""
        now = self._clock()
        row = self._store.one("SELECT * FROM read_token WHERE token = ?", token_hash(token))
        if row is None:
            raise TokenRefused(UNKNOWN)
        found = _token(row)
        if fault := found.fault(now):
            raise TokenRefused(fault)
        if now - (found.used or -math.inf) >= USE_INTERVAL:
            self._store.execute("UPDATE read_token SET used = ? WHERE name = ?", now, found.name)
        return found

    def _named(self, name: str) -> ReadToken:
        row = self._store.one("SELECT * FROM read_token WHERE name = ?", name.strip())
        if row is None:
            known = ", ".join(token.name for token in self.list_all()) or "none"
            raise AccessError(f"token {name!r} is not there; there are: {known}")
        return _token(row)

    def _record(self, by: str, text: str) -> None:
        self._store.add_record(AccessRecord("account", by, text=text))


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    if why := character_fault(name):
        raise AccessError(f"token {name!r}: {why}")
    if not 1 <= len(name) <= MOST_NAME:
        raise AccessError(f"token {name!r}; allowed: 1 to {MOST_NAME} characters")
    return name


def _token(row: Any) -> ReadToken:
    return ReadToken(row["name"], row["maker"], row["made"], row["until"], row["revoked"], row["used"])
