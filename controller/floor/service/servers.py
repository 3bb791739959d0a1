"""The servers of a floor, as its configuration says."""

from pathlib import Path
from typing import Final

from controller.floor.authority.permissions import FLOOR_INBOX
from controller.floor.connection import Servers
from controller.floor.settings import FloorConfig
from drivers.key_files import credential

CREDENTIALS: Final = "floor.creds"
"""The name of the credentials as a credential of systemd."""


def servers_of(config: FloorConfig) -> Servers:
    """How a program of the floor reaches the servers."""
    return Servers(
        config.servers,
        "floor",
        FLOOR_INBOX,
        Path(config.ca) if config.ca else None,
        credential(CREDENTIALS) or (Path(config.credentials) if config.credentials else None),
    )
