"""The command `tableside`."""

from typing import Annotated

import typer

from controller import odds_cli, rules_cli, run, supervise_cli
from controller.certificate import command as certificate
from controller.check import command as check
from controller.confirm import command as confirm
from controller.demo import command as demo
from controller.export import command as export
from controller.kiosk import command as kiosk
from controller.people import command as users
from controller.progressive import command as progressive
from controller.replay import command as replay
from controller.reports import command as report
from controller.selftest import command as selftest
from controller.shuffles import command as shuffles
from controller.slip import command as slip
from controller.technician import conformance, decode, devices, provision, sign_update, sniff, update
from controller.verify import command as verify
from controller.version import show

app = typer.Typer(
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        show()
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
rules_cli.register(app)
odds_cli.register(app)
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
supervise_cli.register(app)
progressive.register(app)
