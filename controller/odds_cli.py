"""The command `tableside odds`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from controller.chosen import AsJson, GameName, Options, chosen_game, print_json
from controller.endings import usage
from controller.games.game import Game
from controller.help_panels import GAMES
from controller.odds.exact import bets, dealer
from controller.odds.plot.charts import dealer_chart, sweep_chart
from controller.odds.sweep import NotSwept, Swept, sweep
from controller.odds.written import written_odds, written_sweep
from controller.odds_tables import odds_tables, sweep_table

SUFFIX = ".svg"

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


def register(app: typer.Typer) -> None:
    """Adds the command to `app`."""
    app.command("odds", rich_help_panel=GAMES)(odds_command)


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

    Example: tableside odds easy-jack --sweep decks
    """
    opened = chosen_game(game, options)
    _check(opened, meter, sweep_by, bet, plot)
    if sweep_by is None:
        _odds(opened, meter, plot, as_json=as_json)
    else:
        _sweep(opened, sweep_by, bet or bets(opened)[0].bet, meter, plot, as_json=as_json)


def _check(game: Game, meter: int | None, sweep_by: str | None, bet: str | None, plot: Path | None) -> None:
    if meter is not None and not game.meters:
        raise usage(f"--meter {meter} is not allowed; allowed: none, {game.name} has no jackpot")
    if bet is not None and sweep_by is None:
        raise usage(f"--bet {bet} is not allowed alone; allowed: with --sweep, whose values it compares")
    if plot is not None and plot.suffix.lower() != SUFFIX:
        raise usage(f"--plot {plot} is not allowed; allowed: a file whose name ends with {SUFFIX}")


def _odds(game: Game, meter: int | None, plot: Path | None, *, as_json: bool) -> None:
    found, hand = bets(game, meter), dealer(game)
    if plot is not None:
        _write(plot, dealer_chart(game, hand))
    if as_json:
        print_json(written_odds(game, found, hand))
    else:
        _show(odds_tables(game, found, hand))


def _sweep(game: Game, option: str, bet: str, meter: int | None, plot: Path | None, *, as_json: bool) -> None:
    swept = _swept(game, option, bet, meter)
    if plot is not None:
        _write(plot, sweep_chart(game, option, bet, swept))
    if as_json:
        print_json(written_sweep(game, option, bet, swept))
    else:
        _show([sweep_table(game, option, bet, swept)])


def _swept(game: Game, option: str, bet: str, meter: int | None) -> tuple[Swept, ...]:
    try:
        return sweep(game, option, bet, meter)
    except NotSwept as error:
        raise usage(str(error)) from None


def _show(tables: Iterable[Table]) -> None:
    console = Console(markup=False, highlight=False)
    for table in tables:
        console.print(table)


def _write(path: Path, drawing: str) -> None:
    try:
        path.write_text(drawing, "utf-8")
    except OSError as error:
        typer.echo(f"tableside: --plot {path} cannot be written: {error.strerror}", err=True)
        raise typer.Exit(1) from None
