"""The command `tableside`. To add a command, add a module to this package and a row to COMMANDS."""

from collections.abc import Callable
from typing import Annotated, Final

import typer

from controller.commands import (
    certificate,
    check_config,
    claim,
    confirm,
    conformance,
    decode,
    demo,
    devices,
    diagram,
    export,
    floor,
    jackpots,
    kiosk,
    manifest,
    meter,
    odds,
    progressive,
    provision,
    replay,
    report,
    run,
    settle,
    shuffles,
    sign_update,
    simulate,
    slip,
    sniff,
    supervise,
    update,
    uplink,
    users,
    verify,
    web,
)
from controller.commands.version import print_version

TABLE: Final = "Table"
GAMES: Final = "Games"
JOURNAL: Final = "Journal"
DEVICES: Final = "Devices"
PEOPLE: Final = "People"
FLOOR: Final = "Floor"

COMMANDS: tuple[tuple[str, str, Callable[..., None] | typer.Typer], ...] = (
    # name, part of the help, command or group of commands
    ("demo", TABLE, demo.demo),
    ("run", TABLE, run.run_command),
    ("web", TABLE, web.web_command),
    ("uplink", TABLE, uplink.uplink),
    ("settle", GAMES, settle.settle_command),
    ("simulate", GAMES, simulate.simulate_command),
    ("diagram", GAMES, diagram.diagram_command),
    ("odds", GAMES, odds.odds_command),
    ("replay", JOURNAL, replay.replay_command),
    ("export", JOURNAL, export.export_command),
    ("slip", JOURNAL, slip.slip_command),
    ("verify", JOURNAL, verify.verify_command),
    ("confirm", JOURNAL, confirm.confirm_command),
    ("report", JOURNAL, report.report_command),
    ("shuffles", JOURNAL, shuffles.shuffles_command),
    ("check-config", TABLE, check_config.check_command),
    ("manifest", TABLE, manifest.manifest),
    ("provision", DEVICES, provision.provision),
    ("devices", DEVICES, devices.devices),
    ("sniff", DEVICES, sniff.sniff),
    ("decode", DEVICES, decode.decode),
    ("update", DEVICES, update.update),
    ("sign-update", DEVICES, sign_update.sign_update),
    ("conformance", DEVICES, conformance.conformance),
    ("certificate", TABLE, certificate.certificate_command),
    ("users", PEOPLE, users.users),
    ("kiosk", TABLE, kiosk.kiosk_command),
    ("supervise", TABLE, supervise.supervise_command),
    ("jackpots", TABLE, jackpots.jackpots_command),
    ("claim", TABLE, claim.claim_command),
    ("meter", TABLE, meter.meter_command),
    ("floor", FLOOR, floor.floor),
    ("progressive", FLOOR, progressive.progressive_command),
)

app = typer.Typer(no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False)


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


for _name, _panel, _command in COMMANDS:
    if isinstance(_command, typer.Typer):
        app.add_typer(_command, name=_name, rich_help_panel=_panel)
    else:
        app.command(_name, rich_help_panel=_panel)(_command)
