"""The command `tableside`."""

from typing import Annotated

import typer

from controller.commands import (
    certificate,
    confirm,
    conformance,
    decode,
    demo,
    devices,
    export,
    kiosk,
    odds,
    progressive,
    provision,
    replay,
    report,
    rules,
    run,
    selftest,
    shuffles,
    sign_update,
    slip,
    sniff,
    supervise,
    update,
    verify,
)
from controller.commands import check_config as check
from controller.commands import people as users
from controller.commands.version import print_version

app = typer.Typer(
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)


def _show_version(requested: bool) -> None:
    if requested:
        print_version()
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """The controller of a casino card table. To see one play, without any hardware: tableside demo"""


demo.register(app)
run.register(app)
rules.register(app)
odds.register(app)
replay.register(app)
export.register(app)
slip.register(app)
verify.register(app)
confirm.register(app)
report.register(app)
shuffles.register(app)
check.register(app)
selftest.register(app)
provision.register(app)
devices.register(app)
sniff.register(app)
decode.register(app)
update.register(app)
sign_update.register(app)
conformance.register(app)
certificate.register(app)
users.register(app)
kiosk.register(app)
supervise.register(app)
progressive.register(app)
