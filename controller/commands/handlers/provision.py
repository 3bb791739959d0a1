"""What `tableside device provision` does."""

from dataclasses import asdict, dataclass
from pathlib import Path

import typer

from controller.commands.arguments import print_json
from controller.commands.config_file import PROGRESSIVE as PROGRESSIVE_CONFIG
from controller.commands.config_file import TABLE, default_config
from controller.commands.credentials import encrypt
from controller.commands.directory_key import DIRECTORY, DirectoryKey, provision_directory
from controller.commands.exit_codes import failed, usage
from controller.commands.journal_key import (
    JOURNAL,
    SEAL,
    CardKey,
    JournalKey,
    KeyOrder,
    provision_journal,
    provision_seal,
)
from controller.commands.progressive_key import PROGRESSIVE, ProgressiveKey, provision_progressive
from controller.config import Config, ConfigError, DeviceSection, read, read_journal_section
from controller.journal.errors import JournalError
from drivers.key_files import KeyFault, fingerprint, make_key, read_key, store_key


@dataclass(frozen=True, slots=True)
class DeviceKey:
    """The key of a device, in the file `key`."""

    device: str
    serial: str
    key: str
    fingerprint: str

    def text(self) -> str:
        return (
            f"key of {self.device} {self.serial}: {self.key}\n"
            f"fingerprint: {self.fingerprint}\n"
            "Put the same key into the device, then restart the table's service."
        )


def handle(
    device: str,
    *,
    config: Path | None,
    given: Path | None,
    credential: Path | None,
    replace: bool,
    as_json: bool,
) -> None:
    config = config or default_config(PROGRESSIVE_CONFIG if device == PROGRESSIVE else TABLE)
    try:
        made = _provisioned(device, config, KeyOrder(given, credential, replace))
    except ConfigError as error:
        raise usage(*error.faults) from None
    except (KeyFault, JournalError, OSError) as error:
        raise failed(str(error)) from None
    if as_json:
        print_json(asdict(made))
    else:
        typer.echo(made.text())


def _provisioned(
    device: str, path: Path, order: KeyOrder
) -> DeviceKey | JournalKey | CardKey | DirectoryKey | ProgressiveKey:
    if device == PROGRESSIVE:
        from controller.floor.progressive.settings import read_progressive  # it loads NATS

        return provision_progressive(read_progressive(path), order)
    if device == SEAL:
        return provision_seal(read_journal_section(path), order)
    config = read(path)
    if device == JOURNAL:
        return provision_journal(config.journal, order)
    if device == DIRECTORY:
        return provision_directory(config.floor, order)
    return _device(device, config, order)


def _device(device: str, config: Config, order: KeyOrder) -> DeviceKey:
    """Store the key of a device. Raises ConfigError if the device needs no key, KeyFault or OSError if a key
    cannot be used or written."""
    section = _section(config, device)
    key = read_key(order.given) if order.given else make_key()
    if order.encrypted:
        encrypt(device, key, order.encrypted, replace=order.replace)
    else:
        store_key(key, Path(section.key), replace=order.replace)
    return DeviceKey(device, section.serial, str(order.encrypted or section.key), fingerprint(key))


def _section(config: Config, device: str) -> DeviceSection:
    """The section of the device. Raises ConfigError if the device is not configured or not sealed."""
    known = config.devices.configured()
    if device not in known:
        raise ConfigError((f"DEVICE = {device!r}: not configured; allowed: {', '.join(known)}",))
    if not known[device].sealed:
        raise ConfigError((f"devices.{device} is not sealed: it needs no key",))
    return known[device]
