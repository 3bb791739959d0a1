"""The command `tableside device sign-maker-key`, with which makers of devices, and tests, sign the key that
signs their firmware from then on."""

from pathlib import Path
from typing import Annotated

import typer


def sign_maker_key_command(
    key: Annotated[Path, typer.Argument(metavar="KEY", help="The public key that is to sign firmware.")],
    kind: Annotated[str, typer.Option("--class", metavar="CLASS", help="shoe, shuffler, sensors, ...")],
    hardware: Annotated[
        str, typer.Option(metavar="NAME", help="The hardware that it is for, as the device's page shows it.")
    ],
    generation: Annotated[int, typer.Option(help="Above that of the key before: 1 to 4294967295.")],
    root: Annotated[Path, typer.Option(metavar="FILE", help="The private root key.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="KEY.signed if left out.")] = None,
    *,
    new_root: Annotated[
        bool, typer.Option("--new-root", help="Make the root key, and FILE.pub beside it.")
    ] = False,
) -> None:
    """Sign the key with which a maker signs firmware, so that devices trust it.

    With the private root key, any key can become the maker's. Keep it on a
    computer that signs nothing else.

    Example: tableside device sign-maker-key next.pub --class shoe --hardware A1
    --generation 1 --root root.key
    """
    from controller.commands.handlers.sign_maker_key import handle

    handle(key, kind=kind, hardware=hardware, generation=generation, root=root, out=out, new_root=new_root)
