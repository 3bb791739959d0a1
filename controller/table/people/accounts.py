"""Who may decide over the control socket, where names are typed and nobody signs in.

Anyone who can open the socket can type any name. So a decision that moves a jackpot, or needs two persons, is
refused there unless each name belongs to an account with the required role. That does not prove who typed it,
but the journal then names persons whom the house knows, and no step is signed with an unknown name.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Protocol

from controller.access.people import Person, Role
from controller.jackpot import Step
from controller.table.errors import NotAllowed
from controller.table.record.choices import CHOICES
from controller.table.record.events import ClaimStep, Decision, MeterCorrection, Supervisor
from controller.table.record.preview import Preview

SIGNING_ROLES: dict[Step, Role] = {
    "confirm": "dealer",
    "verify": "supervisor",
    "second": "supervisor",
    "pay": "supervisor",
    "void": "supervisor",
}
"""The role that signs each step of a claim."""


class AccountDirectory(Protocol):
    """The table's accounts, as the socket needs them."""

    def holder(self, name: str) -> Person | None:
        """The person with this name, in any spelling that counts as the same; None if no such person may sign
        in. Raises LookupError with a sentence if the accounts cannot be read."""


def with_account_names(
    decision: Decision, preview: Callable[[Decision], Preview], directory: AccountDirectory
) -> Decision:
    """The decision; if it requires accounts, with the names as the accounts spell them. Raises NotAllowed."""
    signed = _signed(decision, preview)
    holders: dict[str, Any] = {field: _holder(name, role, directory) for field, name, role in signed}
    return replace(decision, **holders)


def _signed(decision: Decision, preview: Callable[[Decision], Preview]) -> Iterator[tuple[str, str, Role]]:
    """The fields that must name persons with accounts, with their names and roles."""
    if isinstance(decision, ClaimStep):
        yield "who", decision.who, SIGNING_ROLES[decision.step]
    elif isinstance(decision, MeterCorrection | Supervisor) and _moves(decision, preview):
        yield "who", decision.who, "supervisor"
        yield "second", decision.second, "supervisor"


def _moves(decision: MeterCorrection | Supervisor, preview: Callable[[Decision], Preview]) -> bool:
    """Whether the decision moves a jackpot."""
    if isinstance(decision, MeterCorrection):
        return True
    return CHOICES[decision.choice].may_need_two and preview(decision).by_two


def _holder(name: str, role: Role, directory: AccountDirectory) -> str:
    try:
        person = directory.holder(name)
    except LookupError as why:
        raise NotAllowed(f"this takes persons with accounts, and they cannot be looked up: {why}") from None
    allowed = f"allowed: a {role} with an account (tableside users add NAME --role {role})"
    if person is None:
        raise NotAllowed(f"{name!r} has no account, and this moves a jackpot or takes two persons; {allowed}")
    if person.role != role:
        raise NotAllowed(f"{person.name} is {person.role}; {allowed}")
    return person.name
