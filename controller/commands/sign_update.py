"""The command `tableside device sign-update`, with which makers of devices, and tests, sign firmware
images."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.exit_codes import failed, usage
from controller.commands.key_pairs import make_key_pair
from drivers.key_files import KeyFault, read_key
from drivers.update.image import CLASSES, FirmwareUpdate, public_key, serialize, sign


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
    if kind not in CLASSES:
        raise usage(f"--class {kind!r}: not allowed; allowed: {', '.join(CLASSES)}")
    target = out or image.with_name(f"{image.name}.update")
    try:
        if new_key:
            make_key_pair(key)
        content = image.read_bytes()
        update = FirmwareUpdate(sign(content, CLASSES[kind], hardware, version, read_key(key)), content)
        target.write_bytes(serialize(update))
    except KeyFault as error:
        raise failed(str(error)) from None
    except ValueError as error:
        raise usage(str(error)) from None
    except OSError as error:
        raise failed(f"{error.filename}: {error.strerror}") from None
    typer.echo(f"{target}: {kind} {hardware}, version {version}, {len(content):,} bytes")
    typer.echo(f"sha256: {update.manifest.sha256.hex()}")
    typer.echo(f"maker's public key: {public_key(read_key(key)).hex()}")
