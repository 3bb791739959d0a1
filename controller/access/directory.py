"""Accounts that the floor made, at a table that it has sent them to.

The floor sends the table a directory: who may work there. Its accounts lie in the table's file beside the
table's own ones, and people sign in with either. The two never become one: an account of the directory whose
name people cannot tell from that of one of the table's own is not used, and the table's own keeps its role
and its secrets. The table changes nothing in an account of the floor; it may only lock it.

A directory has a version and a time `issued`. The floor issues the same version again every few minutes, so
a table that gets no new one knows that it is apart from the floor.

| state | when | who may sign in |
|---|---|---|
| `none` | the table has never had a directory | the table's own accounts |
| `online` | a new one came less than OFFLINE seconds ago | the directory's accounts and the table's own |
| `offline` | none came for so long | the same, for `offline_for` |
| `expired` | after that | dealers who have dealt here since the last one came, and sealed accounts |

The table measures with the monotonic clock how long it is apart, and stores that time each minute. At a start
it takes the longer of the stored time and the time that the wall clock shows. So setting the clock back does
not extend the time in which people may sign in.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from controller.access.errors import AccessError
from controller.access.lookalikes import skeleton
from controller.access.people import Role, secret_kind
from controller.access.store import AccessRecord, AccessStore
from controller.text.characters import same_name

OFFLINE: Final = 15 * 60.0
"""Seconds without a new directory after which the table is apart from the floor."""
STORE_INTERVAL: Final = 60.0
"""Seconds between two times that the time apart is stored."""
MOST_NAMED: Final = 20
"""Names that a record lists; the others are counted."""
LOCAL_LOCK: Final = 1
FLOOR_LOCK: Final = 2
"""The bits of `locked`: who locked the account. One is enough."""
DIRECTORY: Final = "directory"
"""The kind of the records about directories."""
THE_FLOOR: Final = "the floor"
"""Who does what a directory does."""
ContactState = Literal["none", "online", "offline", "expired"]


class OlderDirectory(AccessError):
    """The directory is older than one that the table has taken: an old message was sent again."""


@dataclass(frozen=True, slots=True)
class FloorAccount:
    """An account of a directory. `secret`: the argon2id of a dealer's PIN, or of another person's password;
    `badge`: that of a badge."""

    id: str
    name: str
    role: Role
    secret: str | None = field(default=None, repr=False)
    badge: str | None = field(default=None, repr=False)
    locked: bool = False


@dataclass(frozen=True, slots=True)
class OfferedDirectory:
    """A directory whose signature was checked. `issued`: seconds of Unix time; `revoked`: ids of accounts
    that must not be used, whatever else says so; `digest`: what identifies the message in the journal."""

    version: int
    issued: float
    accounts: tuple[FloorAccount, ...]
    revoked: frozenset[str] = frozenset()
    digest: str = ""


@dataclass(frozen=True, slots=True)
class DirectoryPlace:
    """Which directory a table has. `unused`: the names of its accounts that are not used here."""

    version: int
    issued: float
    unused: tuple[str, ...] = ()


class Directory:
    """The floor's part of the file of accounts. `wall`: Unix time; `steady`: a monotonic clock; `offline_for`
    in seconds. Raises AccountsUnusable if the file cannot be used."""

    def __init__(
        self,
        store: AccessStore,
        wall: Callable[[], float],
        steady: Callable[[], float],
        offline_for: float,
    ) -> None:
        self._store, self._wall, self._steady = store, wall, steady
        self._offline_for = offline_for
        self._stored = 0.0
        self._since = steady()
        if row := self._row():
            self._stored = max(row["apart"], wall() - row["taken"])
            self._since -= self._stored

    @property
    def place(self) -> DirectoryPlace | None:
        """The directory that the table has; None if it never had one."""
        row = self._row()
        return DirectoryPlace(row["version"], row["issued"], _listed(row["unused"])) if row else None

    @property
    def apart(self) -> float:
        """Seconds since a new directory came."""
        return max(0.0, self._steady() - self._since)

    @property
    def state(self) -> ContactState:
        if self._row() is None:
            return "none"
        if self.apart < OFFLINE:
            return "online"
        return "offline" if self.apart < self._offline_for else "expired"

    def refusal(self, account: Mapping[str, Any]) -> str:
        """Why the account in this row must not sign in now, in a sentence; empty if it may."""
        allowed = account["sealed"] or (account["role"] == "dealer" and account["dealt"])
        if allowed or self.state != "expired":
            return ""
        return (
            "the floor has sent no directory for too long; allowed: dealers who have dealt here since the "
            "last one came, and the sealed account of the house"
        )

    def take(self, offered: OfferedDirectory) -> bool:
        """Use this directory from now on; it is on disk when this returns. Ends the session of each account
        that is not the same as before. Returns False for the one that the table has. Raises
        OlderDirectory."""
        with self._store.transaction():
            known = self.place
            _check_follows(offered, known)
            if known and (known.version, known.issued) == (offered.version, offered.issued):
                return False
            is_new = known is None or known.version != offered.version
            again = known.unused if known else ()
            unused = self._apply(offered, is_new=is_new) if is_new or again else ()
            self._store.execute("DELETE FROM directory")
            values = offered.version, offered.issued, self._wall(), 0.0, "\n".join(unused)
            self._store.execute("INSERT INTO directory VALUES (?, ?, ?, ?, ?)", *values)
            self._store.execute("UPDATE account SET dealt = 0 WHERE dealt")
        self._stored, self._since = 0.0, self._steady()
        return True

    def note_dealing(self, name: str) -> None:
        """This person deals here now."""
        if name and self.state not in ("none", "expired"):
            self._store.execute("UPDATE account SET dealt = 1 WHERE name = ? AND NOT dealt", name)

    def store_time(self) -> None:
        """Store how long the table is apart, if that has changed by enough."""
        apart = self.apart
        if apart - self._stored >= STORE_INTERVAL:
            self._store.execute("UPDATE directory SET apart = ?", apart)
            self._stored = apart

    def forget(self) -> None:
        """The table does not belong to a floor any more: remove the floor's accounts."""
        with self._store.transaction():
            if known := self.place:
                self._remove(self._floor_rows().values())
                self._store.execute("DELETE FROM directory")
                text = f"Version {known.version} is not used any more: this table belongs to no floor"
                self._store.add_record(AccessRecord(DIRECTORY, THE_FLOOR, text=text))

    def _row(self) -> Mapping[str, Any] | None:
        row: Mapping[str, Any] | None = self._store.one("SELECT * FROM directory")
        return row

    def _floor_rows(self) -> dict[str, Mapping[str, Any]]:
        return {row["id"]: row for row in self._store.rows("SELECT * FROM account WHERE floor")}

    def _apply(self, offered: OfferedDirectory, *, is_new: bool) -> tuple[str, ...]:
        """Make the floor's accounts those of the directory. Returns the names of those that are not used. A
        version that `is_new` is recorded; of one that came before, what has changed is, as when the table's
        own account of some name was removed."""
        own = [row["name"] for row in self._store.rows("SELECT name FROM account WHERE NOT floor")]
        valid = [account for account in offered.accounts if account.id not in offered.revoked]
        unused = [account for account in valid if _is_taken(account.name, own)]
        listed = {account.id: account for account in valid if account not in unused}
        before = self._floor_rows()
        gone = [row for number, row in before.items() if number not in listed]
        changed = [one for one in listed.values() if one.id in before and _differs(one, before[one.id])]
        new = [one for one in listed.values() if one.id not in before]
        self._remove(gone)
        self._replace(changed, before)
        for account in new:
            self._insert(account, 0)
        parts = (
            ("new", [one.name for one in new]),
            ("changed", [one.name for one in changed]),
            ("gone", [row["name"] for row in gone]),
            ("not used, because this table has an account of such a name", [one.name for one in unused]),
        )
        if is_new or gone or changed or new:
            self._record(offered, len(listed), parts)
        return tuple(one.name for one in unused)

    def _remove(self, rows: Iterable[Mapping[str, Any]]) -> None:
        for row in rows:
            self._end_session(row, "is gone from the floor's directory")
            self._store.execute("DELETE FROM failure WHERE name = ?", row["name"])
            self._store.execute("DELETE FROM account WHERE id = ?", row["id"])

    def _replace(self, changed: list[FloorAccount], before: Mapping[str, Mapping[str, Any]]) -> None:
        """All rows go before the first one comes, because two accounts may have exchanged their names."""
        for account in changed:
            old = before[account.id]
            self._end_session(old, "has changed in the floor's directory")
            self._store.execute("DELETE FROM account WHERE id = ?", account.id)
            if _secrets(account) != _row_secrets(old):
                self._store.execute("DELETE FROM failure WHERE name = ?", old["name"])
        for account in changed:
            self._insert(account, before[account.id]["locked"] & LOCAL_LOCK)

    def _insert(self, account: FloorAccount, local_lock: int) -> None:
        locked = local_lock | (FLOOR_LOCK if account.locked else 0)
        password, pin, badge = _secrets(account)
        self._store.execute(
            "INSERT INTO account(id, name, role, password, pin, badge_code, locked, floor)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, 1)",
            *(account.id, account.name, account.role, password, pin, badge, locked),
        )

    def _end_session(self, row: Mapping[str, Any], why: str) -> None:
        if self._store.execute("DELETE FROM session WHERE name = ?", row["name"]):
            text = f"The account {why}"
            self._store.add_record(AccessRecord("signed out", row["name"], row["role"], text=text))

    def _record(self, offered: OfferedDirectory, count: int, parts: Iterable[tuple[str, list[str]]]) -> None:
        changes = [f"Version {offered.version}: {count} account{'s' * (count != 1)}"]
        changes += [f"{what}: {_named(names)}" for what, names in parts if names]
        digest = f" (SHA-256 {offered.digest})" if offered.digest else ""
        self._store.add_record(AccessRecord(DIRECTORY, THE_FLOOR, text="; ".join(changes) + digest))


