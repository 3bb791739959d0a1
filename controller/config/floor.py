"""The sections about the floor: how the uplink reaches the property's servers, and whose messages the table
accepts."""

import re
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from controller.config.section import FILE, FilePath, Section, conflict
from controller.property.subjects import ALLOWED, HUB, checked_name

MOST_SERVERS: Final = 9
SERVERS: Final = f'1 to {MOST_SERVERS} addresses, as ["tls://floor1.house.example:4222"]'
MOST_KEYS: Final = 2
KEYS: Final = "at most two public keys of 64 hexadecimal digits, as the floor prints them"
PLAIN: Final = "nats"
ENCRYPTED: Final = "tls"
_KEY: Final = re.compile(r"[0-9a-fA-F]{64}")
_SCHEMES: Final = frozenset({PLAIN, ENCRYPTED})


def _name(text: str) -> str:
    return checked_name("name", text)


def _property(text: str) -> str:
    if text == HUB:
        raise ValueError("the name of all properties together")
    return checked_name("property", text)


def _server(text: str) -> str:
    found = urlsplit(text)
    if found.scheme not in _SCHEMES or not found.hostname or found.path or found.username or not found.port:
        raise ValueError("not an address")
    return text


def _key(text: str) -> str:
    if not _KEY.fullmatch(text):
        raise ValueError("not a key")
    return text.lower()


PublicKey = Annotated[str, AfterValidator(_key)]
"""Of 32 bytes, in small hexadecimal digits."""


class UplinkSection(Section):
    """How `tableside table uplink` reaches the servers of the property, and as which table. `catch_up`: rows
    a second that are sent at most after a time without a connection. Nothing here lets rows of a round in
    play leave the table."""

    property: Annotated[str, AfterValidator(_property), Field(description=f'{ALLOWED}, but not "{HUB}"')]
    table: Annotated[str, AfterValidator(_name), Field(description=ALLOWED)]
    servers: Annotated[
        tuple[Annotated[str, AfterValidator(_server)], ...],
        Field(strict=False, description=SERVERS),
    ]
    credentials: Annotated[str, Field(description=FILE, validate_default=True)] = ""
    ca: Annotated[str, Field(description=FILE, validate_default=True)] = ""
    catch_up: Annotated[
        int, Field(ge=100, le=100_000, description="rows a second, a whole number from 100 to 100000")
    ] = 5000

    @field_validator("servers")
    @classmethod
    def _are_encrypted(cls, servers: tuple[str, ...]) -> tuple[str, ...]:
        if not 1 <= len(servers) <= MOST_SERVERS:
            raise ValueError("too few or too many")
        for server in servers:
            if urlsplit(server).scheme == PLAIN and not _is_loopback(server):
                fault = f"not allowed, because others on the network could read it; allowed: {ENCRYPTED}://"
                raise conflict("servers", server, fault)
        return servers

    @field_validator("credentials", "ca")
    @classmethod
    def _are_there_for_other_machines(cls, path: str, info: ValidationInfo) -> str:
        """A server of this machine, in a demonstration, may need neither."""
        for server in info.data.get("servers", ()):
            if not path and not _is_loopback(server):
                fault = f"not allowed with the server {server}; allowed: {FILE}"
                raise conflict(str(info.field_name), path, fault)
        return path

    def resolved(self, folder: Path) -> Self:
        return self._with_paths(folder, "credentials", "ca")


class FloorSection(Section):
    """`keys`: public keys of the floor, the one in use and the next one; without any, no message of the floor
    is accepted. `offline_for`: hours for which the last directory of the floor counts. `directory_key`: the
    private key for which the floor seals directories; `directory_public`: its public half."""

    keys: Annotated[tuple[PublicKey, ...], Field(strict=False, description=KEYS)] = ()
    offline_for: Annotated[int, Field(ge=0, le=72, description="hours, a whole number from 0 to 72")] = 24
    directory_key: FilePath = "keys/directory.key"
    directory_public: FilePath = "directory.pub"

    @field_validator("keys")
    @classmethod
    def _are_few(cls, keys: tuple[str, ...]) -> tuple[str, ...]:
        if len(keys) > MOST_KEYS:
            raise ValueError("too many")
        return keys

    @property
    def offline_seconds(self) -> float:
        return self.offline_for * 3600.0

    def pinned(self) -> tuple[bytes, ...]:
        """The public keys, 32 bytes each."""
        return tuple(map(bytes.fromhex, self.keys))

    def resolved(self, folder: Path) -> Self:
        return self._with_paths(folder, "directory_key", "directory_public")


def _is_loopback(server: str) -> bool:
    host = urlsplit(server).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
