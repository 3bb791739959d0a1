"""The command `tableside game optimize`."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands.arguments import AsJson, ChartFile, GameName, Options


def optimize_command(
    game: GameName,
    rounds: Annotated[
        str, typer.Option(metavar="N", help="How many rounds try all letters, as 1e8.")
    ] = "1e7",
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same rounds.")] = None,
    options: Options = "{}",
    chart: ChartFile = None,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="Write the charts with the better letters."),
    ] = None,
    processors: Annotated[
        int | None, typer.Option(min=1, help="How many play at once; all if absent.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Try every letter of a game's strategy charts, and show which can be bettered.

    Each decision of a round is played again with the same cards in every other
    way. Only the main bet counts.

    Example: tableside game optimize no-bust-21st-century --rounds 1e8 --export better.chart
    """
    from controller.commands.handlers.optimize import handle

    handle(
        game,
        rounds=rounds,
        seed=seed,
        options=options,
        chart=chart,
        export=export,
        processors=processors,
        as_json=as_json,
    )
