"""People and their roles."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

Role = Literal["dealer", "supervisor", "technician", "auditor"]
ROLES: tuple[Role, ...] = get_args(Role)
SecretKind = Literal["password", "pin", "badge"]
"""The kinds of secret that prove who a person is."""
SECRET_WORDS: Final[Mapping[SecretKind, str]] = {"password": "password", "pin": "PIN", "badge": "badge"}

OVERRIDE: Final = "override"
"""The name under which root acts without signing in. No account may have it."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person who has signed in. `stale`: their password or PIN is older than the house's limit."""

    name: str
    role: Role
    stale: bool = False

    @property
    def secret_word(self) -> str:
        """The word for the secret of this person's role: "PIN" or "password"."""
        return SECRET_WORDS[secret_kind(self.role)]


def secret_kind(role: Role) -> SecretKind:
    """The secret that everyone in this role has; dealers may have a badge too."""
    return "pin" if role == "dealer" else "password"
