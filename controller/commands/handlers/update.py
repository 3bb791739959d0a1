"""What `tableside device update` does."""

from dataclasses import asdict
from functools import partial
from pathlib import Path

import typer

from controller.commands.arguments import print_json
from controller.commands.device_work import (
    check_class,
    checked_persons,
    refusals,
    section_of,
    signed_in,
)
from controller.commands.exit_codes import failed
from controller.commands.update_job import SUCCESSFUL, UpdateJob, carry_out
from controller.config import read
from drivers.key_files import read_public
from drivers.update.image import FirmwareUpdate, read_update
from drivers.update.signed_file import SignedFileFault


def handle(
    device: str, *, image: Path, config: Path, who: str, second: str, maker: Path | None, as_json: bool
) -> None:
    with refusals():
        table = read(config)
        persons = checked_persons(who, second)
        section = section_of(table, device)
        update = _update(image, device, maker)
        work = signed_in(table, device, section, persons, "update")
        ended = carry_out(UpdateJob(work, update), partial(typer.echo, err=as_json))
    if as_json:
        print_json(asdict(ended))
    if ended.result not in SUCCESSFUL:
        raise failed(f"{device}: {ended.result}: {ended.text}")


def _update(path: Path, device: str, maker: Path | None) -> FirmwareUpdate:
    """The update in this file. Raises SignedFileFault if it is damaged, for another class of device, or not
    signed by `maker`; KeyFault if the maker's key cannot be read."""
    update = read_update(path)
    check_class(path, update.manifest.device_class, device)
    if maker and not update.manifest.signed_by(read_public(maker)):
        raise SignedFileFault(f"{path}: the signature is not that of the maker whose key is in {maker}")
    return update
