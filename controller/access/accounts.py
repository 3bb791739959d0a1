"""Accounts, which the owner of the table's computer adds, changes and removes."""

import secrets
import time
import unicodedata
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.access.directory import FLOOR_LOCK, LOCAL_LOCK
from controller.access.errors import AccessError
from controller.access.lookalikes import skeleton
from controller.access.people import OVERRIDE, ROLES, SECRET_WORDS, Person, Role, SecretKind, secret_kind
from controller.access.secrets import badge_hash, badge_salt, check_badge, check_password, check_pin
from controller.access.store import AccessRecord, AccessStore
from controller.text.characters import character_fault, same_name

MOST_NAME = 40
ID_BYTES = 8
UPDATES: Final = {
    "role": "UPDATE account SET role = ? WHERE name = ?",
    "password": "UPDATE account SET password = ? WHERE name = ?",
    "pin": "UPDATE account SET pin = ? WHERE name = ?",
    "badge": "UPDATE account SET badge = ? WHERE name = ?",
    "badge_code": "UPDATE account SET badge_code = ? WHERE name = ?",
    "locked": "UPDATE account SET locked = ? WHERE name = ?",
    "sealed": "UPDATE account SET sealed = ? WHERE name = ?",
    "tables": "UPDATE account SET tables = ? WHERE name = ?",
    "pits": "UPDATE account SET pits = ? WHERE name = ?",
    "since": "UPDATE account SET since = ? WHERE name = ?",
}


@dataclass(frozen=True, slots=True)
class Account:
    """An account, and the secrets that it has. `since`: when password or PIN was set, in Unix time. `id`
    stays the same under another name. `floor`: the floor made it, and only the floor changes it. `sealed`:
    the house's account for a table without a floor, whose use is an alert. `tables`, `pits`: at a floor,
    where its person may work."""

    name: str
    role: Role
    locked: bool
    password: bool
    pin: bool
    badge: bool
    since: float | None
    id: str = ""
    floor: bool = False
    sealed: bool = False
    tables: tuple[str, ...] = ()
    pits: tuple[str, ...] = ()

    @property
    def person(self) -> Person:
        """The person of this account."""
        return Person(self.name, self.role)


