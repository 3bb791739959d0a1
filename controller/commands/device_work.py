"""What the commands that work on a device of a closed table have in common: who does it, on which device, and
the errors of both."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.access.errors import AccessError
from controller.access.people import Role
from controller.commands.closed_table import DeviceWork, NotClosedError
from controller.commands.exit_codes import failed, usage
from controller.commands.local_sign_in import two_persons
from controller.config import Config, ConfigError, DeviceSection
from controller.journal.errors import JournalBusy, JournalError
from controller.text.characters import character_fault, same_name
from drivers.key_files import KeyFault, device_key
from drivers.protocol.codes import DeviceClass
from drivers.update.signed_file import CLASSES, SignedFileFault

MOST_NAME = 200
ROLES: tuple[Role, ...] = ("technician", "supervisor")
"""The roles that may work on a device."""
NO_UPDATE = "a commercial shoe has no firmware update by this protocol: its maker says how"


@contextmanager
def refusals() -> Iterator[None]:
    """Turns what can be wrong into the errors of a command."""
    try:
        yield
    except ConfigError as error:
        raise usage(*error.faults) from None
    except JournalBusy as error:
        raise failed(f"{error}: stop the daemon first") from None
    except NotClosedError as error:
        raise failed(*(f"the table is not closed: {reason}" for reason in error.reasons)) from None
    except (AccessError, SignedFileFault, KeyFault, JournalError) as error:
        raise failed(str(error)) from None


def checked_persons(who: str, second: str) -> tuple[str, str]:
    """Both names without surrounding white space. Raises ConfigError if a name is not allowed or if both are
    the same person's."""
    names = {"--who": who.strip(), "--second": second.strip()}
    for option, name in names.items():
        if why := character_fault(name):
            raise ConfigError((f"{option}: not allowed: {why}; allowed: text that can be seen",))
        if not 0 < len(name) <= MOST_NAME:
            raise ConfigError((f"{option} {name!r}: not allowed; allowed: 1 to {MOST_NAME} characters",))
    first, other = names.values()
    if same_name(first, other):
        raise ConfigError((f"--second {other!r}: not allowed; allowed: another person than --who",))
    return first, other


def section_of(config: Config, device: str) -> DeviceSection:
    """The section of the device. Raises ConfigError if it is not configured or does not use TSL/1."""
    present = config.devices.configured()
    if device not in present:
        raise ConfigError((f"DEVICE = {device!r}: not configured; allowed: {', '.join(present)}",))
    if getattr(present[device], "adapter", "tsl") != "tsl":
        raise ConfigError((f"devices.{device}: {NO_UPDATE}",))
    return present[device]


def check_class(path: Path, found: DeviceClass, device: str) -> None:
    """Raises SignedFileFault if the file is for another class of device."""
    if found is not CLASSES[device]:
        raise SignedFileFault(f"{path} is for a {found.name.lower()}, not for a {device}")


def signed_in(
    table: Config, device: str, section: DeviceSection, persons: tuple[str, str], what: str
) -> DeviceWork:
    """The work, once both persons have typed their passwords. `what`: a word for it. Raises AccessError,
    KeyFault."""
    key = device_key(device, Path(section.key)) if section.sealed else b""
    names = two_persons(Path(table.access.path), *persons, ROLES, what, table.floor.offline_seconds)
    return DeviceWork(device, CLASSES[device], table, section, key, *names)
