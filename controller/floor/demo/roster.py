"""Which tables a floor of simulated tables has: their names, games, limits, pits and dealers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from controller.access.people import Role
from controller.demo.settings import DemoSettings
from controller.demo.staff import PEOPLE
from controller.floor.demo.level import SPOT
from controller.games import GAMES, open_game

PITS: Final[Mapping[str, tuple[int, int]]] = {
    "main": (500, 50_000),
    "garden": (1000, 100_000),
    "terrace": (500, 50_000),
    "salon": (2500, 200_000),
}
"""The least and the highest wager on the hand in cents, by pit."""
DEALERS: Final[Sequence[str]] = ("Dee", "Kim", "Lou", "Max", "Nia", "Ola")
"""Who deals at the tables of a pit, in their order."""
SEVENS: Final = (
    '{ "777 diamonds" = "100%", "777 suited" = "100%", "777 one colour" = "25%", "777" = "10%", '
    '"two 7s" = "5%", "one 7" = "1%" }'
)
"""What the Blazing 7s pay: more cards win a share than in a casino, so that a demonstration shows a win."""
TARGET: Final = 150
"""Rounds an hour: less than a crew plays, so that only slow tables are shown as slow."""
PIT_TABLES: Final = len(GAMES)
"""Tables of a pit: one of each game."""
MOST_TABLES: Final = len(PITS) * PIT_TABLES


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """`name`: as the floor calls it; `dealer`: who deals there."""

    name: str
    pit: str
    dealer: str
    settings: DemoSettings


def planned_tables(count: int, *, speed: str, seed: int, pages: bool) -> tuple[PlannedTable, ...]:
    """The first `count` tables, 1 to MOST_TABLES. `pages`: each has a web server."""
    return tuple(_planned(index, speed, seed + index, pages=pages) for index in range(count))


def _planned(index: int, speed: str, seed: int, *, pages: bool) -> PlannedTable:
    pit, place = [*PITS][index // PIT_TABLES], index % PIT_TABLES
    game = [*reversed(GAMES)][place]  # the first table plays for the linked progressive
    least, most = PITS[pit]
    spots = open_game(game).spots
    options = {"limits": f"{{ {spots[0]} = [{least}, {most}] }}"}
    if SPOT in spots:
        options["blazing_7s"] = SEVENS
    settings = DemoSettings(
        game=game,
        seed=seed,
        speed=speed,
        pages=pages,
        options=options,
        name=f"Table {index + 1}",
        target=TARGET,
    )
    return PlannedTable(f"table-{index + 1:02}", pit, DEALERS[place], settings)


def pits_of(tables: Iterable[PlannedTable]) -> dict[str, list[str]]:
    """The names of the tables of each pit."""
    found: dict[str, list[str]] = {}
    for table in tables:
        found.setdefault(table.pit, []).append(table.name)
    return found


def people() -> dict[str, Role]:
    """Everybody who has an account, at the floor and at each table."""
    dealers: dict[str, Role] = dict.fromkeys(DEALERS, "dealer")
    return {**dealers, **PEOPLE}