class Accounts:
    """All accounts. Each change is recorded for the journal with the person who makes it (`by`), and ends the
    session of the account.

    Methods raise AccessError for an unknown or duplicate account and for a secret that is not good enough.
    `clock`: Unix time.
    """

    def __init__(self, store: AccessStore, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    def list_all(self) -> list[Account]:
        """All accounts, sorted by name."""
        return [_account(row) for row in self._store.rows("SELECT * FROM account ORDER BY name")]

    def get(self, name: str) -> Account:
        """The account with this name, in any spelling that counts as the same. Raises AccessError."""
        row = self._store.one("SELECT * FROM account WHERE name = ?", name.strip())
        if row is None:
            found = next((account for account in self.list_all() if same_name(account.name, name)), None)
            if found:
                return found
            known = ", ".join(account.name for account in self.list_all()) or "none"
            raise AccessError(f"account {name!r} is not there; there are: {known}")
        return _account(row)

    def new_name(self, name: str, role: str) -> str:
        """The name in the form in which a new account stores it. Raises AccessError, also for a name that
        people cannot tell from the name of another account."""
        name = unicodedata.normalize("NFKC", " ".join(name.split()))
        if why := character_fault(name):
            raise AccessError(f"name {name!r}: not allowed: {why}; allowed: text that can be seen")
        if not (skeleton(name) and len(name) <= MOST_NAME and name.isprintable()):
            raise AccessError(f"name {name!r}: not allowed; allowed: 1 to {MOST_NAME} printable characters")
        if skeleton(name) == skeleton(OVERRIDE):
            raise AccessError(f"name {name!r}: not allowed: {OVERRIDE!r} is root, who has not signed in")
        _check_role(role)
        for account in self.list_all():
            if same_name(account.name, name):
                raise AccessError(f"account {name!r} is there already")
            if skeleton(account.name) == skeleton(name):
                raise AccessError(
                    f"name {name!r}: not allowed: it looks like {account.name!r}, who has an account; "
                    "allowed: a name that people can tell from it"
                )
        return name

    def active(self, name: str) -> Account | None:
        """The account with this name, in any spelling that counts as the same; None if there is none or it is
        locked."""
        return next((one for one in self.list_all() if same_name(one.name, name) and not one.locked), None)

    def add(self, name: str, role: str, by: str, secret: str | None = None) -> Account:
        """Add an account. `secret`: its password or, for a dealer, its PIN; without one nobody can sign in
        yet."""
        with self._store.transaction():
            name = self.new_name(name, role)
            number = secrets.token_hex(ID_BYTES)
            self._store.execute("INSERT INTO account(id, name, role) VALUES (?, ?, ?)", number, name, role)
            account = self.get(name)
            self._record(account, by, "is made")
            if secret is not None:
                self.set_secret(name, secret_kind(account.role), secret, by)
        return self.get(name)

    def set_role(self, name: str, role: str, by: str) -> None:
        """Change the role, and delete all secrets of the account, which must be set again."""
        account = self._own(name)
        _check_role(role)
        if role == account.role:
            raise AccessError(f"{account.name} is {role} already; nothing is changed")
        text = f"is {role} now, was {account.role}"
        none = dict.fromkeys(("password", "pin", "badge", "badge_code", "since"))
        self._change(account, by, text, role=role, **none)

    def set_places(self, name: str, tables: Collection[str], pits: Collection[str], by: str) -> None:
        """Where the person of this account may work, at the floor of a property: at each of these tables, and
        at each table of these pits."""
        account = self._own(name)
        where = [*(f"table {table}" for table in sorted(tables)), *(f"pit {pit}" for pit in sorted(pits))]
        text = f"may work at {', '.join(where) or 'no table'}"
        listed = {"tables": " ".join(sorted(tables)), "pits": " ".join(sorted(pits))}
        self._change(account, by, text, **listed)

    def seal(self, name: str, by: str) -> None:
        """Make it the house's sealed account: it may sign in also when the floor has been away for too long,
        and its use is an alert."""
        account = self._own(name)
        check_sealed(account.name, account.role)
        self._change(account, by, "is a sealed account now", sealed=1)

    def secret_rows(self) -> list[Mapping[str, Any]]:
        """All accounts with the hashes of their secrets, sorted by name, for the floor's directories."""
        return self._store.rows("SELECT * FROM account ORDER BY name")

    def set_secret(self, name: str, kind: SecretKind, secret: str, by: str) -> None:
        """Check, hash in this process and store a new password, PIN or badge. Raises AccessError if the role
        has no such secret."""
        account = self.check_secret(name, kind, secret)
        stored, code_hash = self._stored_secret(account, kind, secret)
        self.store_secret(account.name, kind, stored, by, code_hash)

    def check_secret(self, name: str, kind: SecretKind, secret: str) -> Account:
        """The account with this name. Raises AccessError if it cannot have this secret."""
        account = self._account_with(name, kind)
        if kind == "password":
            check_password(secret, account.name)
        elif kind == "pin":
            check_pin(secret)
        else:
            check_badge(secret)
        return account

    def store_secret(
        self, name: str, kind: SecretKind, stored: object, by: str, code_hash: str | None = None
    ) -> None:
        """Store a new secret, which is hashed already, and delete the failures of the account. `code_hash`:
        the argon2id of a badge, for tables, which do not have the key of this file."""
        account = self._account_with(name, kind)
        new: dict[str, object] = {kind: stored} | ({} if kind == "badge" else {"since": self._clock()})
        if code_hash:
            new["badge_code"] = code_hash
        with self._store.transaction():
            self._forget_failures(account)
            self._change(account, by, f"has a new {SECRET_WORDS[kind]}", **new)

    def rehash(self, name: str, kind: str, stored: str) -> None:
        """Replace the hash of an unchanged secret, for example after new parameters. This is not recorded."""
        self._store.execute(UPDATES[kind], stored, name)

    def language(self, name: str) -> str:
        """The code of the language that the person chose; empty without a choice."""
        row = self._store.one(
            "SELECT code FROM language JOIN account ON account.id = language.account WHERE name = ?", name
        )
        return str(row["code"]) if row else ""

    def choose_language(self, name: str, code: str) -> None:
        """The person reads pages in this language, wherever they sign in. This is not recorded."""
        self._store.execute(
            "INSERT OR REPLACE INTO language(account, code) SELECT id, ? FROM account WHERE name = ?",
            code,
            name,
        )

    def count_failure(self, name: str) -> None:
        """Count a failure since the person last signed in. This is not recorded."""
        self._store.execute("UPDATE account SET failures = failures + 1 WHERE name = ?", name)

    def lock(self, name: str, by: str) -> None:
        """Lock the account: the table then refuses each attempt to sign in with it. The table may lock an
        account of the floor, too, because a lock gives an account nothing."""
        account = self.get(name)
        self._change(account, by, "is locked", locked=self._locks(account) | LOCAL_LOCK)

    def unlock(self, name: str, by: str) -> None:
        """Unlock the account, and delete its failures. Raises AccessError if the floor has locked it."""
        account = self.get(name)
        locks = self._locks(account)
        if locks & FLOOR_LOCK:
            raise AccessError(f"{account.name} is locked at the floor; allowed: to unlock it there")
        with self._store.transaction():
            self._forget_failures(account)
            self._change(account, by, "is unlocked", locked=0)

    def remove(self, name: str, by: str) -> None:
        """Remove the account. The journal keeps what the person did under their name."""
        account = self._own(name)
        with self._store.transaction():
            self._forget_failures(account)
            self._store.execute("DELETE FROM language WHERE account = ?", account.id)
            self._store.execute("DELETE FROM account WHERE name = ?", account.name)
            self._record(account, by, "is removed")

    def _account_with(self, name: str, kind: SecretKind) -> Account:
        """The account with this name. Raises AccessError if its role does not have such a secret."""
        account = self._own(name)
        if (account.role == "dealer") == (kind == "password"):
            has = "a PIN or a badge" if account.role == "dealer" else "a password"
            raise AccessError(f"{account.name} ({account.role}) has {has} and no {SECRET_WORDS[kind]}")
        return account

    def _own(self, name: str) -> Account:
        """The account with this name. Raises AccessError for one of the floor."""
        account = self.get(name)
        if account.floor:
            raise AccessError(f"{account.name} is an account of the floor; allowed: to change it there")
        return account

    def _locks(self, account: Account) -> int:
        return int(self._store.one("SELECT locked FROM account WHERE name = ?", account.name)[0])

    def _stored_secret(self, account: Account, kind: SecretKind, secret: str) -> tuple[object, str | None]:
        """What to store, and of a badge its argon2id."""
        from controller.access.hashing.argon2id import hash_secret  # only in a command: see its package

        if kind != "badge":
            return hash_secret(secret), None
        stored = badge_hash(self._store.badge_key, secret)
        other = self._store.one("SELECT name FROM account WHERE badge = ?", stored)
        if other and other["name"] != account.name:
            raise AccessError(f"this badge is {other['name']}'s already")
        return stored, hash_secret(secret, badge_salt(self._store.badge_key))

    def _forget_failures(self, account: Account) -> None:
        self._store.execute("DELETE FROM failure WHERE name = ?", account.name)

    def _change(self, account: Account, by: str, text: str, **columns: object) -> None:
        """Set these columns, record the change and end the session of the account."""
        with self._store.transaction():
            for column, value in columns.items():
                self._store.execute(UPDATES[column], value, account.name)
            self._record(account, by, text)

    def _record(self, account: Account, by: str, text: str) -> None:
        self._store.add_record(
            AccessRecord("account", by, text=f"Account {account.name} ({account.role}) {text}")
        )
        if self._store.execute("DELETE FROM session WHERE name = ?", account.name):
            self._store.add_record(
                AccessRecord("signed out", account.name, account.role, text=f"The account {text}, by {by}")
            )


def check_sealed(name: str, role: str) -> None:
    """Raises AccessError if this role has no sealed account."""
    if role == "dealer":
        raise AccessError(f"{name} is a dealer; allowed as a sealed account: any role with a password")


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise AccessError(f"role {role!r}: not allowed; allowed: {', '.join(ROLES)}")


def _account(row: Mapping[str, Any]) -> Account:
    return Account(
        row["name"],
        row["role"],
        bool(row["locked"]),
        row["password"] is not None,
        row["pin"] is not None,
        row["badge"] is not None or row["badge_code"] is not None,
        row["since"],
        row["id"],
        bool(row["floor"]),
        bool(row["sealed"]),
        tuple(row["tables"].split()),
        tuple(row["pits"].split()),
    )
