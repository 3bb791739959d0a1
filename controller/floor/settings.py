"""The configuration of a property's floor: `floor.toml`, read as a table's configuration is."""

from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, Self
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from controller.calendar import Calendar
from controller.config.floor import MOST_KEYS, PublicKey
from controller.config.reading import read_root
from controller.config.section import FILE, FilePath, Section, conflict
from controller.config.sections import ReportsSection, TimeZone
from controller.config.web import AccessSection, WebSection
from controller.floor.streams import Deployment
from controller.property.subjects import ALLOWED, HUB, checked_name

PLAIN: Final = "nats"
"""The scheme of a connection that others on the network can read."""
SCHEMES: Final = (PLAIN, "tls")
REPLICAS: Final = (1, 3)
MONITOR_SCHEMES: Final = ("http", "https")
LEAST_RETENTION: Final = 90
"""Days for which the floor keeps what tables sent, at the least."""
GIGABYTE: Final = 1 << 30
SERVERS: Final = 'addresses of servers, as ["tls://nats-1.house.example:4222"]; nats:// on this computer only'
MONITORS: Final = 'addresses of the monitoring ports of servers, as ["http://127.0.0.1:8222"], or none'
PITS: Final = 'a section with the tables of each pit, as main = ["bj-1", "bj-2"], each table in one pit'
KEYS: Final = f"at most {MOST_KEYS} public keys of 64 hexadecimal digits, as the progressive prints them"
LEVELS: Final = f"names of the linked progressives, each {ALLOWED}, or none"
PROPERTIES: Final = f'names of properties, each {ALLOWED}, with property = "{HUB}"; none with another one'
OptionalPath = Annotated[str, Field(description=f"{FILE}, or empty")]


def _name(name: str) -> str:
    return checked_name("property", name)


def _servers(addresses: tuple[str, ...]) -> tuple[str, ...]:
    for address in addresses:
        parts = _address(address, SCHEMES)
        if parts.scheme == PLAIN and not _is_loopback(parts.hostname or ""):
            raise ValueError("others on the network could read it")
    return addresses


def _replicas(number: int) -> int:
    if number not in REPLICAS:
        raise ValueError("not a number of servers")
    return number


def _monitors(addresses: tuple[str, ...]) -> tuple[str, ...]:
    for address in addresses:
        _address(address, MONITOR_SCHEMES)
    return addresses


def _address(address: str, schemes: tuple[str, ...]) -> SplitResult:
    parts = urlsplit(address)
    if parts.scheme not in schemes or not parts.hostname or not parts.port:
        raise ValueError("not an address")
    return parts


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _pits(found: object) -> dict[str, tuple[str, ...]]:
    if not isinstance(found, Mapping):
        raise ValueError("not a section")
    pits = {checked_name("pit", str(name)): _tables(tables) for name, tables in found.items()}
    tables = [table for pit in pits.values() for table in pit]
    if len(tables) > len(set(tables)):
        raise ValueError("a table is in two pits")
    return pits


def _properties(names: tuple[str, ...]) -> tuple[str, ...]:
    if HUB in names:
        raise ValueError("reserved")
    return tuple(checked_name("property", name) for name in names)


