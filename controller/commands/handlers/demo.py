"""What `tableside demo` does."""

import asyncio
import tempfile
from pathlib import Path

import typer

from controller.commands.demo import Player, ShoeKind, Speed
from controller.commands.exit_codes import failed
from controller.demo.interactive import run_interactive
from controller.demo.processes import DemoError
from controller.demo.reservations import ReservationError, obstacle, reserved_folder, reserved_port
from controller.demo.settings import DemoSettings, FrameFaults
from controller.demo.table import DemoTable
from controller.games import UnknownGame, game_class

USUAL_PORT = 8080
"""The port of the page, if it is free."""
SIMULATOR_PORT = 8088
"""The port of the simulator's page, if it is free."""


def handle(
    game: str,
    *,
    rounds: int | None,
    speed: Speed,
    seed: int,
    port: int,
    drop: float,
    flip: float,
    folder: Path | None,
    usb: bool,
    shoe: ShoeKind,
    dealer: Player,
    players: Player,
    as_json: bool,
) -> None:
    _check(game, shoe, usb=usb)
    if Player.ME in {dealer, players}:
        _check_by_hand(rounds, as_json=as_json)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="tableside-") as temporary,
            reserved_port(port, USUAL_PORT) as web_port,
            reserved_port(0, SIMULATOR_PORT) as simulator_port,
        ):
            place = (folder or Path(temporary)).resolve()
            if why := obstacle(place, usb=usb):
                raise DemoError(why)
            scene = DemoSettings(
                game=game,
                seed=seed,
                speed=speed,
                web_port=web_port,
                dealer=dealer,
                players=players,
                simulator_port=0 if as_json else simulator_port,
                faults=FrameFaults(drop, flip),
                usb=usb,
                shoe=shoe,
                checked=True,
            )
            with reserved_folder(place) as claim:
                result = asyncio.run(run_interactive(DemoTable(place, scene, claim), rounds, as_json=as_json))
    except (ReservationError, DemoError, OSError) as error:
        raise failed(str(error)) from error
    raise typer.Exit(0 if result is None or result.sound else 1)


def _check_by_hand(rounds: int | None, *, as_json: bool) -> None:
    for given, option in ((rounds is not None, "--rounds"), (as_json, "--json")):
        if given:
            raise typer.BadParameter(
                "only for --dealer crew and --players crew, which end by themselves", param_hint=option
            )


def _check(game: str, shoe: ShoeKind, *, usb: bool) -> None:
    try:
        game_class(game)
    except UnknownGame as error:
        raise typer.BadParameter(str(error), param_hint="--game") from None
    if usb and shoe is not ShoeKind.TSL:
        raise typer.BadParameter(f"a {shoe} is not on USB", param_hint="--usb")
