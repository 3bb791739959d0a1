"""The sections about the pages: where they are served, and how long people stay signed in."""

from ipaddress import ip_address, ip_network
from math import inf
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationInfo, field_validator

from controller.access.origin import LOOPBACK, Network
from controller.access.people import ROLES, Role
from controller.access.sessions import LIMITS, SessionLimits
from controller.config.felt import COLOUR, DEFAULT, faint_texts, readable
from controller.config.section import FILE, FilePath, Section, conflict

LOCALHOST = "localhost"
NETWORKS = 'networks, as ["127.0.0.0/8", "10.7.0.12"]'
KIOSK_HOST = "127.0.0.1"
"""Where the port of the kiosk is. Linux drops packets from the network that are addressed to it."""
METRICS_FILE = "keys/metrics.token"
Minutes = Annotated[int, Field(ge=1, le=480, description="minutes, a whole number from 1 to 480")]
Days = Annotated[int, Field(ge=0, le=3650, description="days, a whole number from 0 (never) to 3650")]
HostName = Annotated[str, Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$")]


class WebSection(Section):
    """`watching`: anyone who reaches the address may look at the live page. `kiosk_port`: a port on loopback
    for the table's own screen; 0 if the screen uses `port`. `house`, `logo`, `felt`: the name of the house, a
    picture and the colour of its felt, as the pages show them."""

    host: Annotated[str, Field(min_length=1, description="an address of this machine")] = "127.0.0.1"
    port: Annotated[
        int, Field(ge=0, le=65535, description="a whole number from 0 (any free one) to 65535")
    ] = 8080
    kiosk_port: Annotated[
        int, Field(ge=0, le=65535, description="a whole number from 0 (none of its own) to 65535")
    ] = 0
    names: Annotated[
        tuple[HostName, ...],
        Field(strict=False, description='names of this machine, as ["table7.pit.example"]'),
    ] = ()
    watching: Annotated[bool, Field(description="true or false")] = False
    tls: Annotated[bool, Field(description="true or false", validate_default=True)] = False
    certificate: FilePath = "keys/web.crt"
    key: FilePath = "keys/web.key"
    metrics_token: FilePath = METRICS_FILE
    house: Annotated[str, Field(max_length=40, description="at most 40 characters")] = ""
    logo: Annotated[str, Field(description=FILE)] = ""
    felt: Annotated[
        str,
        Field(pattern=f"^{COLOUR.pattern}$", description=f'a dark colour, as "{DEFAULT}"'),
    ] = DEFAULT

    @field_validator("kiosk_port")
    @classmethod
    def _differs_from_the_port_of_the_pages(cls, kiosk_port: int, info: ValidationInfo) -> int:
        if kiosk_port and kiosk_port == info.data.get("port"):
            raise conflict(
                "kiosk_port", kiosk_port, "not allowed, because web.port has it; allowed: another port"
            )
        return kiosk_port

    @field_validator("felt")
    @classmethod
    def _is_dark_enough_for_its_texts(cls, felt: str) -> str:
        for why in faint_texts(felt):
            fault = f'not allowed, because {why}; allowed: a darker colour, such as "{readable(felt)}"'
            raise conflict("felt", felt, fault)
        return felt

    @field_validator("tls")
    @classmethod
    def _protects_passwords(cls, tls: bool, info: ValidationInfo) -> bool:
        host = info.data.get("host", LOCALHOST)
        if not tls and not _is_loopback(host):
            raise conflict(
                "host",
                host,
                "not allowed without tls, because others on the network could read passwords; "
                "allowed: 127.0.0.1, ::1, localhost, or any with tls = true",
            )
        return tls

    @property
    def address(self) -> str:
        """The URL under which other computers find the first page; empty if they do not, or if nothing here
        says under which name or port."""
        host = next(iter(self.names), "" if _is_loopback(self.host) or _is_any(self.host) else self.host)
        if not (host and self.port):
            return ""
        return f"{'https' if self.tls else 'http'}://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def resolved(self, folder: Path) -> Self:
        return self._with_paths(folder, "certificate", "key", "metrics_token", "logo")


class AccessSection(Section):
    """Who may sign in, and for how long. `dealer_from`: where dealers may do so."""

    path: FilePath = "access.db"
    idle: Minutes = 15
    dealer_idle: Minutes = 60
    renew: Days = 90
    dealer_from: Annotated[tuple[str, ...], Field(strict=False, description=NETWORKS)] = tuple(
        map(str, LOOPBACK)
    )

    @field_validator("dealer_from")
    @classmethod
    def _are_networks(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        for text in texts:
            try:
                ip_network(text)
            except ValueError as error:
                raise conflict("dealer_from", text, f"{error}; allowed: {NETWORKS}") from None
        return texts

    def dealer_networks(self) -> tuple[Network, ...]:
        """The networks from which dealers may sign in."""
        return tuple(map(ip_network, self.dealer_from))

    def limits(self) -> dict[Role, SessionLimits]:
        """In seconds."""
        idle = dict.fromkeys(ROLES, 60.0 * self.idle) | {"dealer": 60.0 * self.dealer_idle}
        renew = self.renew * 86_400.0 or inf
        return {role: SessionLimits(idle[role], LIMITS[role].longest, renew) for role in ROLES}

    def resolved(self, folder: Path) -> Self:
        return self._with_paths(folder, "path")


def _is_any(host: str) -> bool:
    """Whether it stands for all addresses of this machine."""
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == LOCALHOST
