"""What `tableside game optimize` does."""

import secrets
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.progress import Progress, TaskID
from rich.table import Table

from controller.commands.arguments import print_json, rounds_argument
from controller.commands.chosen_charts import chart_argument
from controller.commands.chosen_game import game_argument
from controller.commands.exit_codes import failed, usage
from controller.commands.output_file import output
from controller.games import open_game
from controller.games.game import Game
from controller.odds.charts import charts_text
from controller.odds.kernel.compiled import FAST, SLOW
from controller.odds.kernel.uncovered import NotCovered
from controller.odds.optimize import BetterLetter, Optimized, optimize
from controller.round.events import EventRefused


def handle(
    game: str,
    *,
    rounds: str,
    seed: int | None,
    options: str,
    chart: Path | None,
    export: Path | None,
    processors: int | None,
    as_json: bool,
) -> None:
    opened, number = game_argument(game, options), rounds_argument(rounds)
    chart_argument(opened, chart)
    seed = secrets.randbelow(2**32) if seed is None else seed
    if not FAST:
        typer.echo(SLOW, err=True)
    found = _optimized(opened, number, seed, processors)
    if export:
        _write(opened, found, export)
    if as_json:
        print_json(_optimized_json(opened, number, seed, found))
    else:
        Console().print(better_table(opened, number, seed, found))


def _optimized(game: Game, rounds: int, seed: int, processors: int | None) -> Optimized:
    with Progress(console=Console(stderr=True)) as progress:
        tasks: dict[str, TaskID] = {}

        def advance(stage: str, more: int) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(f"{game.title}, {stage}", total=rounds)
            progress.advance(tasks[stage], more)

        try:
            return optimize(game, rounds, seed, processors=processors, progress=advance)
        except NotCovered as not_covered:
            raise usage(f"{game.name} cannot be optimized: {not_covered}") from None
        except EventRefused as refused:
            raise usage(f"no stake fits the options: {refused}") from None


def _write(game: Game, found: Optimized, path: Path) -> None:
    better = open_game(game.name, game.options.model_dump(mode="json", exclude_unset=True))
    better.charts = found.charts
    try:
        with output(path) as write:
            write(charts_text(better).encode())
    except OSError as error:
        raise failed(f"{path} cannot be written: {error.strerror}") from None


def better_table(game: Game, rounds: int, seed: int, found: Optimized) -> Table:
    """A row for each letter that can be bettered, the largest gain of a round first."""
    table = Table(title=f"{game.title}: {rounds:,} rounds, seed {seed}", caption=_whole(found))
    for column in ("chart", "row", "up-card", "letter", "better"):
        table.add_column(column)
    for column in ("decisions", "gain of each", "standard error", "gain of a round"):
        table.add_column(column, justify="right")
    for each in found.better:
        gain = each.gain
        shares = (f"{share:.4%}" for share in (gain.mean, gain.standard_error, each.per_round))
        cell = each.cell
        table.add_row(cell.part, cell.row, cell.column, each.letter, each.better, f"{gain.times:,}", *shares)
    return table


def _whole(found: Optimized) -> str:
    if not found.better:
        return "no letter is better beyond chance"
    gain = found.gain
    return f"together they gain {gain.mean:.4%} of a stake a round, standard error {gain.standard_error:.4%}"


def _optimized_json(game: Game, rounds: int, seed: int, found: Optimized) -> dict[str, Any]:
    return {
        "game": game.name,
        "options": game.options.model_dump(mode="json"),
        "rounds": rounds,
        "seed": seed,
        "better": [_better_json(each) for each in found.better],
        "gain": found.gain.mean,
        "standard_error": found.gain.standard_error,
    }


def _better_json(better: BetterLetter) -> dict[str, Any]:
    cell, gain = better.cell, better.gain
    return {
        "chart": cell.part,
        "row": cell.row,
        "up_card": cell.column,
        "letter": better.letter,
        "better": better.better,
        "decisions": gain.times,
        "gain": gain.mean,
        "standard_error": gain.standard_error,
        "gain_of_a_round": better.per_round,
    }
