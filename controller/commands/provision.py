"""The command `tableside provision`, which makes the key of a device or of the journal."""

import os
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from controller.commands.arguments import AsJson, print_json
from controller.commands.exit_codes import failed, usage
from controller.config import Config, ConfigError, DeviceSection, read
from controller.journal.errors import JournalError
from controller.journal.signing import Signer
from controller.journal.trust import read_public, write_public
from drivers.key_files import KeyFault, fingerprint, key_text, make_key, read_key, store_key

JOURNAL = "journal"
"""The argument that stands for the journal's key instead of a device's."""


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


@dataclass(frozen=True, slots=True)
class JournalKey:
    """The key of the journal, in the file `key`; its public half, in hex and in the file `public_file`."""

    device: str
    key: str
    public: str
    public_file: str

    def text(self) -> str:
        return f"key of the journal: {self.key}\npublic key: {self.public}, in {self.public_file}"


def provision(
    device: Annotated[str, typer.Argument(metavar="DEVICE", help="shoe, sensors, console, ... or journal")],
    config: Annotated[Path, typer.Option("--config", metavar="FILE", help="The table's configuration.")],
    given: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Keep this key instead of making one.")
    ] = None,
    credential: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep it encrypted, as systemd's credential, in this file."),
    ] = None,
    *,
    replace: Annotated[bool, typer.Option("--replace", help="Though there is a key already.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make the key of a device and keep it where only the service can read it.

    The same key must be put into the device, by its maker's procedure. Both
    then show the same fingerprint.

    For "journal" it is the key that signs the journal: one that is there
    stays, and its public half is written down beside the configuration.

    Example: tableside provision shoe --config table.toml
    """
    try:
        made = _provisioned(device, read(config), given, credential, replace=replace)
    except ConfigError as error:
        raise usage(*error.faults) from None
    except (KeyFault, JournalError, OSError) as error:
        raise failed(str(error)) from None
    if as_json:
        print_json(asdict(made))
    else:
        typer.echo(made.text())


def _provisioned(
    device: str, config: Config, given: Path | None, encrypted: Path | None, *, replace: bool
) -> DeviceKey | JournalKey:
    if device == JOURNAL:
        return _journal(config, given, encrypted, replace=replace)
    return _device(device, config, given, encrypted, replace=replace)


def _device(
    device: str, config: Config, given: Path | None, encrypted: Path | None, *, replace: bool
) -> DeviceKey:
    """Store the key of a device. Raises ConfigError if the device needs no key, KeyFault or OSError if a key
    cannot be used or written."""
    section = _section(config, device)
    key = read_key(given) if given else make_key()
    if encrypted:
        _encrypt(device, key, encrypted, replace=replace)
    else:
        store_key(key, Path(section.key), replace=replace)
    return DeviceKey(device, section.serial, str(encrypted or section.key), fingerprint(key))


def _section(config: Config, device: str) -> DeviceSection:
    """The section of the device. Raises ConfigError if the device is not configured or not sealed."""
    known = config.devices.configured()
    if device not in known:
        raise ConfigError((f"DEVICE = {device!r}: not configured; allowed: {', '.join(known)}",))
    if not known[device].sealed:
        raise ConfigError((f"devices.{device} is not sealed: it needs no key",))
    return known[device]


def _journal(config: Config, given: Path | None, encrypted: Path | None, *, replace: bool) -> JournalKey:
    """Store the journal's key, a new one if there is none, and its public key. Raises KeyFault, JournalError
    or OSError if a key cannot be used or written."""
    path, public = Path(config.journal.key), Path(config.journal.public)
    there = path.exists()
    key = read_key(given) if given else read_key(path) if there else make_key()
    ours, known = Signer(key).public, read_public(public)
    if known not in {None, ours} and not replace:
        raise KeyFault(
            f"{public} holds another key: --replace exchanges it, and two supervisors must then confirm the "
            "journal"
        )
    if encrypted:
        _encrypt(JOURNAL, key, encrypted, replace=replace)
    elif given or not there:
        store_key(key, path, replace=replace)
        _give_to_folder_owner(path)
    write_public(public, ours)
    return JournalKey(JOURNAL, str(encrypted or path), ours.hex(), str(public))


def _give_to_folder_owner(path: Path) -> None:
    """If root runs the command, make the folder's owner the owner of the key, so that the service can read
    it."""
    folder = path.parent.stat()
    if os.geteuid() == 0:
        os.chown(path, folder.st_uid, folder.st_gid)


def _encrypt(device: str, key: bytes, path: Path, *, replace: bool) -> None:
    """Store the key as an encrypted systemd credential. Raises KeyFault if `path` exists and `replace` is
    false, or if systemd-creds is missing or fails."""
    if path.exists() and not replace:
        raise KeyFault(f"{path} already has a key: --replace makes it useless, in the device too")
    command = ["systemd-creds", "encrypt", f"--name={device}.key", "-", str(path)]
    try:
        subprocess.run(command, input=key_text(key).encode(), check=True, capture_output=True)
    except FileNotFoundError as error:
        raise KeyFault("systemd-creds is missing: it comes with systemd 250 and later") from error
    except subprocess.CalledProcessError as error:
        raise KeyFault(f"systemd-creds: {error.stderr.decode(errors='replace').strip()}") from error
