"""The command `tableside demo`, which runs a table with simulated devices, dealer and players."""

import asyncio
import tempfile
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from controller.commands.exit_codes import failed
from controller.games import GAMES

USUAL_PORT = 8080
"""The port of the page, if it is free."""


class Speed(StrEnum):
    HUMAN = "human"
    MAX = "max"


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
    as_json: AsJson = False,
) -> None:
    """Play a table on simulated hardware.

    Five simulated devices and the daemon run as processes of their own; a dealer
    and players play. The address of the table's page is printed first.
    Ctrl-C ends everything that was started.

    Example: tableside demo --game blackjack-x --rounds 30 --speed max
    """
    _check(game, shoe, usb=usb)
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
        ):
            place = (folder or Path(temporary)).resolve()
            if why := obstacle(place, usb=usb):
                raise DemoError(why)
            scene = DemoSettings(
                game=game,
                seed=seed,
                speed=speed,
                web_port=web_port,
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


def _check(game: str, shoe: ShoeKind, *, usb: bool) -> None:
    if game not in GAMES:
        raise typer.BadParameter(f"{game!r} is not a game; allowed: {', '.join(GAMES)}", param_hint="--game")
    if usb and shoe is not ShoeKind.TSL:
        raise typer.BadParameter(f"a {shoe} is not on USB", param_hint="--usb")
