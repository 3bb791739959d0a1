"""The command `tableside demo`, which runs a table with simulated devices, dealer and players."""

import asyncio
import tempfile
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from controller.commands.exit_codes import failed
from controller.games import GAMES, UnknownGame, game_class

USUAL_PORT = 8080
"""The port of the page, if it is free."""
SIMULATOR_PORT = 8088
"""The port of the simulator's page, if it is free."""


class Speed(StrEnum):
    HUMAN = "human"
    MAX = "max"


class Player(StrEnum):
    """Who plays a part."""

    CREW = "crew"
    ME = "me"


class ShoeKind(StrEnum):
    """The protocol of the shoe."""

    TSL = "tsl"
    ANGEL_EYE = "angel-eye-2ex"
    BEE_TEK = "bee-tek"


Drop = Annotated[float, typer.Option(min=0.0, max=0.5, help="Chance that a frame is lost, on every cable.")]
Flip = Annotated[float, typer.Option(min=0.0, max=0.5, help="Chance that a frame has a bit flipped.")]
PagePort = Annotated[
    int,
    typer.Option(
        min=0, max=65535, help="The page's TCP port on loopback; 0: 8080, or another if it is taken."
    ),
]
Folder = Annotated[
    Path | None, typer.Option(file_okay=False, help="Keep configuration, journal and logs here.")
]
Dealer = Annotated[Player, typer.Option(help="Who deals: the simulated crew, or you at the simulator.")]
Players = Annotated[Player, typer.Option(help="Who lays chips and decides.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print only the figures, as JSON, for machines.")]


def demo(
    game: Annotated[str, typer.Option(help=f"A game's id: {', '.join(GAMES)}.")] = "easy-jack",
    rounds: Annotated[int | None, typer.Option(min=1, help="Rounds to play; for ever if absent.")] = None,
    speed: Annotated[Speed, typer.Option(help="human: at a pace to follow; max: no waits.")] = Speed.HUMAN,
    seed: Annotated[int, typer.Option(help="Decides cards, wagers and faults.")] = 1,
    port: PagePort = 0,
    drop: Drop = 0.0,
    flip: Flip = 0.0,
    folder: Folder = None,
    usb: Annotated[bool, typer.Option("--usb", help="The shoe is on USB; needs Debian's umockdev.")] = False,
    shoe: Annotated[ShoeKind, typer.Option(help="What the shoe speaks: ours, or a commercial one's.")] = (
        ShoeKind.TSL
    ),
    dealer: Annotated[
        Player, typer.Option(help="Who deals: the simulated crew, or you at the simulator.")
    ] = (Player.CREW),
    players: Annotated[Player, typer.Option(help="Who lays chips and decides.")] = Player.CREW,
    as_json: AsJson = False,
) -> None:
    """Play a table on simulated hardware.

    Five simulated devices and the daemon run as processes of their own; a dealer
    and players play. The addresses of the table's page and of the simulator are
    printed first. Ctrl-C ends everything that was started.

    Example: tableside demo --game blackjack-x --rounds 30 --speed max

    Example: tableside demo --dealer me --players me
    """
    _check(game, shoe, usb=usb)
    if Player.ME in {dealer, players}:
        _check_by_hand(rounds, as_json=as_json)
    from controller.demo.interactive import (
        run_interactive,  # no other command loads the simulated devices
    )
    from controller.demo.processes import DemoError
    from controller.demo.reservations import ReservationError, obstacle, reserved_folder, reserved_port
    from controller.demo.settings import DemoSettings, FrameFaults
    from controller.demo.table import DemoTable

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
                "only for --dealer crew and --players crew: nobody knows when you end", param_hint=option
            )


def _check(game: str, shoe: ShoeKind, *, usb: bool) -> None:
    try:
        game_class(game)
    except UnknownGame as error:
        raise typer.BadParameter(str(error), param_hint="--game") from None
    if usb and shoe is not ShoeKind.TSL:
        raise typer.BadParameter(f"a {shoe} is not on USB", param_hint="--usb")
