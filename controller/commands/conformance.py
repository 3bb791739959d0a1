"""The command `tableside device conformance`, which checks a device against the specification of the link."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands import choices
from controller.commands.arguments import AsJson

Simulated = Annotated[
    Path | None,
    typer.Option(
        metavar="SOCKET", help="The control socket of a simulated device, for checks that need a hand."
    ),
]
Profile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The device's class and features, as its maker declares.")
]
Only = Annotated[
    list[str] | None, typer.Option(metavar="CHECK", help="This check, or this group, as frames; repeatable.")
]


def conformance(
    port: Annotated[
        str, typer.Argument(metavar="PORT", help="A device's path, socket://HOST:PORT or usb://...")
    ],
    serial: Annotated[str, typer.Option(help="The device's serial number.")],
    device_class: Annotated[
        str,
        typer.Option(
            "--class", metavar="CLASS", help=f"{', '.join(choices.DEVICE_CLASSES)}; needed without --profile."
        ),
    ] = "",
    profile: Profile = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The device's key.")] = None,
    seal: Annotated[str, typer.Option(help="none: the device has no key, as a simulator may.")] = "",
    baud: Annotated[int, typer.Option(min=1, help="The line's rate.")] = 115_200,
    control: Simulated = None,
    only: Only = None,
    *,
    unattended: Annotated[
        bool, typer.Option("--unattended", help="Leave out the checks that need a person at the device.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Put a device through the whole specification of the link, faults included.

    Do not run this while a table uses the device: it commits events that no
    journal has. Status 0 if nothing failed.

    Example: tableside device conformance /dev/ttyUSB0 --class shoe --serial SHOE-1 --key keys/shoe.key
    """
    from controller.commands.handlers.conformance import handle

    handle(
        port,
        device_class=device_class,
        serial=serial,
        profile=profile,
        key=key,
        seal=seal,
        baud=baud,
        control=control,
        only=only,
        unattended=unattended,
        as_json=as_json,
    )
