"""The command `tableside demo`, which runs a table with simulated devices, dealer and players."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


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
    game: Annotated[str, typer.Option(help="A game's id, as tableside game list shows it.")] = "easy-jack",
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
    dealer: Dealer = Player.CREW,
    players: Players = Player.CREW,
    as_json: AsJson = False,
) -> None:
    """Play a table on simulated hardware.

    Five simulated devices and the daemon run as processes of their own; a dealer
    and players play. The addresses of the table's page and of the simulator are
    printed first. Ctrl-C ends everything that was started.

    Example: tableside demo --game blackjack-x --rounds 30 --speed max

    Example: tableside demo --dealer me --players me
    """
    from controller.commands.handlers.demo import handle

    handle(
        game,
        rounds=rounds,
        speed=speed,
        seed=seed,
        port=port,
        drop=drop,
        flip=flip,
        folder=folder,
        usb=usb,
        shoe=shoe,
        dealer=dealer,
        players=players,
        as_json=as_json,
    )
