"""Persons prove who they are while no daemon runs: for commands about a stopped table, or a floor."""

import asyncio
import time
from collections.abc import Sequence
from math import inf
from pathlib import Path

from controller.access.accounts import Account
from controller.access.desk import AccessDesk
from controller.access.errors import AccessError
from controller.access.people import Person, Role
from controller.commands.secret_prompt import ask_secret
from controller.text.characters import same_name

LOCAL_ADDRESS = ""
"""The network address that the log of sign-ins has for a person at this computer."""


def two_persons(
    access: Path, who: str, second: str, roles: Sequence[Role], act: str, offline_for: float = inf
) -> tuple[str, str]:
    """Ask both persons for their passwords and return both names as the accounts have them. `access`: the
    database of the accounts; `act`: what they do, such as "confirm"; `offline_for`: seconds for which
    accounts of a table's floor count without a newer directory.

    Raises AccessError if a password is wrong, an account has none of these roles, or both accounts are the
    same person's.
    """
    return asyncio.run(_authenticated(access, (who, second), roles, act, offline_for))


def one_person(access: Path, who: str, roles: Sequence[Role]) -> Person:
    """Ask a person for their password. Raises AccessError as `two_persons`."""
    return asyncio.run(_signed_in(access, who, roles))


async def _signed_in(access: Path, who: str, roles: Sequence[Role]) -> Person:
    with AccessDesk(access, time.time, time.monotonic) as desk:
        account = desk.accounts.get(who)
        _check_role(account, roles)
        await _prove(desk, account.name)
        return Person(account.name, account.role)


async def _authenticated(
    access: Path, names: tuple[str, str], roles: Sequence[Role], act: str, offline_for: float
) -> tuple[str, str]:
    with AccessDesk(access, time.time, time.monotonic, offline_for=offline_for) as desk:
        accounts = [desk.accounts.get(name) for name in names]
        for account in accounts:
            _check_role(account, roles)
        first, other = (account.name for account in accounts)
        if same_name(first, other):
            raise AccessError(f"{first} cannot {act} twice; allowed: two persons")
        for name in (first, other):
            await _prove(desk, name)
    return first, other


def _check_role(account: Account, roles: Sequence[Role]) -> None:
    """Raises AccessError."""
    if account.role not in roles:
        article = "an" if account.role == "auditor" else "a"
        raise AccessError(f"{account.name} is {article} {account.role}; allowed: a {' or '.join(roles)}")


async def _prove(desk: AccessDesk, name: str) -> None:
    """Raises AccessError for a wrong password."""
    token, _ = await desk.sign_in("password", name, ask_secret(name, "password"), LOCAL_ADDRESS)
    desk.sessions.end(token, LOCAL_ADDRESS)
