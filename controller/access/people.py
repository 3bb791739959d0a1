"""People and their roles."""

from dataclasses import dataclass
from typing import Literal, get_args

Role = Literal["dealer", "supervisor", "technician", "auditor"]
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has proved who they are."""

    name: str
    role: Role
