"""The command `tableside device provision`, which makes the key of a device, of the journal, for directories
or of a linked progressive."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.arguments import AsJson


def provision(
    device: Annotated[
        str,
        typer.Argument(metavar="DEVICE", help="shoe, sensors, ..., journal, seal, directory, progressive"),
    ],
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="The configuration of the table or progressive."),
    ] = None,
    given: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Store this key instead of making one.")
    ] = None,
    credential: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Store it encrypted, as a systemd credential, in this file."),
    ] = None,
    *,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a key that exists.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make the key of a device and store it where only the service can read it.

    Put the same key into the device, as its maker describes. Both then show
    the same fingerprint.

    "journal" makes the key that signs the journal, and writes its public half
    beside the configuration. A key that exists stays; --replace changes it
    while the service is stopped. The command also makes the key that seals
    face-down cards, and never changes it. "seal" makes only that key.

    "directory" makes the key for which the floor seals the accounts of its
    people, and writes its public half beside the configuration.

    "progressive" makes the key with which both instances of a linked
    progressive sign. It needs the configuration of an instance.

    Example: tableside device provision shoe --config table.toml
    """
    from controller.commands.handlers.provision import handle

    handle(device, config=config, given=given, credential=credential, replace=replace, as_json=as_json)
