"""Renders tiles, the page of all tables, and the page of one table."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from jinja2 import Environment, Template

from controller.access.people import Person, Role
from controller.currency import using
from controller.floor.acknowledgements import Acknowledgement
from controller.floor.approvals.sender import SentCommand
from controller.floor.approvals.standing import Standing
from controller.floor.pages.view import FloorView
from controller.floor.pages.words import (
    CALLS,
    CONDITION_WORDS,
    NO_PIT,
    SentFace,
    face,
    labels_of,
    level_faces,
    own_claims,
)
from controller.floor.tables.arrangement import Order, TileFilter
from controller.floor.tables.tile import Tile
from controller.languages import translate
from controller.monitor.live.renderer import templates
from controller.monitor.navigation import NavigationLink
from controller.monitor.supervisor.requests import TITLES
from controller.process.time_zone import using_time_zone

TEMPLATES: Final = Path(__file__).parent / "templates"
STATIC: Final = Path(__file__).parent / "static"
ACKNOWLEDGING: Final[tuple[Role, ...]] = ("supervisor", "technician")
"""Who acknowledges alerts of the floor."""
COMMANDING: Final[Role] = "supervisor"
"""Who gives commands to tables."""
_BETWEEN: Final = re.compile(r">\s*\n\s*<")
MOST_SENT: Final = 10
"""Commands that the page of a table shows."""
ORDERS: Final[Mapping[Order, str]] = {"need": "By need", "layout": "By pit"}


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person has chosen to see. `wall`: on a screen that is read from afar, without filters and
    links."""

    order: Order
    filter: TileFilter
    wall: bool = False

    @property
    def query(self) -> str:
        """The choice as the query of a URL."""
        chosen = self.filter
        named = {"pit": chosen.pit, "game": chosen.game, "condition": chosen.condition}
        fields = {name: value for name, value in named.items() if value is not None}
        flags = {"attention": chosen.needs_attention, "wall": self.wall}
        given = {name: "1" for name, holds in flags.items() if holds}
        return urlencode({"order": self.order, **fields, **given})

    @property
    def toggled_wall(self) -> str:
        """The query of the same choice with or without the view for a wall."""
        return replace(self, wall=not self.wall).query


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a page, and the links in their navigation bar. `person` is None on a screen at the wall."""

    person: Person | None
    links: tuple[NavigationLink, ...] = ()


@dataclass(frozen=True, slots=True)
class Live:
    """The stream that a page follows; the base template reads it."""

    events: str


def environment() -> Environment:
    """The templates of the floor, on those of a table's pages."""
    return templates(TEMPLATES)


def render_tile(tile: Tile) -> str:
    """The HTML of a tile, without lines: a browser makes a node of each space between two elements."""
    with using(tile.money):
        return _BETWEEN.sub("><", _tile_template().render(seen=face(tile)).strip())


def floor_page(view: FloorView, heading: str, reader: Reader, choice: Choice) -> str:
    """The page of all tables, without the tiles, which come with its stream."""
    tiles = view.all()
    return _rendered(
        "floor/floor.html",
        page=Live(f"/floor/events?{choice.query}"),
        table=heading,
        person=reader.person,
        ways=reader.links,
        here="/floor",
        choice=choice,
        orders=ORDERS,
        pits={tile.pit: tile.pit or translate(NO_PIT) for tile in tiles}.items(),
        games=[(game, game) for game in sorted({tile.game for tile in tiles if tile.game})],
        conditions=[(name, translate(word)) for name, word in CONDITION_WORDS.items()],
        instance=view.panel(instance_html),
        jackpots=view.panel(jackpots_html),
        house=view.panel(HOUSES[acknowledging(reader.person)]),
    )


def jackpots_html(view: FloorView) -> str:
    """The panel about the jackpots of all tables: linked progressives with their open claims, and the open
    claims of tables."""
    tiles = view.all()
    claims = list(own_claims(tiles, view.house.jackpots))
    levels = level_faces(tiles, view.house.jackpots)
    money_of = {tile.table: tile.money for tile in tiles}
    return _rendered("floor/jackpots.html", claims=claims, levels=levels, money_of=money_of).strip()


def instance_html(view: FloorView) -> str:
    """What a page says while this instance does not act; empty while it does."""
    return _rendered("floor/instance.html", standing=view.house.standing).strip()


def house_html(view: FloorView) -> str:
    """The alerts about the floor itself, for a person who may acknowledge them."""
    return _house_html(view, acknowledges=True)


def read_house_html(view: FloorView) -> str:
    """The alerts about the floor itself, for a person who may only read them."""
    return _house_html(view, acknowledges=False)


def _house_html(view: FloorView, *, acknowledges: bool) -> str:
    alerts = view.house.alerts
    return _rendered("floor/house.html", alerts=alerts, calls=CALLS, acknowledges=acknowledges).strip()


def acknowledging(person: Person | None) -> bool:
    """Whether this person may acknowledge alerts. `person` is None on a screen at the wall."""
    return person is not None and person.role in ACKNOWLEDGING


@dataclass(frozen=True, slots=True)
class TableHistory:
    """What people at the floor did about a table, newest first: `trail`, who acknowledged what; `sent`, the
    commands, and what became of them."""

    trail: Sequence[Acknowledgement] = ()
    sent: Sequence[SentCommand] = ()


def table_page(heading: str, tile: Tile, reader: Reader, history: TableHistory, standing: Standing) -> str:
    """The page of one table."""
    return _rendered(
        "floor/table.html",
        page=Live(f"/floor/tables/{tile.table}/events"),
        table=heading,
        name=tile.table,
        person=reader.person,
        ways=reader.links,
        here="",
        detail=detail_html(tile, reader.person, history, standing),
    )


def detail_html(tile: Tile, person: Person | None, history: TableHistory, standing: Standing) -> str:
    """The panel of one table, with times in its zone and the buttons of this person; without those that send
    a command while this instance does not act."""
    with using(tile.money), using_time_zone(tile.zone):
        return _rendered(
            "floor/detail.html",
            seen=face(tile),
            person=person,
            standing=standing,
            acknowledges=acknowledging(person),
            commands=standing.acts and person is not None and person.role == COMMANDING,
            trail=history.trail,
            sent=list(map(SentFace.of, history.sent[:MOST_SENT])),
            titles=TITLES,
            labels=labels_of,
        ).strip()


HOUSES: Final[Mapping[bool, Callable[[FloorView], str]]] = {True: house_html, False: read_house_html}
"""The panel about the floor itself, by whether its reader acknowledges alerts."""


def _rendered(template: str, /, **fields: object) -> str:
    return environment().get_template(template).render(**fields)


@cache
def _tile_template() -> Template:
    return environment().get_template("floor/tile.html")
