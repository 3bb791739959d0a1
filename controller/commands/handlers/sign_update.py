"""What `tableside device sign-update` does."""

from pathlib import Path

import typer

from controller.commands.exit_codes import failed, usage
from controller.commands.key_pairs import make_key_pair
from drivers.key_files import KeyFault, read_key
from drivers.update.image import FirmwareUpdate, serialize, sign
from drivers.update.signed_file import CLASSES
from drivers.update.signing import public_key


def handle(
    image: Path, *, kind: str, hardware: str, version: int, key: Path, out: Path | None, new_key: bool
) -> None:
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
