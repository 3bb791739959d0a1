"""The command `tableside game simulate`."""

from typing import Annotated, Literal

import typer

from controller.commands.arguments import AsJson, ChartFile, GameName, Options


def simulate_command(
    game: GameName,
    rounds: Annotated[str, typer.Option(metavar="N", help="How many rounds, as 20000 or 1e9.")],
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same rounds.")] = None,
    options: Options = "{}",
    meter: Annotated[
        int | None, typer.Option("--meter", min=1, metavar="CENTS", help="The jackpot of every round.")
    ] = None,
    chart: ChartFile = None,
    processors: Annotated[
        int | None, typer.Option(min=1, help="How many play at once; all if absent.")
    ] = None,
    engine: Annotated[
        Literal["kernel", "round"],
        typer.Option(help="What plays: tables of the rules, or the code that runs the table."),
    ] = "kernel",
    as_json: AsJson = False,
) -> None:
    """Play many rounds by good strategy, and show the house edge of each wager.

    Each round has every bet that the rules allow. The number of processors changes only the time.

    Example: tableside game simulate easy-jack --rounds 1e9
    """
    from controller.commands.handlers.simulate import handle

    handle(
        game,
        rounds=rounds,
        seed=seed,
        options=options,
        meter=meter,
        chart=chart,
        processors=processors,
        engine=engine,
        as_json=as_json,
    )
