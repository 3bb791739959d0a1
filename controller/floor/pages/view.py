"""The tiles of all tables as the pages show them: each arrangement is made once for all followers, and each
tile is rendered once for each change and language."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import is_
from typing import Final

from controller.floor.approvals.standing import ACTS, Standing
from controller.floor.tables.arrangement import Order, TileFilter, arranged
from controller.floor.tables.jackpots import LinkedJackpot
from controller.floor.tables.picture import FloorPicture
from controller.floor.tables.tile import Tile, TileAlert
from controller.languages import Language, language_in_use

MOST_ARRANGEMENTS: Final = 64
"""Arrangements that are kept until a tile changes; more pages with different filters cost time, not room."""


@dataclass(frozen=True, slots=True)
class HouseState:
    """What pages show beside the tiles. `acts` is another number after something about a command has changed;
    `standing`: whether this instance acts; `alerts`: those about the floor itself."""

    acts: int = 0
    standing: Standing = ACTS
    alerts: tuple[TileAlert, ...] = ()
    jackpots: tuple[LinkedJackpot, ...] = ()


def house_state(picture: FloorPicture, acts: int, standing: Standing) -> HouseState:
    return HouseState(acts, standing, picture.own_alerts, picture.jackpots.look())


class FloorView:
    """`tiles` returns the tiles by table, each the same object as before if nothing in it has changed.
    `render` returns the HTML of a tile; `rest` what else pages show."""

    def __init__(
        self,
        tiles: Callable[[], Mapping[str, Tile]],
        render: Callable[[Tile], str],
        rest: Callable[[], HouseState] = HouseState,
    ) -> None:
        self._tiles, self._render, self._rest = tiles, render, rest
        self.house = HouseState()
        self._latest: tuple[Tile, ...] = ()
        self._arranged: dict[tuple[Order, TileFilter], tuple[Tile, ...]] = {}
        self._rendered: dict[tuple[str, Language], tuple[Tile, str]] = {}
        self._panels: dict[tuple[Callable[[FloorView], str], Language], str] = {}

    def refresh(self) -> bool:
        """Read the tiles. Returns whether any has changed, or anything else that pages show."""
        before, self.house = self.house, self._rest()
        changed = self._refresh_tiles() or before != self.house
        if changed:
            self._panels.clear()
        return changed

    def _refresh_tiles(self) -> bool:
        latest = tuple(self._tiles().values())
        if len(latest) == len(self._latest) and all(map(is_, latest, self._latest)):
            return False
        self._latest = latest
        self._arranged.clear()
        return True

    def panel(self, render: Callable[["FloorView"], str]) -> str:
        """What `render` makes of this view, made once for all pages in the language in use that show it."""
        key = render, language_in_use()
        if key not in self._panels:
            self._panels[key] = render(self)
        return self._panels[key]

    def all(self) -> tuple[Tile, ...]:
        """Every tile, as the tables stand."""
        return self.arranged("layout", TileFilter())

    def arranged(self, order: Order, chosen: TileFilter) -> tuple[Tile, ...]:
        """The tiles that pass the filter, in order."""
        key = order, chosen
        if key not in self._arranged:
            if len(self._arranged) >= MOST_ARRANGEMENTS:
                self._arranged.clear()
            self._arranged[key] = arranged(self._latest, order, chosen)
        return self._arranged[key]

    def tile(self, table: str) -> Tile | None:
        """None if there is no such table."""
        return self._tiles().get(table)

    def html(self, tile: Tile) -> str:
        """The rendered tile, in the language in use."""
        key = tile.table, language_in_use()
        known = self._rendered.get(key)
        if known is None or known[0] is not tile:
            known = self._rendered[key] = tile, self._render(tile)
        return known[1]
