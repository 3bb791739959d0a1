"""What `tableside game simulate` does."""

import secrets
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from controller.commands.arguments import print_json, rounds_argument
from controller.commands.chosen_charts import chart_argument
from controller.commands.chosen_game import game_argument
from controller.commands.exit_codes import usage
from controller.games.game import Game
from controller.games.spots import spot_title
from controller.odds.kernel.compiled import FAST, SLOW
from controller.odds.simulate import EngineName, Simulation, simulate
from controller.odds.tally import BetTally
from controller.round.events import EventRefused


def handle(
    game: str,
    *,
    rounds: str,
    seed: int | None,
    options: str,
    meter: int | None,
    chart: Path | None,
    processors: int | None,
    engine: EngineName,
    as_json: bool,
) -> None:
    opened, number = game_argument(game, options), rounds_argument(rounds)
    chart_argument(opened, chart)
    meters = {} if meter is None else dict.fromkeys(opened.meters, meter)
    seed = secrets.randbelow(2**32) if seed is None else seed
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(opened.title, total=number)
        try:
            played = simulate(
                opened,
                number,
                seed,
                meters=meters,
                processors=processors,
                engine=engine,
                progress=lambda more: progress.advance(task, more),
            )
        except EventRefused as refused:
            raise usage(f"no stake fits the options: {refused}") from None
    if played.engine.name == "kernel" and not FAST:
        typer.echo(SLOW, err=True)
    if as_json:
        print_json(_simulation_json(opened, seed, played))
    else:
        Console().print(tally_table(opened, seed, played))


def _simulation_json(game: Game, seed: int, played: Simulation) -> dict[str, Any]:
    options = game.options.model_dump(mode="json")
    return {
        "game": game.name,
        "options": options,
        "rounds": played.rounds,
        "seed": seed,
        "engine": played.engine.name,
        **({"why": played.engine.why} if played.engine.why else {}),
        "rounds_per_cpu_second": round(played.rounds_per_cpu_second),
        "bets": [_bet_json(tally) for tally in played.tallies],
    }


def _bet_json(tally: BetTally) -> dict[str, Any]:
    return {
        "bet": tally.bet,
        "given": tally.given,
        "rounds": tally.count,
        "house_edge": tally.house_edge,
        "standard_error": tally.standard_error if tally.count > 1 else None,
        "results": dict(tally.results.most_common()),
    }


def tally_table(game: Game, seed: int, played: Simulation) -> Table:
    """A table of the house edge of each wager, and what played the rounds."""
    table = Table(title=f"{game.title}: {played.rounds:,} rounds, seed {seed}", caption=_engine_text(played))
    for column in ("bet", "up-card", "rounds", "house edge", "standard error"):
        table.add_column(column, justify="left" if column in ("bet", "up-card") else "right")
    for tally in played.tallies:
        edge, error = f"{tally.house_edge:.4%}", f"{tally.standard_error:.4%}"
        table.add_row(spot_title(tally.bet), tally.up_card, f"{tally.count:,}", edge, error)
    return table


def _engine_text(played: Simulation) -> str:
    """What played, if that needs saying: the Round in place of the kernel."""
    return f"played by the Round: {played.engine.why}" if played.engine.why else ""
