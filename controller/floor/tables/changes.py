"""What differs between two arrangements of tiles, for one page that shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from controller.floor.tables.tile import Tile

TILE_GAP: Final = 0.5
"""Least seconds between two changes of one tile on one page."""


@dataclass(frozen=True, slots=True)
class TileChanges:
    """First remove the tiles of the tables `gone`; then put each tile of `tiles` in the place of the one of
    its table, or add it. If `order` is given, then sort the tiles so; it names every table that is shown."""

    tiles: tuple[Tile, ...] = ()
    gone: tuple[str, ...] = ()
    order: tuple[str, ...] | None = None

    def __bool__(self) -> bool:
        return bool(self.tiles or self.gone) or self.order is not None


def applied(shown: Mapping[str, Tile], changes: TileChanges) -> dict[str, Tile]:
    """The tiles by table, in order, after the changes."""
    after = {table: tile for table, tile in shown.items() if table not in changes.gone}
    after |= {tile.table: tile for tile in changes.tiles}
    return after if changes.order is None else {table: after[table] for table in changes.order}


class TileFeed:
    """Finds what one page lacks, and changes no tile twice within TILE_GAP. What it holds back comes with a
    later call. `now`: a monotonic time in seconds."""

    def __init__(self) -> None:
        self.shown: dict[str, Tile] = {}
        """What the page shows, in order."""
        self._sent: dict[str, float] = {}
        self._held: frozenset[str] = frozenset()

    def take(self, wanted: Sequence[Tile], now: float) -> TileChanges:
        """The changes after which the page shows the `wanted` tiles, but for those that are held back."""
        news = [tile for tile in wanted if self.shown.get(tile.table) is not tile]
        held = frozenset(tile.table for tile in news if not self._may_send(tile.table, now))
        tiles = tuple(tile for tile in news if tile.table not in held)
        names = {tile.table for tile in wanted}
        gone = tuple(table for table in self.shown if table not in names)
        after = applied(self.shown, TileChanges(tiles, gone))
        order = tuple(tile.table for tile in wanted if tile.table in after)
        changes = TileChanges(tiles, gone, None if order == tuple(after) else order)
        self.shown, self._held = applied(self.shown, changes), held
        self._sent |= dict.fromkeys((tile.table for tile in tiles), now)
        return changes

    @property
    def due(self) -> float | None:
        """When what is held back may be sent; None if nothing is."""
        return min((self._sent[table] + TILE_GAP for table in self._held), default=None)

    def _may_send(self, table: str, now: float) -> bool:
        last = self._sent.get(table)
        return last is None or now >= last + TILE_GAP
