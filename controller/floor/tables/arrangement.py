"""Which tiles a person sees, and in which order."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Final, Literal

from controller.floor.tables.tile import Condition, Tile

Order = Literal["layout", "need"]


@dataclass(frozen=True, slots=True)
class TileFilter:
    """A tile passes if it has everything that is given here."""

    pit: str | None = None
    game: str | None = None
    condition: Condition | None = None
    needs_attention: bool = False

    def passes(self, tile: Tile) -> bool:
        return (
            self.pit in {None, tile.pit}
            and self.game in {None, tile.game}
            and self.condition in {None, tile.condition}
            and (tile.needs_attention or not self.needs_attention)
        )


EVERYTHING: Final = TileFilter()


def arranged(tiles: Iterable[Tile], order: Order, chosen: TileFilter = EVERYTHING) -> tuple[Tile, ...]:
    """The tiles that pass. `layout`: in the order of the layout, then by name those in no pit. `need`: the
    most severe first, then those that wait longest; tiles that need no attention keep the order of the
    layout."""
    return tuple(sorted(filter(chosen.passes, tiles), key=_KEYS[order]))


def _as_they_stand(tile: Tile) -> tuple[int, str]:
    return tile.place, tile.table


def _by_need(tile: Tile) -> tuple[int, float, int, str]:
    return tile.rank, inf if tile.since is None else tile.since, tile.place, tile.table


_KEYS: Final[Mapping[Order, Callable[[Tile], Any]]] = {"layout": _as_they_stand, "need": _by_need}
