"""The commands that need nothing but the rules: settle, simulate, diagram."""

import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer
from rich.console import Console
from rich.progress import Progress

from controller.commands.arguments import AsJson, GameName, Options, game_argument, print_json
from controller.commands.exit_codes import usage
from controller.commands.options import GAMES
from controller.games.game import Game
from controller.odds.simulate import simulate
from controller.odds.tally import BetTally
from controller.past.replay.rules_tables import answer_table, tally_table
from controller.round.events import EventRefused
from controller.round.machine import diagram
from controller.round.settle import ScriptResult, settle


def register(app: typer.Typer) -> None:
    """Adds the commands to `app`."""
    app.command("settle", rich_help_panel=GAMES)(settle_command)
    app.command("simulate", rich_help_panel=GAMES)(simulate_command)
    app.command("diagram", rich_help_panel=GAMES)(diagram_command)


def settle_command(
    file: Annotated[
        Path | None,
        typer.Argument(
            exists=True,
            dir_okay=False,
            readable=True,
            metavar="FILE",
            help="Round scripts; standard input if absent.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Settle rounds that are written down as text, one JSON object a line.

    One answer for each, in the same order: JSON, or tables where a person reads.

    Example: tableside settle --json < rounds.jsonl
    """
    show = _show_answer if sys.stdout.isatty() and not as_json else print_json
    refused = False
    for line in _lines(file):
        answered = settle(line)
        refused = refused or "error" in answered
        show(answered)
    raise typer.Exit(1 if refused else 0)


def simulate_command(
    game: GameName,
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds.")],
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same rounds.")] = None,
    options: Options = "{}",
    meter: Annotated[
        int | None, typer.Option("--meter", min=1, metavar="CENTS", help="The jackpot of every round.")
    ] = None,
    processors: Annotated[
        int | None, typer.Option(min=1, help="How many play at once; all if absent.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play many rounds by good strategy, and show the house edge of each wager.

    Every bet is placed wherever it may be. The number of processors changes nothing but the time.

    Example: tableside simulate easy-jack --rounds 100000
    """
    opened = game_argument(game, options)
    meters = {} if meter is None else dict.fromkeys(opened.meters, meter)
    seed = secrets.randbelow(2**32) if seed is None else seed
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(opened.title, total=rounds)
        try:
            tallies = simulate(
                opened, rounds, seed, meters=meters, processors=processors,
                progress=lambda more: progress.advance(task, more),
            )  # fmt: skip
        except EventRefused as refused:
            raise usage(f"no stake fits the options: {refused}") from None
    if as_json:
        print_json(_simulation_json(opened, rounds, seed, tallies))
    else:
        Console().print(tally_table(opened, rounds, seed, tallies))


def diagram_command(game: GameName, as_json: AsJson = False) -> None:
    """Print the state machine of a round, as a Mermaid diagram.

    Example: tableside diagram easy-jack
    """
    mermaid = diagram(game_argument(game, "{}"))
    if as_json:
        print_json({"game": game, "mermaid": mermaid})
    else:
        typer.echo(mermaid)


def _lines(file: Path | None) -> Iterator[bytes]:
    if file is None:
        yield from _nonblank(sys.stdin.buffer)
        return
    with file.open("rb") as opened:
        yield from _nonblank(opened)


def _nonblank(source: BinaryIO) -> Iterator[bytes]:
    return (line for line in source if line.strip())


def _show_answer(answered: ScriptResult) -> None:
    Console(markup=False, highlight=False).print(answer_table(answered))


def _simulation_json(game: Game, rounds: int, seed: int, tallies: tuple[BetTally, ...]) -> dict[str, Any]:
    bets = [
        {"bet": tally.bet, "given": tally.given, "rounds": tally.count, "house_edge": tally.house_edge,
         "standard_error": tally.standard_error if tally.count > 1 else None,
         "results": dict(tally.results.most_common())}
        for tally in tallies
    ]  # fmt: skip
    options = game.options.model_dump(mode="json")
    return {"game": game.name, "options": options, "rounds": rounds, "seed": seed, "bets": bets}
