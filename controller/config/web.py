"""The sections of a configuration about pages: where they are served, and how long people stay signed in."""

from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from math import inf
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field

from controller.access.people import ROLES, Role
from controller.access.sessions import LIMITS, SessionLimits
from controller.config.devices import Section

FILE = "the path of a file, beside the configuration if relative"
LOOPBACK = "localhost"
Minutes = Annotated[int, Field(ge=1, le=480, description="minutes, a whole number from 1 to 480")]
Days = Annotated[int, Field(ge=0, le=3650, description="days, a whole number from 0 (never) to 3650")]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$")]


class WebSection(Section):
    """Where the pages are served, and to whom."""

    host: Annotated[str, Field(min_length=1, description="an address of this machine")] = "127.0.0.1"
    port: Annotated[
        int, Field(ge=0, le=65535, description="a whole number from 0 (any free one) to 65535")
    ] = 8080
    names: Annotated[
        tuple[Name, ...], Field(strict=False, description='names of this machine, as ["table7.pit.example"]')
    ] = ()
    watching: Annotated[bool, Field(description="true or false")] = False
    tls: Annotated[bool, Field(description="true or false")] = False
    certificate: Annotated[str, Field(min_length=1, description=FILE)] = "keys/web.crt"
    key: Annotated[str, Field(min_length=1, description=FILE)] = "keys/web.key"

    def resolved(self, folder: Path) -> Self:
        """With whole paths, for a configuration in `folder`."""
        return self.model_copy(update=_resolved(folder, certificate=self.certificate, key=self.key))


class AccessSection(Section):
    """Who may sign in, and how long they stay so."""

    path: Annotated[str, Field(min_length=1, description=FILE)] = "access.db"
    idle: Minutes = 15
    dealer_idle: Minutes = 60
    renew: Days = 90

    def limits(self) -> dict[Role, SessionLimits]:
        """As sessions have them, in seconds."""
        idle = dict.fromkeys(ROLES, 60.0 * self.idle) | {"dealer": 60.0 * self.dealer_idle}
        renew = self.renew * 86_400.0 or inf
        return {role: SessionLimits(idle[role], LIMITS[role].longest, renew) for role in ROLES}

    def resolved(self, folder: Path) -> Self:
        """With its whole path, for a configuration in `folder`."""
        return self.model_copy(update=_resolved(folder, path=self.path))


def web_faults(web: Mapping[str, Any]) -> Iterator[str]:
    """What people type must not go over a network where anyone reads along."""
    host = web.get("host", LOOPBACK)
    if web.get("tls") is not True and isinstance(host, str) and not _is_loopback(host):
        yield (
            f'web.host = "{host}": not allowed without tls, for passwords would be read on the way; '
            "allowed: 127.0.0.1, ::1, localhost, or any with tls = true"
        )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == LOOPBACK


def _resolved(folder: Path, **paths: str) -> dict[str, str]:
    return {name: str((folder / path).resolve()) for name, path in paths.items()}
