"""Reads the uplink's settings from the configuration of its table.

What reads a configuration takes more memory than the whole uplink, so a process of its own does it.
"""

from pathlib import Path
from typing import Final

from controller.config import ConfigError, read
from controller.floor.uplink.settings import UplinkSettings
from controller.process.faults import FAILED, USAGE, is_temporary, print_faults
from controller.socket.listening import socket_place
from drivers.key_files import credential

CREDENTIAL: Final = "uplink.creds"
"""The name of the credentials as a credential of systemd."""
NEEDED: Final = "uplink is missing; needed: a section with property, table and servers"


def written_settings(path: Path) -> bytes:
    """The settings in the configuration at `path`, as UplinkSettings reads them. Raises SystemExit after it
    has printed the faults."""
    try:
        return _settings(path).written()
    except ConfigError as error:
        print_faults(*error.faults)
        raise SystemExit(FAILED if is_temporary(error) else USAGE) from None
    except OSError as error:
        print_faults(str(error))
        raise SystemExit(FAILED) from None


def _settings(path: Path) -> UplinkSettings:
    config = read(path)
    section = config.uplink
    if section is None:
        raise ConfigError((NEEDED,))
    return UplinkSettings(
        section.property,
        section.table,
        section.servers,
        section.ca,
        str(credential(CREDENTIAL) or section.credentials),
        section.catch_up,
        config.floor.keys,
        config.journal.path,
        str(socket_place(config).path),
        tuple(config.progressive.levels.values()),
    )
