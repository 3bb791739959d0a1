"""Accounts: made, changed and taken away by whoever owns the table's computer."""

from dataclasses import dataclass
from typing import Final, cast

from controller.access.errors import AccessError
from controller.access.people import ROLES, Person, Role
from controller.access.secrets import HASHER, badge_hash, check_badge, check_password, check_pin
from controller.access.store import Store, Told

MOST_NAME = 40
SET: Final = {
    "role": "UPDATE account SET role = ? WHERE name = ?",
    "password": "UPDATE account SET password = ? WHERE name = ?",
    "pin": "UPDATE account SET pin = ? WHERE name = ?",
    "badge": "UPDATE account SET badge = ? WHERE name = ?",
    "locked": "UPDATE account SET locked = ? WHERE name = ?",
}


@dataclass(frozen=True, slots=True)
class Account:
    """Who somebody is, and how they may prove it."""

    name: str
    role: Role
    locked: bool
    password: bool
    pin: bool
    badge: bool

    @property
    def person(self) -> Person:
        """As the table knows them."""
        return Person(self.name, self.role)


class Accounts:
    """Every change says by whom, ends the sessions that it must end, and is told to the journal.

    All raise AccessError: no such account, one that is there already, a secret that is not good enough.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> list[Account]:
        """By name."""
        return [_account(row) for row in self._store.rows("SELECT * FROM account ORDER BY name")]

    def named(self, name: str) -> Account:
        """That one, however its name is written."""
        row = self._store.one("SELECT * FROM account WHERE name = ?", name.strip())
        if row is None:
            known = ", ".join(account.name for account in self.all()) or "none"
            raise AccessError(f"account {name!r} is not there; there are: {known}")
        return _account(row)

    def add(self, name: str, role: str, by: str) -> Account:
        """One that nobody can sign in with yet."""
        name = " ".join(name.split())
        if not (0 < len(name) <= MOST_NAME and name.isprintable()):
            raise AccessError(f"name {name!r}: not allowed; allowed: 1 to {MOST_NAME} printable characters")
        if role not in ROLES:
            raise AccessError(f"role {role!r}: not allowed; allowed: {', '.join(ROLES)}")
        with self._store.transaction():
            if self._store.one("SELECT 1 FROM account WHERE name = ?", name):
                raise AccessError(f"account {name!r} is there already")
            self._store.do("INSERT INTO account(name, role) VALUES (?, ?)", name, role)
            self._tell(self.named(name), by, "is made")
        return self.named(name)

    def role(self, name: str, role: str, by: str) -> None:
        """Another role: what proves them in it must be set anew."""
        account = self.named(name)
        if role not in ROLES:
            raise AccessError(f"role {role!r}: not allowed; allowed: {', '.join(ROLES)}")
        text = f"is {role} now, was {account.role}"
        self._change(account, by, text, role=role, password=None, pin=None, badge=None)

    def password(self, name: str, password: str, by: str) -> None:
        """For everybody but dealers."""
        account = self.named(name)
        if account.role == "dealer":
            raise AccessError(f"{account.name} is a dealer, who has a PIN or a badge and no password")
        check_password(password, account.name)
        self._change(account, by, "has a new password", password=HASHER.hash(password))

    def pin(self, name: str, pin: str, by: str) -> None:
        """For dealers."""
        account = self._dealer(name, "PIN")
        check_pin(pin)
        self._change(account, by, "has a new PIN", pin=HASHER.hash(pin))

    def badge(self, name: str, code: str, by: str) -> None:
        """For dealers; a badge is one person's."""
        account = self._dealer(name, "badge")
        check_badge(code)
        kept = badge_hash(self._store.badge_key, code)
        other = self._store.one("SELECT name FROM account WHERE badge = ?", kept)
        if other and other["name"] != account.name:
            raise AccessError(f"this badge is {other['name']}'s already")
        self._change(account, by, "has a new badge", badge=kept)

    def rehash(self, name: str, kind: str, kept: str) -> None:
        """The same secret by today's measure: nothing that anybody must know of."""
        self._store.do(SET[kind], kept, name)

    def lock(self, name: str, by: str) -> None:
        """Nobody signs in with it until it is unlocked."""
        self._change(self.named(name), by, "is locked", locked=1)

    def unlock(self, name: str, by: str) -> None:
        """Failures are forgotten, too."""
        account = self.named(name)
        self._store.do("DELETE FROM failure WHERE name = ?", account.name)
        self._change(account, by, "is unlocked", locked=0)

    def remove(self, name: str, by: str) -> None:
        """What they did stays in the journal under their name."""
        account = self.named(name)
        with self._store.transaction():
            self._store.do("DELETE FROM account WHERE name = ?", account.name)
            self._tell(account, by, "is removed")

    def _dealer(self, name: str, what: str) -> Account:
        account = self.named(name)
        if account.role != "dealer":
            raise AccessError(f"{account.name} is a {account.role}, who has a password and no {what}")
        return account

    def _change(self, account: Account, by: str, text: str, **columns: object) -> None:
        """Whoever is signed in with it is signed out."""
        with self._store.transaction():
            for column, value in columns.items():
                self._store.do(SET[column], value, account.name)
            self._tell(account, by, text)

    def _tell(self, account: Account, by: str, text: str) -> None:
        self._store.tell(Told("account", by, text=f"Account {account.name} ({account.role}) {text}"))
        if self._store.do("DELETE FROM session WHERE name = ?", account.name):
            self._store.tell(
                Told("signed out", account.name, account.role, text=f"The account {text}, by {by}")
            )


def _account(row: object) -> Account:
    found = cast("dict[str, object]", row)
    return Account(
        str(found["name"]), cast("Role", found["role"]), bool(found["locked"]), found["password"] is not None,
        found["pin"] is not None, found["badge"] is not None,
    )  # fmt: skip
