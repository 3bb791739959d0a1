"""What an instance of the floor keeps beside its accounts, in the same file: what each was like when it was
equal at all instances, and up to which entry of the floor's own journal it has taken accounts over.

So an account that is different now was changed at this computer. A file that is lost or made anew has
neither, and takes over everything.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.access.store import AccessStore

COLUMNS: Final = (
    "id",
    "name",
    "role",
    "password",
    "pin",
    "badge",
    "badge_code",
    "locked",
    "since",
    "sealed",
    "tables",
    "pits",
)
"""The columns of an account that all instances share."""
_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS shared (id TEXT PRIMARY KEY, n INTEGER NOT NULL, digest TEXT NOT NULL,"
    " key TEXT NOT NULL) STRICT",
    "CREATE TABLE IF NOT EXISTS shared_place (n INTEGER NOT NULL) STRICT",
)
_VALUES: Final = ", ".join("?" * len(COLUMNS))
_INSERT: Final = f"INSERT INTO account ({', '.join(COLUMNS)}) VALUES ({_VALUES})"  # noqa: S608 no value
_UPDATE: Final = f"UPDATE account SET {', '.join(f'{one} = ?' for one in COLUMNS)} WHERE id = ?"  # noqa: S608
AccountContent = Mapping[str, Any]
"""The values of COLUMNS; a badge as hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class SharedState:
    """What this instance took over last of an account: the entry, the digest of its content, and the key for
    which it was sealed."""

    n: int
    digest: str
    key: str


class SharedAccounts:
    """The accounts in `store`. Methods raise AccountsUnusable."""

    def __init__(self, store: AccessStore) -> None:
        self._store = store
        with store.transaction():
            for statement in _TABLES:
                store.execute(statement)
        self.transaction = store.transaction

    @property
    def version(self) -> int:
        """Another number after another program has written."""
        return self._store.version

    @property
    def place(self) -> int | None:
        """The entry up to which accounts were taken over; None if these accounts were never shared."""
        row = self._store.one("SELECT n FROM shared_place")
        return int(row["n"]) if row else None

    def begin(self, n: int) -> None:
        """Nothing was shared before entry `n`."""
        with self._store.transaction():
            self._store.execute("DELETE FROM shared")
            self.go_on(n)

    def go_on(self, n: int) -> None:
        self._store.execute("DELETE FROM shared_place")
        self._store.execute("INSERT INTO shared_place VALUES (?)", n)

    def accounts(self) -> dict[str, AccountContent]:
        """By id."""
        rows = self._store.rows("SELECT * FROM account ORDER BY name")
        return {row["id"]: _content(row) for row in rows}

    def states(self) -> dict[str, SharedState]:
        """By id."""
        rows = self._store.rows("SELECT id, n, digest, key FROM shared")
        return {row["id"]: SharedState(row["n"], row["digest"], row["key"]) for row in rows}

    def keep_state(self, account: str, state: SharedState) -> None:
        self._store.execute(
            "INSERT OR REPLACE INTO shared VALUES (?, ?, ?, ?)", account, state.n, state.digest, state.key
        )

    def forget_state(self, account: str) -> None:
        self._store.execute("DELETE FROM shared WHERE id = ?", account)

    def write(self, content: AccountContent) -> None:
        """Make or change the account, and end its sessions. Another account of the same name, or with the
        same badge, gives way."""
        badge = bytes.fromhex(content["badge"]) if content["badge"] else None
        values = [badge if column == "badge" else content[column] for column in COLUMNS]
        account, name = content["id"], content["name"]
        for row in self._store.rows("SELECT id FROM account WHERE name = ? AND id <> ?", name, account):
            self.remove(row["id"])
        self._store.execute("UPDATE account SET badge = NULL WHERE badge = ? AND id <> ?", badge, account)
        self._end_sessions(account)
        if not self._store.execute(_UPDATE, *values, account):
            self._store.execute(_INSERT, *values)

    def remove(self, account: str) -> None:
        self._end_sessions(account)
        self._store.execute("DELETE FROM account WHERE id = ?", account)

    @property
    def badge_key(self) -> bytes:
        """The key with which all instances hash badges."""
        key: bytes = self._store.one("SELECT key FROM badge_key")["key"]
        return key

    @badge_key.setter
    def badge_key(self, key: bytes) -> None:
        self._store.execute("UPDATE badge_key SET key = ?", key)

    def _end_sessions(self, account: str) -> None:
        self._store.execute(
            "DELETE FROM session WHERE name IN (SELECT name FROM account WHERE id = ?)", account
        )


def digest_of(content: AccountContent) -> str:
    return hashlib.sha256(json.dumps(dict(content), sort_keys=True).encode()).hexdigest()


def _content(row: Mapping[str, Any]) -> AccountContent:
    badge = row["badge"]
    return {
        column: (badge.hex() if badge else None) if column == "badge" else row[column] for column in COLUMNS
    }