def _levels(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(checked_name("level", name) for name in names)


def _tables(found: object) -> tuple[str, ...]:
    if not isinstance(found, list):
        raise ValueError("not a list")
    return tuple(checked_name("table", str(table)) for table in found)


Addresses = Annotated[tuple[str, ...], Field(strict=False)]
PropertyName = Annotated[str, AfterValidator(_name), Field(description=ALLOWED)]
PropertyNames = Annotated[Addresses, AfterValidator(_properties), Field(description=PROPERTIES)]
ServerAddresses = Annotated[Addresses, AfterValidator(_servers), Field(min_length=1, description=SERVERS)]
MonitorAddresses = Annotated[Addresses, AfterValidator(_monitors), Field(description=MONITORS)]
Replicas = Annotated[int, AfterValidator(_replicas), Field(description="1 or 3")]
Pits = Annotated[dict[str, tuple[str, ...]], BeforeValidator(_pits)]
RETENTION: Final = f"days, a whole number from {LEAST_RETENTION} to 36500"


def are_monitored(monitors: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    """A server of another computer says on its monitoring port whether it writes to its disk at once."""
    known = {urlsplit(monitor).hostname for monitor in monitors}
    for server in info.data.get("servers", ()):
        host = urlsplit(server).hostname or ""
        if host not in known and not _is_loopback(host):
            fault = f"not allowed with the server {server}; allowed: with the monitoring port of {host} too"
            raise conflict("monitors", monitors, fault)
    return monitors


def are_of_hub(properties: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    """The hub has properties, and a property has none."""
    name = info.data.get("property", "")
    if bool(properties) != (name == HUB):
        fault = f"not allowed with the property {name}; allowed: {PROPERTIES}"
        raise conflict("properties", properties, fault)
    return properties


class HubSection(Section):
    """The hub of a company, to which the servers of a property connect. `servers`: its addresses for that;
    `credentials`: where each server finds what it signs in with."""

    servers: ServerAddresses
    credentials: FilePath = "/etc/tableside/nats/hub.creds"


class FloorReportsSection(ReportsSection):
    """Gaming days of the floor as a whole; `zone`: the time zone of its clock."""

    zone: TimeZone = "UTC"


class FloorConfig(Section):
    """A property's floor, or the servers of a hub. `properties`: those that connect to the hub; `leaves`:
    the addresses under which they do; `hub`: the hub of this property. `authority`: the folder of the keys
    of the servers; empty for servers that admit everybody. `stores`: the folder of what tables sent; `key`:
    the file of the private key with which the floor signs; `notice`: hours between a notice of a test or an
    installation and its begin; `retention`: days for which the files of gaming days are kept;
    `journal_room`: the room of the stream of journals in GB; `levels`: the linked progressives of the
    property; `progressive_keys`: their public keys, without which the pages show no amount."""

    property: PropertyName
    servers: ServerAddresses
    ca: OptionalPath = ""
    properties: Annotated[PropertyNames, Field(validate_default=True)] = ()
    leaves: Annotated[Addresses, AfterValidator(_servers), Field(description=SERVERS)] = ()
    hub: Annotated[HubSection | None, Field(description="a section with servers and credentials")] = None
    credentials: OptionalPath = ""
    authority: OptionalPath = ""
    replicas: Replicas = 1
    stores: FilePath = "stores"
    key: FilePath = "keys/floor.key"
    monitors: Annotated[MonitorAddresses, Field(validate_default=True)] = ()
    notice: Annotated[int, Field(ge=0, le=8760, description="hours, a whole number from 0 to 8760")] = 72
    retention: Annotated[int, Field(ge=LEAST_RETENTION, le=36500, description=RETENTION)] = LEAST_RETENTION
    journal_room: Annotated[int, Field(ge=1, le=10_000, description="GB, a whole number from 1 to 10000")] = 4
    levels: Annotated[Addresses, AfterValidator(_levels), Field(description=LEVELS)] = ()
    progressive_keys: Annotated[
        tuple[PublicKey, ...], Field(strict=False, max_length=MOST_KEYS, description=KEYS)
    ] = ()
    pits: Annotated[Pits, Field(description=PITS, default_factory=dict)]
    access: Annotated[AccessSection, Field(description="a section with path")] = AccessSection()
    web: Annotated[
        WebSection | None, Field(description="a section with host, port, names, watching, tls")
    ] = None
    reports: Annotated[
        FloorReportsSection, Field(description="a section with day_begins, shifts, zone and pause")
    ] = FloorReportsSection()

    _of_hub = field_validator("properties")(are_of_hub)
    _are_monitored = field_validator("monitors")(are_monitored)

    def deployment(self) -> Deployment:
        """The streams that the servers must have."""
        room = self.journal_room * GIGABYTE
        return Deployment(self.property, self.replicas, journal_bytes=room, levels=self.levels)

    def calendar(self) -> Calendar:
        """The gaming days of the house."""
        return self.reports.settings(0, self.reports.zone).calendar

    def resolved(self, folder: Path) -> Self:
        found = self._with_paths(folder, "ca", "credentials", "authority", "stores", "key")
        web = self.web.resolved(folder) if self.web else None
        return found.model_copy(update={"access": self.access.resolved(folder), "web": web})


def read_floor(path: Path) -> FloorConfig:
    """The configuration in the file at `path`, with absolute paths. Raises ConfigError."""
    return read_root(FloorConfig, path).resolved(path.parent)
