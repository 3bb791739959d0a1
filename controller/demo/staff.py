"""Who works at a demonstration: accounts whose secrets are drawn anew each time and shown where it starts."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from controller.access.accounts import Accounts
from controller.access.errors import AccessError
from controller.access.people import Kind, Role, proof
from controller.access.store import Store

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
    def proof(self) -> Kind:
        """What they prove themselves with."""
        return proof(self.role)


def staff(path: Path, people: Mapping[str, Role] = PEOPLE) -> tuple[Member, ...]:
    """All of them have accounts in this file from now on; those that were there before are made anew."""
    with closing(Store(path)) as store:
        return tuple(_members(Accounts(store), people))


def _members(accounts: Accounts, people: Mapping[str, Role]) -> Iterator[Member]:
    there = {account.name for account in accounts.all()}
    for name, role in people.items():
        if name in there:
            accounts.remove(name, "demo")
        accounts.add(name, role, "demo")
        yield Member(name, role, _proves(accounts, name, role))


def _proves(accounts: Accounts, name: str, role: Role) -> str:
    """Draws again what is not good enough."""
    while True:
        secret = f"{secrets.randbelow(10_000):04}" if role == "dealer" else secrets.token_urlsafe(9)
        try:
            accounts.prove(name, proof(role), secret, "demo")
        except AccessError:
            continue
        return secret
