"""The configuration of an instance of a linked progressive: `progressive.toml`, read as a table's is."""

import re
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, field_validator

from controller.config.reading import read_root
from controller.config.section import FILE, FilePath, Section
from controller.floor.settings import (
    Addresses,
    MonitorAddresses,
    OptionalPath,
    PropertyNames,
    Replicas,
    ServerAddresses,
    are_monitored,
    are_of_hub,
)
from controller.property.subjects import ALLOWED, checked_name

MOST_KEYS: Final = 2
KEYS: Final = "one or two public keys of the floor, 64 hexadecimal digits each"
_KEY: Final = re.compile("[0-9a-f]{64}")


def _name(name: str) -> str:
    return checked_name("name", name)


def _keys(keys: tuple[str, ...]) -> tuple[str, ...]:
    if not all(map(_KEY.fullmatch, keys)):
        raise ValueError("not keys")
    return keys


Name = Annotated[str, AfterValidator(_name), Field(description=ALLOWED)]
PublicKeys = Annotated[
    Addresses, AfterValidator(_keys), Field(min_length=1, max_length=MOST_KEYS, description=KEYS)
]


class ProgressiveConfig(Section):
    """One of the two instances of a level, named `instance`. `properties`: whose tables play, if `property`
    is the hub; `floor`: whose decisions count; `key`: the file of the private key that signs amounts, the
    same for both instances; `demo`: a demonstration, whose log no other instance accepts."""

    property: Annotated[str, AfterValidator(_name), Field(description=ALLOWED)]
    properties: Annotated[PropertyNames, Field(validate_default=True)] = ()
    level: Name
    instance: Name
    servers: ServerAddresses
    ca: OptionalPath = ""
    credentials: OptionalPath = ""
    monitors: Annotated[MonitorAddresses, Field(validate_default=True)] = ()
    replicas: Replicas = 3
    floor: PublicKeys
    journal: FilePath
    mirror: Annotated[FilePath, Field(description=f"{FILE}, on another disk")]
    key: FilePath = "keys/progressive.key"
    demo: Annotated[bool, Field(description="true or false")] = False

    _of_hub = field_validator("properties")(are_of_hub)
    _are_monitored = field_validator("monitors")(are_monitored)

    def resolved(self, folder: Path) -> Self:
        """With absolute paths; relative ones lie in `folder`."""
        return self._with_paths(folder, "ca", "credentials", "journal", "mirror", "key")

    def announced_to(self) -> tuple[str, ...]:
        """The properties that hear the amount."""
        return self.properties or (self.property,)

    def pinned(self) -> tuple[bytes, ...]:
        """The public keys of the floor, 32 bytes each."""
        return tuple(map(bytes.fromhex, self.floor))


def read_progressive(path: Path) -> ProgressiveConfig:
    """The configuration in the file at `path`, with absolute paths. Raises ConfigError."""
    return read_root(ProgressiveConfig, path).resolved(path.parent)
