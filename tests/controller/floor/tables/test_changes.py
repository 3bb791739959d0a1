"""What differs between two arrangements of tiles."""

from hypothesis import given
from hypothesis import strategies as st

from controller.floor.tables.changes import TILE_GAP, TileChanges, TileFeed, applied
from controller.floor.tables.tile import Tile
from tests.controller.floor.tables.statuses import tile

TABLES = ("bj-1", "bj-2", "bj-3", "bj-4")
Looks = list[tuple[float, list[Tile]]]


@st.composite
def looks(draw: st.DrawFn) -> Looks:
    """Arrangements of tiles, and the seconds until each."""
    made: Looks = []
    for _ in range(draw(st.integers(1, 12))):
        tables = draw(st.lists(st.sampled_from(TABLES), unique=True))
        tiles = [tile(name, round=draw(st.integers(0, 2))) for name in tables]
        made.append((draw(st.sampled_from([0.0, 0.1, 0.3, TILE_GAP, 2.0])), tiles))
    return made


@given(looks())
def test_a_page_that_applies_all_changes_ends_with_the_last_arrangement(seen: Looks) -> None:
    feed, page, now = TileFeed(), dict[str, Tile](), 0.0
    for pause, wanted in seen:
        now += pause
        page = applied(page, feed.take(wanted, now))
        assert list(page.items()) == list(feed.shown.items())
    while (due := feed.due) is not None:
        now = max(now, due)
        page = applied(page, feed.take(wanted, now))
    assert list(page.values()) == wanted
    assert list(page) == [one.table for one in wanted]
    assert not feed.take(wanted, now)


@given(looks())
def test_no_tile_changes_more_often_than_twice_a_second(seen: Looks) -> None:
    feed, now, sent = TileFeed(), 0.0, dict[str, float]()
    for pause, wanted in seen:
        now += pause
        for changed in feed.take(wanted, now).tiles:
            assert now >= sent.get(changed.table, -1.0) + TILE_GAP
            sent[changed.table] = now


@given(looks())
def test_only_what_differs_is_sent(seen: Looks) -> None:
    feed, now = TileFeed(), 0.0
    for pause, wanted in seen:
        now, before = now + pause, dict(feed.shown)
        changes = feed.take(wanted, now)
        assert all(before.get(one.table) is not one for one in changes.tiles)
        assert set(changes.gone) == before.keys() - {one.table for one in wanted}


def test_a_change_that_is_held_back_comes_when_it_is_due() -> None:
    feed, first, second, third = TileFeed(), *(tile("bj-1", round=number) for number in (1, 2, 3))
    assert feed.take([first], 10.0) == TileChanges((first,))
    assert not feed.take([second], 10.2)
    assert feed.due == 10.5
    assert not feed.take([third], 10.4)
    assert feed.take([third], 10.5) == TileChanges((third,))
    assert feed.due is None


def test_an_order_is_sent_only_if_it_changes() -> None:
    feed, one, two = TileFeed(), tile("bj-1"), tile("bj-2")
    assert feed.take([one, two], 0.0) == TileChanges((one, two))
    assert feed.take([two, one], 0.1) == TileChanges(order=("bj-2", "bj-1"))
    assert feed.take([one], 0.2) == TileChanges(gone=("bj-2",))
