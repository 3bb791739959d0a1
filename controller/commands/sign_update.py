"""The command `tableside device sign-update`, with which makers of devices, and tests, sign firmware
images."""

from pathlib import Path
from typing import Annotated

import typer


def sign_update(
    image: Annotated[Path, typer.Argument(metavar="IMAGE", help="The firmware as it goes into the flash.")],
    kind: Annotated[str, typer.Option("--class", metavar="CLASS", help="shoe, shuffler, sensors, ...")],
    hardware: Annotated[
        str, typer.Option(metavar="NAME", help="The hardware that it is for, as the device's page shows it.")
    ],
    version: Annotated[int, typer.Option(help="Its version, 0 to 4294967295.")],
    key: Annotated[Path, typer.Option(metavar="FILE", help="The maker's private key.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="IMAGE.update if left out.")] = None,
    *,
    new_key: Annotated[bool, typer.Option("--new-key", help="Make the key, and FILE.pub beside it.")] = False,
) -> None:
    """Sign firmware, so that devices of this maker accept it.

    Whoever has the private key can put any program into every device of this
    maker. Keep it off the table's computer.

    Example: tableside device sign-update shoe.bin --class shoe --hardware A1
    --version 7 --key maker.key
    """
    from controller.commands.handlers.sign_update import handle

    handle(image, kind=kind, hardware=hardware, version=version, key=key, out=out, new_key=new_key)
