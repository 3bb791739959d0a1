"""Compares simulated play with exact odds: how many standard errors each bet and each pay is off.

`python -m benchmarks.agreement [GAME ...] --rounds N`; N as 20000 or 1e9. The standard errors come from the
exact odds, because a sample may not contain a rare win.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from controller.commands.arguments import rounds_argument
from controller.games import GAMES, open_game
from controller.games.game import Game
from controller.odds import exact
from controller.odds.bet import Bet
from controller.odds.simulate import Simulation, simulate
from controller.odds.tally import MAIN, BetTally

WORST = 4.0
"""The most standard errors that a figure may be off."""
SEED = 2024


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure, exact and simulated. `off` is in standard errors."""

    bet: str
    up_card: str
    figure: str
    rounds: int
    exactly: float
    played: float
    error: float

    @property
    def off(self) -> float:
        """The difference in standard errors. 0 if nothing could differ."""
        return (self.played - self.exactly) / self.error if self.error else 0.0


def compare(bet: Bet, tally: BetTally) -> Iterator[Comparison]:
    """Compares the house edge, then how often each pay came."""
    squares = float(sum(outcome.probability * outcome.gain**2 for outcome in bet.outcomes))
    edge, count = float(bet.house_edge), tally.count
    error = sqrt((squares - edge * edge) / count)
    yield Comparison(bet.bet, tally.up_card, "house edge", count, edge, tally.house_edge, error)
    for pays in dict.fromkeys(outcome.pays for outcome in bet.outcomes if outcome.pays):
        chance = float(sum(outcome.probability for outcome in bet.outcomes if outcome.pays == pays))
        error = sqrt(chance * (1 - chance) / count)
        yield Comparison(
            bet.bet, tally.up_card, f"pays {pays}", count, chance, tally.results[pays] / count, error
        )


def comparisons(game: Game, tallies: tuple[BetTally, ...]) -> Iterator[Comparison]:
    """Compares every bet that has exact odds and was played."""
    played = {(tally.bet, tally.up_card): tally for tally in tallies}
    for bet in exact.bets(game):
        if tally := played.get((bet.bet, bet.given.get("up_card", ""))):
            yield from compare(bet, tally)


def table(game: Game, played: Simulation, rows: list[Comparison]) -> Table:
    """All figures of a game. Those that are too far off are marked."""
    worst = max(rows, key=lambda row: abs(row.off))
    title = f"{game.title}: {played.rounds:,} rounds, {len(rows)} figures, worst {worst.off:+.2f}"
    by = f"{played.engine.name}, {played.cpu_seconds:.0f} s of processor time"
    result = Table(title=title, caption=f"{by}; main bet {_main(played)}")
    for column in ("bet", "up-card", "figure", "rounds", "exact", "played", "standard errors off"):
        result.add_column(column, justify="left" if column in ("bet", "up-card", "figure") else "right")
    for row in rows:
        mark = " !" if abs(row.off) > WORST else ""
        result.add_row(
            row.bet,
            row.up_card,
            row.figure,
            f"{row.rounds:,}",
            f"{row.exactly:.5%}",
            f"{row.played:.5%}",
            f"{row.off:+.2f}{mark}",
        )
    return result


def _main(played: Simulation) -> str:
    main = next(tally for tally in played.tallies if tally.bet == MAIN)
    return f"{main.house_edge:.4%}, standard error {main.standard_error:.4%}"


def main(
    games: Annotated[list[str] | None, typer.Argument()] = None, rounds: str = "100000", seed: int = SEED
) -> None:
    """Plays and prints one table per game. The exit status is 1 if any figure is too far off."""
    agreed, number = True, rounds_argument(rounds)
    for name in games or GAMES:
        game = open_game(name)
        with Progress(console=Console(stderr=True)) as progress:
            task = progress.add_task(game.title, total=number)
            played = simulate(game, number, seed, progress=partial(progress.advance, task))
        rows = list(comparisons(game, played.tallies))
        agreed = agreed and all(abs(row.off) <= WORST for row in rows)
        Console(width=120).print(table(game, played, rows))
    raise typer.Exit(0 if agreed else 1)


if __name__ == "__main__":
    typer.run(main)
