"""What `tableside table manifest` does."""

import compileall
from pathlib import Path
from py_compile import PycInvalidationMode

import typer

from controller.commands.exit_codes import failed, usage
from controller.commands.key_pairs import make_key_pair
from controller.selftest import files
from controller.selftest.manifest import Manifest, json_text, make_manifest
from controller.selftest.release import ReleaseSignature, signature_path
from drivers.key_files import KeyFault, read_key


def handle(
    write: Path | None, *, install: bool, compiled: bool, seed: str, sign: Path | None, new_key: bool
) -> None:
    if install and (write or seed):
        raise usage("--install goes neither with --write nor with --seed: a table compares plain hashes")
    place = files.INSTALLED if install else write
    if sign and (place is None or seed):
        raise usage("--sign needs --write or --install, and no --seed: only a list that tables use is signed")
    if new_key and not sign:
        raise usage("--new-key needs --sign KEY, the place of the key")
    try:
        if new_key and sign:
            make_key_pair(sign)
        key = read_key(sign) if sign else None
        if compiled:
            _compile()
        made = make_manifest(seed=seed, compiled=compiled)
        if place is None:
            typer.echo(json_text(made), nl=False)
            return
        _write(made, place, key)
    except KeyFault as error:
        raise failed(str(error)) from None
    except OSError as error:
        raise failed(f"the manifest cannot be made: {error}") from None


def _write(made: Manifest, place: Path, key: bytes | None) -> None:
    """Write the manifest with its signature. A signature of an earlier manifest is removed."""
    signature = signature_path(place)
    signature.unlink(missing_ok=True)
    place.write_text(json_text(made), encoding="utf-8")
    if key:
        signed = ReleaseSignature.of(made, key)
        signature.write_text(signed.text(), encoding="ascii")
        typer.echo(f"{signature}: signed by {signed.public.hex()}")


def _compile() -> None:
    """Compile all packages to bytecode files that contain the hash of their source. Python checks this hash
    instead of the source's timestamp."""
    for package in files.PACKAGES:
        compileall.compile_dir(
            files.ROOT / package, quiet=1, force=True, invalidation_mode=PycInvalidationMode.CHECKED_HASH
        )
