"""Command line options that all simulated devices share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from drivers.sim.cards import NotACardError, parse
from drivers.sim.link.memory import Memory, MemoryFile
from drivers.sim.physical_state import PhysicalState

Control = Annotated[Path, typer.Option(help="Unix socket for requests and notices.")]
MemoryPath = Annotated[
    Path | None,
    typer.Option(help="File for what the device keeps without power; without it, nothing outlives this run."),
]
Seed = Annotated[int, typer.Option(help="Order of cards, bounces and faults.")]
Speed = Annotated[Literal["human", "max"], typer.Option(help="How fast mechanics are.")]
Decks = Annotated[int, typer.Option(min=1, max=10, help="Decks in the shoe or in the shuffler.")]
Stack = Annotated[Path | None, typer.Option(exists=True, help="The shoe's cards in order.")]
Log = Annotated[Path | None, typer.Option(help="The shoe's own list of cards that left.")]
Baud = Annotated[int, typer.Option(min=0, help="Line rate to keep; 0: none.")]
Chance = Annotated[float, typer.Option(min=0.0, max=1.0, help="Chance for each frame or message, both ways.")]


def memory_at(path: Path | None) -> Memory:
    """A file if there is a path, else memory that lasts as long as this run."""
    return MemoryFile(path) if path else Memory()


def physical_state_at(path: Path | None) -> PhysicalState:
    """Stored next to the device's memory."""
    return PhysicalState(path.with_name(path.name + ".around") if path else None)


def stack_of(path: Path | None) -> tuple[str, ...]:
    """The cards in a file. Raises typer.BadParameter, which names the first word that is not a card."""
    if path is None:
        return ()
    try:
        return tuple(parse(path.read_text()))
    except NotACardError as error:
        raise typer.BadParameter(f"{path}: {error}", param_hint="--stack") from error
