"""What `tableside game simulate` does."""

import secrets
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from controller.commands.arguments import print_json
from controller.commands.chosen_game import game_argument
from controller.commands.exit_codes import usage
from controller.games.game import Game
from controller.games.spots import spot_title
from controller.odds.simulate import simulate
from controller.odds.tally import BetTally
from controller.round.events import EventRefused


def handle(
    game: str,
    *,
    rounds: int,
    seed: int | None,
    options: str,
    meter: int | None,
    processors: int | None,
    as_json: bool,
) -> None:
    opened = game_argument(game, options)
    meters = {} if meter is None else dict.fromkeys(opened.meters, meter)
    seed = secrets.randbelow(2**32) if seed is None else seed
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(opened.title, total=rounds)
        try:
            tallies = simulate(
                opened,
                rounds,
                seed,
                meters=meters,
                processors=processors,
                progress=lambda more: progress.advance(task, more),
            )
        except EventRefused as refused:
            raise usage(f"no stake fits the options: {refused}") from None
    if as_json:
        print_json(_simulation_json(opened, rounds, seed, tallies))
    else:
        Console().print(tally_table(opened, rounds, seed, tallies))


def _simulation_json(game: Game, rounds: int, seed: int, tallies: tuple[BetTally, ...]) -> dict[str, Any]:
    bets = [
        {
            "bet": tally.bet,
            "given": tally.given,
            "rounds": tally.count,
            "house_edge": tally.house_edge,
            "standard_error": tally.standard_error if tally.count > 1 else None,
            "results": dict(tally.results.most_common()),
        }
        for tally in tallies
    ]
    options = game.options.model_dump(mode="json")
    return {"game": game.name, "options": options, "rounds": rounds, "seed": seed, "bets": bets}


def tally_table(game: Game, rounds: int, seed: int, tallies: tuple[BetTally, ...]) -> Table:
    """A table of the house edge of each wager."""
    table = Table(title=f"{game.title}: {rounds:,} rounds, seed {seed}")
    for column in ("bet", "up-card", "rounds", "house edge", "standard error"):
        table.add_column(column, justify="left" if column in ("bet", "up-card") else "right")
    for tally in tallies:
        edge, error = f"{tally.house_edge:.4%}", f"{tally.standard_error:.4%}"
        table.add_row(spot_title(tally.bet), tally.up_card, f"{tally.count:,}", edge, error)
    return table
