"""What `tableside device sign-maker-key` does."""

from pathlib import Path

import typer

from controller.commands.exit_codes import failed, usage
from controller.commands.key_pairs import make_key_pair
from drivers.key_files import KeyFault, read_key, read_public
from drivers.update.maker_key import serialize, sign_maker_key
from drivers.update.signed_file import CLASSES
from drivers.update.signing import public_key


def handle(
    key: Path, *, kind: str, hardware: str, generation: int, root: Path, out: Path | None, new_root: bool
) -> None:
    if kind not in CLASSES:
        raise usage(f"--class {kind!r}: not allowed; allowed: {', '.join(CLASSES)}")
    target = out or key.with_name(f"{key.name}.signed")
    try:
        public = read_public(key)
        if new_root:
            make_key_pair(root)
        private = read_key(root)
        target.write_bytes(serialize(sign_maker_key(public, CLASSES[kind], hardware, generation, private)))
    except KeyFault as error:
        raise failed(str(error)) from None
    except ValueError as error:
        raise usage(str(error)) from None
    except OSError as error:
        raise failed(f"{error.filename}: {error.strerror}") from None
    typer.echo(f"{target}: {kind} {hardware}, generation {generation}")
    typer.echo(f"maker's public key: {public.hex()}")
    typer.echo(f"root's public key: {public_key(private).hex()}")
