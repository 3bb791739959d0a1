"""The commands that need nothing but the rules: settle, simulate, diagram."""

import json
import secrets
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer
from rich.console import Console
from rich.progress import Progress

from controller.games import GAMES, UnknownGame, open_game
from controller.games.game import Game
from controller.games.options import BadOptions
from controller.odds.simulate import Tally, simulate
from controller.round.diagram import diagram
from controller.round.events import Refused
from controller.round.settle import Answer, settle
from controller.rules_tables import answer_table, tally_table

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"A game's id: {', '.join(GAMES)}.")]
Options = Annotated[str, typer.Option(metavar="JSON", help="The game's options, as a JSON object.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
OBJECT = """allowed: an object, as '{"decks": 6}'"""


def register(app: typer.Typer) -> None:
    """Adds the commands to `app`."""
    app.command("settle")(settle_command)
    app.command("simulate")(simulate_command)
    app.command("diagram")(diagram_command)


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
    """
    show = _show_answer if sys.stdout.isatty() and not as_json else _print_json
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
    as_json: AsJson = False,
) -> None:
    """Play many rounds by good strategy, and show the house edge of each wager."""
    opened = _open(game, options)
    seed = secrets.randbelow(2**32) if seed is None else seed
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(opened.title, total=rounds)
        tallies = _simulate(opened, rounds, seed, lambda more: progress.advance(task, more))
    if as_json:
        _print_json(_simulated(opened, rounds, seed, tallies))
    else:
        Console().print(tally_table(opened, rounds, seed, tallies))


def diagram_command(game: GameName, as_json: AsJson = False) -> None:
    """Print the state machine of a round, as a Mermaid diagram."""
    drawn = diagram(_open(game, "{}"))
    if as_json:
        _print_json({"game": game, "mermaid": drawn})
    else:
        typer.echo(drawn)


def _lines(file: Path | None) -> Iterator[bytes]:
    if file is None:
        yield from _written(sys.stdin.buffer)
        return
    with file.open("rb") as opened:
        yield from _written(opened)


def _written(source: BinaryIO) -> Iterator[bytes]:
    return (line for line in source if line.strip())


def _open(name: str, options: str) -> Game:
    try:
        return open_game(name, _object(options))
    except UnknownGame as error:
        raise _usage(str(error)) from None
    except BadOptions as error:
        raise _usage(*map(str, error.faults)) from None


def _object(options: str) -> dict[str, Any]:
    try:
        chosen = json.loads(options)
    except (ValueError, RecursionError) as error:
        raise _usage(f"--options {options!r} is no JSON: {error}; {OBJECT}") from None
    if not isinstance(chosen, dict):
        raise _usage(f"--options {options!r} is no JSON object; {OBJECT}")
    return chosen


def _usage(*faults: str) -> typer.Exit:
    """Says each fault on a line of its own; the exit to raise."""
    for fault in faults:
        typer.echo(f"tableside: {fault}", err=True)
    return typer.Exit(2)


def _print_json(value: dict[str, Any]) -> None:
    typer.echo(json.dumps(value))


def _show_answer(answered: Answer) -> None:
    Console(markup=False, highlight=False).print(answer_table(answered))


def _simulate(game: Game, rounds: int, seed: int, progress: Callable[[int], None]) -> tuple[Tally, ...]:
    try:
        return simulate(game, rounds, seed, progress)
    except Refused as refused:
        raise _usage(f"no stake fits the options: {refused}") from None


def _simulated(game: Game, rounds: int, seed: int, tallies: tuple[Tally, ...]) -> dict[str, Any]:
    bets = [
        {"bet": tally.wager, "wagers": tally.count, "house_edge": tally.house_edge,
         "standard_error": tally.standard_error if rounds > 1 else None}
        for tally in tallies
    ]  # fmt: skip
    options = game.options.model_dump(mode="json")
    return {"game": game.name, "options": options, "rounds": rounds, "seed": seed, "bets": bets}
