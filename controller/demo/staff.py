"""Who works at a demonstration: accounts whose secrets are drawn anew each time and shown where it starts."""

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
    "Dee": "dealer", "Sue": "supervisor", "Sam": "supervisor", "Tim": "technician", "Eve": "auditor",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody with what proves it: a dealer's PIN, a password of the others."""

    name: str
    role: Role
    secret: str

    @property
    def proof(self) -> SecretKind:
        """What they prove themselves with."""
        return secret_kind(self.role)


def staff(path: Path, people: Mapping[str, Role] = PEOPLE) -> tuple[Member, ...]:
    """All of them have accounts in this file from now on; those that were there before are made anew."""
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
    """Draws again what is not good enough."""
    while True:
        secret = f"{secrets.randbelow(10_000):04}" if role == "dealer" else secrets.token_urlsafe(9)
        try:
            accounts.set_secret(name, secret_kind(role), secret, "demo")
        except AccessError:
            continue
        return secret
