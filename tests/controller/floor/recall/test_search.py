"""Searches over all tables, compared with the searches in each table's own journal."""

from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import pytest

from controller.floor.day_file import JournalName
from controller.floor.recall.query import FloorQuery, SearchPlace
from controller.floor.recall.search import FoundRounds, search
from controller.floor.store import FloorArchive
from controller.journal.chain import JournalRow
from controller.journal.history import TimeSpan
from controller.past.recall import search as at_table
from controller.past.recall.query import OUTCOMES, RoundQuery, cards_of
from tests.fixtures.random_nights import GAME, kept
from tests.fixtures.stored_floor import DAY, StoredFloor

NAMES = {seed: JournalName(f"bj-{seed}", f"{seed:016x}") for seed in (2, 3)}


@dataclass
class House:
    """Two tables with their own journals, and the floor that has both, each in two files."""

    archive: FloorArchive
    journals: dict[str, Path]

    def found(self, query: FloorQuery, most: int = 500) -> FoundRounds:
        return search(self.archive, query, most)

    def numbers(self, query: FloorQuery) -> dict[str, list[int]]:
        """What the floor finds, by table."""
        by_table: dict[str, list[int]] = {table: [] for table in self.journals}
        for one in self.found(query).rounds:
            by_table[one.table].append(one.round.number)
        return by_table

    def own_numbers(self, query: RoundQuery) -> dict[str, list[int]]:
        """What is found in the tables' own journals."""
        return {
            table: [one.number for one in at_table.search(path, query, most=100).rounds]
            for table, path in self.journals.items()
        }


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    folder = tmp_path_factory.mktemp("house")
    floor = StoredFloor(folder / "stores")
    journals = {name.table: folder / f"{name.table}.db" for name in NAMES.values()}
    rows = {name: kept(journals[name.table], seed, (14, 10)) for seed, name in NAMES.items()}
    for name, entries in rows.items():
        floor.take_all(half(entries)[0], name=name)
    floor.now += DAY
    for name, entries in rows.items():
        first, second = half(entries)
        assert floor.take_all(second, first[-1].hash, name) == []
    floor.close()
    return House(FloorArchive(floor.folder), journals)


def half(rows: list[JournalRow]) -> tuple[list[JournalRow], list[JournalRow]]:
    return rows[: len(rows) // 2], rows[len(rows) // 2 :]


QUERIES = (
    RoundQuery(),
    RoundQuery(number=7),
    RoundQuery(seat=3),
    RoundQuery(wager="main"),
    RoundQuery(seat=2, wager="blazing-7s"),
    RoundQuery(over=1),
    RoundQuery(over=2000),
    RoundQuery(over=500, wager="main"),
    RoundQuery(over=100, wager="buster", seat=1),
    RoundQuery(dealer="dana"),
    RoundQuery(dealer="okafor", seat=1),
    RoundQuery(span=TimeSpan(1_700_005_000.0, 1_700_012_000.0)),
    *(RoundQuery(outcome=outcome) for outcome in OUTCOMES),
    *(RoundQuery(cards=cards_of(cards)) for cards in ("7s", "K", "7 7", "A A K", "2c 3d", "Q Q Q Q")),
)


@pytest.mark.parametrize("query", QUERIES, ids=repr)
def test_the_floor_finds_what_the_tables_find(house: House, query: RoundQuery) -> None:
    assert house.numbers(FloorQuery(rounds=query)) == house.own_numbers(query)


def test_the_queries_find_some_rounds_and_not_all(house: House) -> None:
    counts = [sum(map(len, house.own_numbers(query).values())) for query in QUERIES]
    assert sum(0 < count < 48 for count in counts) > len(QUERIES) // 2


@pytest.mark.parametrize("tables", [("bj-2",), ("bj-2", "bj-9"), ("bj-2", "bj-3")])
def test_only_the_named_tables_are_searched(house: House, tables: tuple[str, ...]) -> None:
    own = house.own_numbers(RoundQuery(seat=3))
    expected = {table: numbers if table in tables else [] for table, numbers in own.items()}
    assert house.numbers(FloorQuery(tables, rounds=RoundQuery(seat=3))) == expected


def test_the_rounds_of_all_tables_come_newest_first(house: House) -> None:
    places = [one.place for one in house.found(FloorQuery()).rounds]
    assert len(places) == 48
    assert places == sorted(places, reverse=True)


def test_pages_together_have_every_round_once(house: House) -> None:
    whole, pages, query = house.found(FloorQuery()).rounds, 0, FloorQuery()
    found = list[object]()
    while True:
        page = house.found(query, 7)
        found += page.rounds
        pages += 1
        if page.before is None:
            break
        query = replace(query, before=SearchPlace.parse(str(page.before)))
    assert found == list(whole)
    assert pages == 7


def test_one_question_goes_back_for_days_and_says_where_to_go_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.floor.recall.search.FURTHEST", 2000.0)
    query, found = FloorQuery(rounds=RoundQuery(outcome="void")), list[int]()
    for _ in range(100):
        page = house.found(query)
        found += [one.round.number for one in page.rounds]
        if page.before is None:
            break
        query = replace(query, before=page.before)
    expected = chain.from_iterable(house.own_numbers(RoundQuery(outcome="void")).values())
    assert sorted(found) == sorted(expected)


def test_a_person_is_found_by_the_rounds_in_which_they_decided(house: House) -> None:
    query = RoundQuery(person="a. smith", outcome="void")
    expected = house.own_numbers(query)
    assert any(expected.values())
    assert house.numbers(FloorQuery(rounds=query)) == expected


def test_rounds_are_found_by_what_was_done_in_them(house: House) -> None:
    found = house.numbers(FloorQuery(act="void"))
    assert found == house.own_numbers(RoundQuery(outcome="void"))
    assert house.numbers(FloorQuery(act="nothing of the kind")) == {"bj-2": [], "bj-3": []}
    decided = house.numbers(FloorQuery(act="decision"))
    assert all(set(found[table]) <= set(decided[table]) for table in found)


def test_a_game_that_nobody_played_has_no_rounds(house: House) -> None:
    assert house.found(FloorQuery(game="easy-jack")) == FoundRounds((), None)
    assert len(house.found(FloorQuery(game=GAME)).rounds) == 48


def test_an_empty_store_has_no_rounds(tmp_path: Path) -> None:
    empty = StoredFloor(tmp_path / "stores")
    assert search(empty.store, FloorQuery()) == FoundRounds((), None)
    empty.close()


@pytest.mark.parametrize("text", ["", "now", "1,2", "1,bj-2,x", "1,bj-2,3,4"])
def test_a_bad_place_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="before = "):
        SearchPlace.parse(text)
