"""People and their roles."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

Role = Literal["dealer", "supervisor", "technician", "auditor"]
ROLES: tuple[Role, ...] = get_args(Role)
Kind = Literal["password", "pin", "badge"]
"""What somebody proves themselves with."""
WORDS: Final[Mapping[Kind, str]] = {"password": "password", "pin": "PIN", "badge": "badge"}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has proved who they are. `stale`: their password or PIN is older than it should be."""

    name: str
    role: Role
    stale: bool = False

    @property
    def word(self) -> str:
        """What their secret is called."""
        return WORDS[proof(self.role)]


def proof(role: Role) -> Kind:
    """What somebody of this role has, with a badge or without."""
    return "pin" if role == "dealer" else "password"
