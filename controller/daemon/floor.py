"""The floor that the configuration says the table belongs to."""

from pathlib import Path

import structlog

from controller.access.desk import AccessDesk
from controller.access.errors import AccountsUnusable
from controller.config import Config
from controller.property.sealing import SealingKey
from controller.property.status import StatusDirectory
from controller.property.subjects import PropertySubjects
from controller.socket.core import FloorTrust
from drivers.key_files import KeyFault, device_key

DIRECTORY_KEY = "directory"
"""The name of the key, as of a device's, for a credential of systemd."""


def floor_trust(config: Config) -> FloorTrust | None:
    """None if the table takes no messages of a floor, because it has no uplink or pins no key."""
    uplink, keys = config.uplink, config.floor.pinned()
    if uplink is None or not keys:
        return None
    sealing = _sealing_key(Path(config.floor.directory_key))
    return FloorTrust(PropertySubjects(uplink.property), uplink.table, frozenset(keys), sealing)


def directory_status(access: AccessDesk | None) -> StatusDirectory | None:
    """Which directory the table has; None while the accounts cannot be used."""
    if access is None:
        return None
    try:
        place, state = access.directory.place, access.directory.state
    except AccountsUnusable:
        return None
    version, issued = (place.version, place.issued) if place else (0, 0.0)
    return StatusDirectory(version=version, issued=issued, state=state, failures=access.failures)


def _sealing_key(path: Path) -> SealingKey | None:
    """None if there is no key that can be used: then the table takes no directory."""
    try:
        return SealingKey(device_key(DIRECTORY_KEY, path))
    except (KeyFault, OSError) as fault:
        structlog.get_logger("tableside.floor").warning(
            "no directories", why=str(fault), needed="tableside device provision directory"
        )
        return None
