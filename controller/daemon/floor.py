"""The floor that the configuration says the table belongs to."""

from controller.config import Config
from controller.property.subjects import PropertySubjects
from controller.socket.core import FloorTrust


def floor_trust(config: Config) -> FloorTrust | None:
    """None for a table that takes no messages of a floor: it has no uplink, or pins no key."""
    uplink, keys = config.uplink, config.floor.pinned()
    if uplink is None or not keys:
        return None
    return FloorTrust(PropertySubjects(uplink.property), uplink.table, frozenset(keys))
