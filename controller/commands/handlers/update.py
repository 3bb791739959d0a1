"""What `tableside device update` does."""

from dataclasses import asdict
from functools import partial
from pathlib import Path

import typer

from controller.access.errors import AccessError
from controller.access.people import Role
from controller.commands.arguments import print_json
from controller.commands.exit_codes import failed, usage
from controller.commands.local_sign_in import two_persons
from controller.commands.update_job import SUCCESSFUL, NotClosedError, UpdateJob, carry_out
from controller.config import Config, ConfigError, DeviceSection, read
from controller.journal.errors import JournalBusy, JournalError
from controller.text.characters import character_fault, same_name
from drivers.key_files import KeyFault, device_key, read_public
from drivers.update.image import CLASSES, FirmwareUpdate, ImageFault, read_update

MOST_NAME = 200
ROLES: tuple[Role, ...] = ("technician", "supervisor")
"""The roles that may update firmware."""
NO_UPDATE = "a commercial shoe has no firmware update by this protocol: its maker says how"


def handle(
    device: str, *, image: Path, config: Path, who: str, second: str, maker: Path | None, as_json: bool
) -> None:
    try:
        table = read(config)
        persons = _persons(who, second)
        section = _section(table, device)
        update = _update(image, device, maker)
        key = device_key(device, Path(section.key)) if section.sealed else b""
        names = two_persons(Path(table.access.path), *persons, ROLES, "update", table.floor.offline_seconds)
        job = UpdateJob(device, table, section, key, update, *names)
        ended = carry_out(job, partial(typer.echo, err=as_json))
    except ConfigError as error:
        raise usage(*error.faults) from None
    except JournalBusy as error:
        raise failed(f"{error}: stop the daemon first") from None
    except NotClosedError as error:
        raise failed(*(f"the table is not closed: {reason}" for reason in error.reasons)) from None
    except (AccessError, ImageFault, KeyFault, JournalError) as error:
        raise failed(str(error)) from None
    if as_json:
        print_json(asdict(ended))
    if ended.result not in SUCCESSFUL:
        raise failed(f"{device}: {ended.result}: {ended.text}")


def _persons(who: str, second: str) -> tuple[str, str]:
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


def _section(config: Config, device: str) -> DeviceSection:
    """The section of the device. Raises ConfigError if it is not configured or does not use TSL/1."""
    present = config.devices.configured()
    if device not in present:
        raise ConfigError((f"DEVICE = {device!r}: not configured; allowed: {', '.join(present)}",))
    if getattr(present[device], "adapter", "tsl") != "tsl":
        raise ConfigError((f"devices.{device}: {NO_UPDATE}",))
    return present[device]


def _update(path: Path, device: str, maker: Path | None) -> FirmwareUpdate:
    """The update in this file. Raises ImageFault if it is damaged, for another class of device, or not signed
    by `maker`; KeyFault if the maker's key cannot be read."""
    update = read_update(path)
    manifest, device_class = update.manifest, CLASSES[device]
    if manifest.device_class is not device_class:
        raise ImageFault(f"{path} is for a {manifest.device_class.name.lower()}, not for a {device}")
    if maker and not manifest.signed_by(read_public(maker)):
        raise ImageFault(f"{path}: the signature is not that of the maker whose key is in {maker}")
    return update
