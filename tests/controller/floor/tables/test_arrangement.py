"""Which tiles a person sees, and in which order."""

from itertools import pairwise, permutations
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from controller.floor.tables.arrangement import Order, TileFilter, arranged
from controller.floor.tables.tile import Tile
from tests.controller.floor.tables.statuses import tile

SEVERITIES = st.sampled_from(["critical", "warning", "notice"])
NEEDS = st.one_of(st.none(), st.tuples(SEVERITIES, st.floats(0, 1e9)))
PLACES = st.integers(0, 5)


@st.composite
def floors(draw: st.DrawFn) -> list[Tile]:
    rows = draw(st.lists(st.tuples(NEEDS, PLACES, st.sampled_from("ABC")), max_size=12))
    return [
        tile(f"bj-{number}", place, pit=pit, severity=need and need[0], since=need and need[1])
        for number, (need, place, pit) in enumerate(rows)
    ]


@given(floors(), st.data())
def test_an_order_depends_on_nothing_but_the_tiles(tiles: list[Tile], data: st.DataObject) -> None:
    mixed = data.draw(st.permutations(tiles))
    orders: tuple[Order, ...] = ("layout", "need")
    for order in orders:
        assert arranged(mixed, order) == arranged(tiles, order)
        assert sorted(one.table for one in arranged(tiles, order)) == sorted(one.table for one in tiles)


@given(floors())
def test_the_order_by_need_begins_with_the_most_severe_and_the_oldest(tiles: list[Tile]) -> None:
    for one, other in pairwise(arranged(tiles, "need")):
        assert (one.rank, waiting(one)) <= (other.rank, waiting(other))


def waiting(one: Tile) -> float:
    return inf if one.since is None else one.since


@given(floors())
def test_the_layout_has_the_tables_as_they_stand_on_the_floor(tiles: list[Tile]) -> None:
    places = [one.place for one in arranged(tiles, "layout")]
    assert places == sorted(places)


def test_a_filter_keeps_what_has_everything_that_is_given() -> None:
    tiles = [
        tile("1", game="x", severity="notice", since=1.0),
        tile("2", game="x", pit="B"),
        tile("3", game="y", condition="down"),
    ]
    for kept, chosen in (
        ("123", TileFilter()),
        ("13", TileFilter(pit="A")),
        ("12", TileFilter(game="x")),
        ("3", TileFilter(condition="down")),
        ("1", TileFilter(needs_attention=True)),
        ("2", TileFilter(pit="B", game="x")),
        ("", TileFilter(pit="B", game="y")),
    ):
        for some in permutations(tiles):
            assert [one.table for one in arranged(some, "layout", chosen)] == list(kept)
