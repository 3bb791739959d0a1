"""People and their roles."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

Role = Literal["dealer", "supervisor", "technician", "auditor"]
ROLES: tuple[Role, ...] = get_args(Role)
SecretKind = Literal["password", "pin", "badge"]
"""What somebody proves themselves with."""
SECRET_WORDS: Final[Mapping[SecretKind, str]] = {"password": "password", "pin": "PIN", "badge": "badge"}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has proved who they are. `stale`: their password or PIN is older than it should be."""

    name: str
    role: Role
    stale: bool = False

    @property
    def secret_word(self) -> str:
        """What their secret is called."""
        return SECRET_WORDS[secret_kind(self.role)]


def secret_kind(role: Role) -> SecretKind:
    """What somebody of this role has, with a badge or without."""
    return "pin" if role == "dealer" else "password"
