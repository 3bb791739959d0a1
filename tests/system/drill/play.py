"""Whole plays of written rounds in virtual time, and their results."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from controller.journal.chain import JournalRow
from controller.journal.history import History
from drivers.sim.kinds import Settings
from tests.system.drill.baton import Moment
from tests.system.drill.hands import Hands, Sight
from tests.system.drill.rounds import BURN, Programme
from tests.system.drill.world import World

AWAY: Final = 1.0
"""Seconds that a table is without its daemon."""
JOURNAL: Final = "table.db"


@dataclass(frozen=True, slots=True)
class Played:
    """What could be seen, the moments that the daemons reported, and the journal afterwards."""

    sights: tuple[Sight, ...]
    lives: tuple[tuple[Moment, ...], ...]
    rows: tuple[JournalRow, ...]
    end: Moment
    """What the next daemon found after everything was played."""
    deaths: tuple[str, ...]
    """The moments at which daemons were killed."""
    healed: tuple[str, ...]
    """What daemons repaired when they opened the journal."""

    @property
    def points(self) -> list[str]:
        """The moments of the first daemon's life, at each of which it might be killed."""
        return [moment.label for moment in self.lives[0][1:]]

    def records_of(self, kinds: frozenset[str]) -> list[tuple[str, str, str]]:
        """The bodies of all rows of these kinds, with kind and device."""
        rows = (entry.content for entry in self.rows if entry.content.kind in kinds)
        return [(row.kind, row.device, row.body) for row in rows]


def play(
    folder: Path,
    programme: Programme,
    fatal: Sequence[int] = (),
    disturbed: Callable[[World], AbstractContextManager[object]] = nullcontext,
    meddle: Callable[[World, int], bool] = lambda _world, _done: False,
    *,
    tells: bool = False,
) -> Played:
    """The rounds, up to the orderly end of a daemon, and a last start.

    The first daemon is killed at the first moment of `fatal`, the next one at the next, counted in its own
    life. `disturbed`: what happens to the table meanwhile; `meddle`: after each act. `tells`: each moment is
    reported.
    """
    settings = Settings("", "", seed=1, speed="max", decks=programme.decks, stack=programme.stack)
    world = World(folder / JOURNAL, programme.started, settings)
    lives = iter(fatal)

    def start() -> None:
        world.start(next(lives, -1), tells=tells)

    try:
        with disturbed(world):
            return _play(world, folder, programme, start, partial(meddle, world))
    finally:
        world.close()


def _play(
    world: World,
    folder: Path,
    programme: Programme,
    start: Callable[[], None],
    meddle: Callable[[int], bool],
) -> Played:
    def revive() -> None:
        if not world.alive:
            world.run(AWAY)
            start()

    start()
    hands = Hands(world, programme.game, programme.started.options, revive, meddle)
    for written in programme.rounds:
        hands.play(written, BURN if written is programme.rounds[0] else 0)
    hands.rest()
    world.stop()
    ended = len(world.lives)
    while not (world.alive and world.lives[-1]):  # it may be killed while it reads
        world.start()
    world.kill()
    found = next(life[0] for life in world.lives[ended:] if life)
    lives = tuple(map(tuple, world.lives))
    rows, deaths, healed = tuple(History(folder / JOURNAL).rows()), tuple(world.deaths), tuple(world.healed)
    return Played(tuple(hands.sights), lives, rows, found, deaths, healed)
