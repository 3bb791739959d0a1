"""What `tableside device replace-maker-key` does."""

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
from controller.commands.key_job import SUCCESSFUL, KeyJob, carry_out
from controller.config import read
from drivers.key_files import read_public
from drivers.update.maker_key import SignedMakerKey, read_maker_key
from drivers.update.signed_file import SignedFileFault


def handle(
    device: str, *, file: Path, config: Path, who: str, second: str, root: Path | None, as_json: bool
) -> None:
    with refusals():
        table = read(config)
        persons = checked_persons(who, second)
        section = section_of(table, device)
        signed = _signed(file, device, root)
        work = signed_in(table, device, section, persons, "replace")
        ended = carry_out(KeyJob(work, signed), partial(typer.echo, err=as_json))
    if as_json:
        print_json(asdict(ended))
    if ended.result != SUCCESSFUL:
        raise failed(f"{device}: {ended.result}: {ended.text}")


def _signed(path: Path, device: str, root: Path | None) -> SignedMakerKey:
    """The key in this file. Raises SignedFileFault if the file is of another kind, for another class of
    device, or not signed by `root`; KeyFault if the root key cannot be read."""
    signed = read_maker_key(path)
    check_class(path, signed.device_class, device)
    if root and not signed.signed_by(read_public(root)):
        raise SignedFileFault(f"{path}: the signature is not that of the root key in {root}")
    return signed
