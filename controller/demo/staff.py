"""The staff of a demonstration: accounts with new random secrets, which are shown at the start."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from controller.access.accounts import Accounts
from controller.access.errors import AccessError
from controller.access.people import Role, SecretKind, secret_kind
from controller.access.store import AccessStore

PEOPLE: Mapping[str, Role] = {
    "Dee": "dealer",
    "Sue": "supervisor",
    "Sam": "supervisor",
    "Tim": "technician",
    "Eve": "auditor",
}


@dataclass(frozen=True, slots=True)
class Member:
    """A person with a PIN (dealers) or a password."""

    name: str
    role: Role
    secret: str

    @property
    def proof(self) -> SecretKind:
        return secret_kind(self.role)


def staff(path: Path, people: Mapping[str, Role] = PEOPLE) -> tuple[Member, ...]:
    """Creates the accounts in this file, replacing those of the same name."""
    with closing(AccessStore(path)) as store:
        return tuple(_members(Accounts(store), people))


def _members(accounts: Accounts, people: Mapping[str, Role]) -> Iterator[Member]:
    there = {account.name for account in accounts.list_all()}
    for name, role in people.items():
        if name in there:
            accounts.remove(name, "demo")
        accounts.add(name, role, "demo")
        yield Member(name, role, _set_secret(accounts, name, role))


def _set_secret(accounts: Accounts, name: str, role: Role) -> str:
    """Draws again until the secret is strong enough."""
    while True:
        secret = f"{secrets.randbelow(10_000):04}" if role == "dealer" else secrets.token_urlsafe(9)
        try:
            accounts.set_secret(name, secret_kind(role), secret, "demo")
        except AccessError:
            continue
        return secret
