"""People and their roles."""

from dataclasses import dataclass
from typing import Literal, get_args

Role = Literal["dealer", "supervisor", "technician", "auditor"]
ROLES: tuple[Role, ...] = get_args(Role)
Kind = Literal["password", "pin", "badge"]
"""What somebody proves themselves with."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has proved who they are. `stale`: their password or PIN is older than it should be."""

    name: str
    role: Role
    stale: bool = False


def proof(role: Role) -> Kind:
    """What somebody of this role has, with a badge or without."""
    return "pin" if role == "dealer" else "password"