def _check_follows(offered: OfferedDirectory, known: DirectoryPlace | None) -> None:
    """Raises OlderDirectory."""
    if known and offered.version < known.version:
        raise OlderDirectory(
            f"directory version {offered.version}: the table has version {known.version}; "
            f"allowed: {known.version} or later"
        )
    if known and offered.version == known.version and offered.issued < known.issued:
        raise OlderDirectory(
            f"directory version {offered.version}, issued {offered.issued:.3f}: the table has the one issued "
            f"{known.issued:.3f}; allowed: a later one"
        )


def _is_taken(name: str, own: Iterable[str]) -> bool:
    return any(same_name(name, one) or skeleton(name) == skeleton(one) for one in own)


def _secrets(account: FloorAccount) -> tuple[str | None, str | None, str | None]:
    """Password, PIN and badge."""
    is_dealer = secret_kind(account.role) == "pin"
    return (None if is_dealer else account.secret, account.secret if is_dealer else None, account.badge)


def _row_secrets(row: Mapping[str, Any]) -> tuple[str | None, str | None, str | None]:
    return row["password"], row["pin"], row["badge_code"]


def _differs(account: FloorAccount, row: Mapping[str, Any]) -> bool:
    locked = bool(row["locked"] & FLOOR_LOCK)
    before = (row["name"], row["role"], locked, *_row_secrets(row))
    return before != (account.name, account.role, account.locked, *_secrets(account))


def _named(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()
