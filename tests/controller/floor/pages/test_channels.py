"""What pages with the same choice are sent: made once for all of them, and complete for each."""

import re
from dataclasses import dataclass, field

from controller.floor.approvals.standing import Standing
from controller.floor.pages.channels import BEGIN, GONE, KEPT, ORDER, TILES, Subject, TileChannels
from controller.floor.pages.view import FloorView, HouseState
from controller.floor.tables.arrangement import TileFilter
from controller.floor.tables.changes import TILE_GAP
from controller.floor.tables.tile import Tile, TileAlert
from tests.controller.floor.tables.statuses import tile

ALL = Subject("layout", TileFilter(), acknowledges=False)
FULL = TileAlert("floor", "full", "The stream JOURNAL is 82 % full", "warning", 1.0, 1)


@dataclass
class Shown:
    """Tables whose tiles are as many letters as the table has rounds."""

    tiles: dict[str, Tile] = field(default_factory=dict)
    house: HouseState = field(default_factory=HouseState)
    rendered: list[str] = field(default_factory=list)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.view = FloorView(lambda: self.tiles, self._render, lambda: self.house)
        self.channels = TileChannels(self.view, lambda: self.now)
        self.play(a=1, b=1)

    def play(self, after: float = TILE_GAP, **rounds: int) -> bool:
        """The tables say which round they play. Returns whether a page is to be sent something."""
        self.now += after
        self.tiles = self.tiles | {name: tile(name, round=number) for name, number in rounds.items()}
        return self.look()

    def look(self) -> bool:
        return self.channels.advance(changed=self.view.refresh())

    def _render(self, tile: Tile) -> str:
        self.rendered.append(tile.table)
        return f"<li>{tile.table}{tile.round}</li>"


@dataclass
class Page:
    """What a page shows after the text of a stream, as its script does it."""

    tiles: dict[str, str] = field(default_factory=dict)
    panels: dict[str, str] = field(default_factory=dict)

    def take(self, text: str) -> None:
        for name, body in re.findall(r"event: (\w+)\n((?:data: .*\n)+)", text):
            lines = [line.removeprefix("data: ") for line in body.splitlines()]
            if name == BEGIN:
                self.tiles.clear()
            elif name == TILES:
                self.tiles |= {line[4]: line[5:-5] for line in lines}
            elif name == GONE:
                self.tiles = {table: seen for table, seen in self.tiles.items() if table not in lines}
            elif name == ORDER:
                self.tiles = {table: self.tiles[table] for table in lines}
            else:
                self.panels[name] = "\n".join(lines)


def test_a_page_that_joins_late_and_those_before_it_show_the_same() -> None:
    shown, early, late = Shown(), Page(), Page()
    with shown.channels.following(ALL) as channel:
        early.take(channel.everything())
        seen = channel.number
        shown.play(a=2, c=1)
        with shown.channels.following(ALL) as same:
            assert same is channel
            late.take(same.everything())
        early.take(channel.after(seen))
    assert early == late
    assert early.tiles == {"a": "2", "b": "1", "c": "1"}


def test_pages_that_follow_the_same_share_the_work() -> None:
    shown = Shown()
    with shown.channels.following(ALL) as one, shown.channels.following(ALL) as other:
        shown.rendered.clear()
        assert shown.play(a=2)
        assert one.after(one.number - 1) == other.after(other.number - 1)
    assert shown.rendered == ["a"]


def test_a_page_that_fell_far_behind_gets_everything_anew() -> None:
    shown, slow = Shown(), Page()
    with shown.channels.following(ALL) as channel:
        slow.take(channel.everything())
        seen = channel.number
        for number in range(2, KEPT + 4):
            shown.play(a=number)
        del shown.tiles["b"]
        shown.look()
        slow.take(channel.after(seen))
        assert channel.after(seen) == channel.everything()
    assert slow.tiles == {"a": str(KEPT + 3)}


def test_a_page_that_is_a_little_behind_gets_what_it_missed_and_no_more() -> None:
    shown = Shown()
    with shown.channels.following(ALL) as channel:
        seen = channel.number
        shown.play(a=2)
        shown.play(b=2)
        assert channel.after(channel.number) == ""
        assert channel.after(seen).count(f"event: {TILES}") == 2
        assert "event: jackpots" not in channel.after(seen)


def test_a_change_that_is_held_back_comes_without_another_one() -> None:
    shown, page = Shown(), Page()
    with shown.channels.following(ALL) as channel:
        shown.play(a=2)
        assert not shown.play(after=TILE_GAP / 5, a=3)
        page.take(channel.everything())
        assert page.tiles["a"] == "2"
        shown.now += TILE_GAP
        assert shown.look()
        page.take(channel.everything())
    assert page.tiles["a"] == "3"


def test_a_page_that_comes_back_forgets_an_alert_that_is_over() -> None:
    shown, page = Shown(), Page()
    shown.house = HouseState(alerts=(FULL,))
    shown.look()
    with shown.channels.following(ALL) as channel:
        page.take(channel.everything())
    assert "82 % full" in page.panels["house"]
    shown.house = HouseState()
    shown.look()
    with shown.channels.following(ALL) as channel:
        page.take(channel.everything())
    assert page.panels["house"] == ""


def test_a_page_says_that_its_instance_follows_until_it_acts() -> None:
    shown, page = Shown(), Page()
    with shown.channels.following(ALL) as channel:
        page.take(channel.everything())
        assert page.panels["instance"] == ""
        shown.house = HouseState(standing=Standing(acts=False, host="pit-a"))
        assert shown.look()
        page.take(channel.after(1))
        assert "The one on pit-a acts" in page.panels["instance"]
        shown.house = HouseState()
        assert shown.look()
        page.take(channel.after(2))
    assert page.panels["instance"] == ""


def test_a_channel_that_nobody_follows_costs_nothing() -> None:
    shown = Shown()
    with shown.channels.following(ALL):
        pass
    shown.rendered.clear()
    assert not shown.play(a=5)
    assert shown.rendered == []
