"""The command `tableside game odds`, and the tables that it shows."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.arguments import AsJson, GameName, Options

Meter = Annotated[
    int | None, typer.Option("--meter", min=0, metavar="CENTS", help="The jackpot; the seed if absent.")
]
SweepBy = Annotated[
    str | None, typer.Option("--sweep", metavar="OPTION", help="Compare this option's values.")
]
BetName = Annotated[
    str | None, typer.Option("--bet", metavar="BET", help="The bet to compare; the first if absent.")
]
PlotFile = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", dir_okay=False, help="Draw a chart, as SVG, into this file."),
]


def odds_command(
    game: GameName,
    options: Options = "{}",
    meter: Meter = None,
    sweep_by: SweepBy = None,
    bet: BetName = None,
    plot: PlotFile = None,
    as_json: AsJson = False,
) -> None:
    """Show exact probabilities and house edges, by enumeration from a fresh shoe.

    With --sweep: the house edge of one bet for each value of an option.
    --plot draws the dealer's totals, or the house edges of --sweep.

    Example: tableside game odds easy-jack --sweep decks
    """
    from controller.commands.handlers.odds import handle

    handle(game, options=options, meter=meter, sweep_by=sweep_by, bet=bet, plot=plot, as_json=as_json)
