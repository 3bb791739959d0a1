"""The command `tableside manifest`, which lists the product's files for the self-test or for an auditor."""

import compileall
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Annotated

import typer

from controller.commands.exit_codes import failed, usage
from controller.selftest import files
from controller.selftest.manifest import json_text, make_manifest

Write = Annotated[Path | None, typer.Option(metavar="FILE", help="Write it there instead of printing it.")]
Install = Annotated[bool, typer.Option("--install", help="Write it where every table looks for it.")]
Compile = Annotated[
    bool, typer.Option("--compile", help="Compile all sources first, and list what came of it, too.")
]
Seed = Annotated[str, typer.Option(metavar="TEXT", help="Hash with this key, chosen by who audits.")]


def manifest(
    write: Write = None,
    install: Install = False,
    compiled: Compile = False,
    seed: Seed = "",
) -> None:
    """List the program's own files with their hashes.

    A table compares its files with such a list at each start, and refuses to
    run where one is changed, missing or unexpected.

    Example: tableside manifest --compile --install
    """
    if install and (write or seed):
        raise usage("--install goes neither with --write nor with --seed: a table compares plain hashes")
    try:
        if compiled:
            _compile()
        text = json_text(make_manifest(seed=seed, compiled=compiled))
        if place := files.INSTALLED if install else write:
            place.write_text(text, encoding="utf-8")
        else:
            typer.echo(text, nl=False)
    except OSError as error:
        raise failed(f"the manifest cannot be made: {error}") from None


def _compile() -> None:
    """Compile all packages to bytecode files that contain the hash of their source. Python checks this hash
    instead of the source's timestamp."""
    for package in files.PACKAGES:
        compileall.compile_dir(
            files.ROOT / package, quiet=1, force=True, invalidation_mode=PycInvalidationMode.CHECKED_HASH
        )
