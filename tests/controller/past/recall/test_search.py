"""Searches for rounds, compared with a reading of the whole journal row by row."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.journal import history
from controller.journal.closed_files import list_closed_files
from controller.journal.errors import JournalError
from controller.journal.history import AFTER_LAST_ROW, History, HistoryFile, TimeSpan
from controller.journal.journal import Journal
from controller.past.recall.query import OUTCOMES, RoundQuery, cards_of
from controller.past.recall.search import RoundsPage, search
from tests.controller.journal.test_older_versions import LEFT, OLD
from tests.fixtures.journal_files import closed_files, overwrite
from tests.fixtures.journal_table import played_rows
from tests.fixtures.journal_table import write_journal as kept_jackpots
from tests.fixtures.random_nights import DAY, kept, night, wrong

FILES = (12, 9, 7)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recall") / "table.db"
    kept(path, files=FILES)
    return path


@dataclass
class Read:
    """A round as it now stands, who dealt it, and who decided about it or corrected it."""

    row: int
    at: float
    body: dict[str, Any]
    dealer: str = ""
    persons: list[str] = field(default_factory=list)


@cache
def all_rounds(path: Path) -> tuple[Read, ...]:
    """Newest first, read row by row."""
    found: dict[int, Read] = {}
    words: list[tuple[int, str]] = []
    last: Read | None = None
    voices: list[str] = []
    for entry in History(path).rows():
        kind, body = entry.content.kind, json.loads(entry.content.body)
        if kind == "round":
            last = found[body["round"]["number"]] = Read(
                entry.row, entry.content.at, body["round"], persons=voices
            )
            voices = []
        elif kind == "supervisor" and body["choice"] != "correct":
            voices += [body["who"], body["second"]]
        elif kind == "snapshot" and last:
            last.dealer, last = body["croupier"], None
        elif kind == "corrected":
            words += ((body["number"], name) for name in (body["who"], body["second"]))
            if body["ended"]:
                found[body["number"]].body = body["ended"]["round"]
    for number, name in words:
        found[number].persons.append(name)
    return tuple(sorted(found.values(), key=lambda read: -read.row))


def is_wanted(wanted: RoundQuery, read: Read) -> bool:
    body = read.body
    return all(
        (
            wanted.number in (0, body["number"]),
            wanted.span.since <= read.at < wanted.span.until,
            any(_is_line(wanted, line) for line in body["lines"])
            or (not wanted.seat and not wanted.wager and wanted.over is None),
            _has_outcome(wanted.outcome, body),
            not Counter(wanted.cards) - Counter(_cards(body)),
            wanted.dealer.lower() in read.dealer.lower(),
            not wanted.person
            or any(normalize("NFKC", wanted.person).lower() in name.lower() for name in read.persons),
        )
    )


def _is_line(wanted: RoundQuery, line: dict[str, Any]) -> bool:
    seat, wager = line["seat"] == wanted.seat or not wanted.seat, line["wager"] == wanted.wager
    paid = wanted.over is None or (line["paid"] or 0) > wanted.over
    return seat and (wager or not wanted.wager) and paid


def _has_outcome(outcome: str, body: dict[str, Any]) -> bool:
    has: dict[str, bool] = {
        "": True,
        "settled": body["outcome"] == "settled",
        "void": body["outcome"] == "void",
        "corrected": body["corrections"] != [],
        "bust": body["dealer"]["label"] == "bust",
        "jackpot": any((line["pays"] or "").endswith("%") for line in body["lines"]),
    }
    return has[outcome]


def _cards(body: dict[str, Any]) -> Iterator[str]:
    for hand in (body["dealer"], *(hand for seat in body["seats"] for hand in seat["hands"])):
        for card in hand["cards"]:
            yield from (card, card[0])


WANTED = st.builds(
    RoundQuery,
    number=st.sampled_from([0, 0, 0, 5, 12, 13, 28, 29]),
    span=st.tuples(st.integers(0, 12_000), st.integers(0, 12_000)).map(
        lambda ends: TimeSpan(1_700_000_000.0 + min(ends), 1_700_000_000.0 + max(ends))
    )
    | st.just(TimeSpan()),
    seat=st.sampled_from([0, 0, 0, 1, 4, 7]),
    wager=st.sampled_from(["", "", "main", "buster", "blazing-7s", "ez-bust"]),
    over=st.sampled_from([None, None, 1, 500, 1000]),
    outcome=st.sampled_from(["", "", *OUTCOMES]),
    cards=st.lists(st.sampled_from(["As", "7d", "9s", "K", "T", "7"]), max_size=3).map(tuple),
    dealer=st.sampled_from(["", "", "", "dana", "OKAFOR", "nobody"]),
    person=st.sampled_from(["", "", "", "smith", "zoë", "ZOE\u0308", "okafor"]),
)


@settings(max_examples=150)
@given(WANTED, st.sampled_from([3, 20, 100]))
def test_a_search_finds_what_a_reading_of_all_rows_finds(path: Path, wanted: RoundQuery, most: int) -> None:
    expected = [read.row for read in all_rounds(path) if is_wanted(wanted, read)]
    found = [line for page in pages(path, wanted, most) for line in page]
    assert [line.row for line in found] == expected
    says = {read.row: read.body for read in all_rounds(path)}
    for line in found:
        body = says[line.row]
        assert (line.number, line.outcome, list(line.dealer.cards)) == (
            body["number"],
            body["outcome"],
            body["dealer"]["cards"],
        )
        assert {net.seat: net.net for net in line.nets} == {
            seat["seat"]: seat["net"] for seat in body["seats"] if seat["hands"]
        }


def pages(path: Path, wanted: RoundQuery, most: int, furthest: int = 1 << 40) -> Iterator[list[Any]]:
    before = wanted.before
    while before:
        found = search(path, replace(wanted, before=before), most, furthest)
        yield list(found.rounds)
        before = found.before


def test_the_night_has_all_that_is_looked_for(path: Path) -> None:
    rounds = all_rounds(path)
    assert len(list_closed_files(path)) == len(FILES) - 1
    assert {read.body["outcome"] for read in rounds} == {"settled", "void"}
    assert any(read.body["corrections"] for read in rounds)
    assert len({read.dealer for read in rounds}) > 2


def test_ranges_may_end_anywhere(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = search(path, RoundQuery(), 100)
    for length in (1, 7, 50):
        monkeypatch.setattr(history, "SEARCH_ROWS", length)
        assert search(path, RoundQuery(), 100) == whole


def test_a_search_stops_at_its_limit_and_goes_on_from_there(path: Path) -> None:
    found = search(path, RoundQuery(cards=("As",) * 9), furthest=400)
    assert (found.rounds, found.before > 1) == ((), True)
    lines = [line.row for page in pages(path, RoundQuery(), 100, furthest=300) for line in page]
    assert lines == [read.row for read in all_rounds(path)]


def test_pages_neither_lose_nor_double_while_rounds_are_appended(tmp_path: Path) -> None:
    path, rows = tmp_path / "table.db", night("ez-bust", 3, (30,))[0]
    ends = [at + 2 for at, row in enumerate(rows) if row.kind == "round"]
    seen: list[int] = []
    with Journal(path, most=150) as journal:
        journal.append(rows[: ends[9]])
        before, appended = AFTER_LAST_ROW, 9
        while before:
            found = search(path, RoundQuery(before=before), 2)
            seen += [line.number for line in found.rounds]
            before, appended = found.before, appended + 2
            journal.append(rows[ends[appended - 2] : ends[appended]])
            journal.roll([rows[ends[appended] - 1]])
        assert len(list_closed_files(path)) > 3
    assert seen == list(range(10, 0, -1))
    assert search(path, RoundQuery(), 1).rounds[0].number == appended + 1


@pytest.mark.parametrize("left", LEFT, ids=lambda left: left.name)
def test_rounds_of_older_versions_are_found(left: Any) -> None:
    found = search(OLD / f"{left.name}.db", RoundQuery(), 100).rounds
    assert [(line.number, " ".join(line.dealer.cards)) for line in found] == [
        known[:2] for known in left.rounds
    ]
    for line in found:
        assert search(OLD / f"{left.name}.db", RoundQuery(number=line.number)).rounds == (line,)


def test_rounds_with_a_jackpot_share_are_found(tmp_path: Path) -> None:
    kept_jackpots(tmp_path / "t.db", played_rows())
    found = search(tmp_path / "t.db", RoundQuery(outcome="jackpot")).rounds
    assert [line.number for line in found] == [4, 2]
    assert all(line.jackpot and line.jackpot > 0 for line in found)


def test_closed_files_beside_the_time_are_not_looked_at(path: Path, tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=FILES)
    first = closed_files(tmp_path / "t.db")[0]
    since = next(read.at for read in all_rounds(path) if read.row <= list_closed_files(path)[1].last)
    overwrite(first, b'"round"', b'"rounb"')
    later = RoundQuery(span=TimeSpan(since - 1))
    assert search(tmp_path / "t.db", later, 100) == search(path, later, 100)


def test_a_correction_in_a_skipped_file_is_found(path: Path) -> None:
    known = search(path, RoundQuery(), 100).rounds
    ends = [next(line.at for line in known if line.row <= file.last) for file in list_closed_files(path)]
    for until in (end + 1 for end in ends):
        found = search(path, RoundQuery(span=TimeSpan(0, until)), 100).rounds
        assert found == tuple(line for line in known if line.at < until)


def test_times_of_a_clock_that_was_wrong_are_found_and_said(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    rounds, (back, ahead) = wrong(path)
    stamped = TimeSpan(rounds[0].content.at, rounds[-1].content.at + 1)
    found = search(path, RoundQuery(span=stamped))
    assert [line.row for line in found.rounds] == [each.row for each in reversed(rounds)]
    happened = TimeSpan(stamped.since + 3 * DAY, stamped.until + 3 * DAY)
    found = search(path, RoundQuery(span=happened))
    assert found.rounds == ()
    assert [(each.row, each.after - each.before) for each in found.clock] == [(ahead.row, 3 * DAY)]
    assert search(path, RoundQuery()).clock == ()
    gone = TimeSpan(back.content.at - DAY, back.content.at)
    assert search(path, RoundQuery(span=gone)).clock == ()


def test_files_that_are_passed_over_are_not_looked_at_for_ever(tmp_path: Path) -> None:
    path, long_ago = tmp_path / "t.db", RoundQuery(span=TimeSpan(1, 2))
    kept(path, files=FILES)
    assert search(path, long_ago, furthest=1).before == list_closed_files(path)[-1].last + 1
    assert search(path, long_ago, furthest=1 << 20) == RoundsPage((), 0)


def test_a_file_that_was_closed_meanwhile_is_not_taken_for_an_empty_one(path: Path) -> None:
    live = HistoryFile(path, path, 1, 1 << 50, closed=False)
    with (
        pytest.raises(JournalError, match="was closed while it was read: ask again"),
        History(path).open(live),
    ):
        pass


def test_rows_of_a_file_that_was_closed_meanwhile_are_found_in_the_archive(path: Path) -> None:
    first = list_closed_files(path)[0]
    with History(path).open(HistoryFile(path, path, first.first, first.last, closed=False)) as reader:
        assert reader.at(first.last).row == first.last


def test_a_row_that_was_changed_is_damage(tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=FILES)
    overwrite(tmp_path / "t.db", b'{"round":{"number":28', b'{"round":{"number":82')
    with pytest.raises(JournalError, match=r"is damaged: row \d+ does not follow from the one before"):
        search(tmp_path / "t.db", RoundQuery())


@pytest.mark.parametrize("file", [0, 1, -1])
def test_a_search_finds_damage_in_a_round_that_does_not_match_any_more(tmp_path: Path, file: int) -> None:
    path = tmp_path / "t.db"
    kept(path, files=FILES)
    damaged = [*closed_files(path), path][file]
    overwrite(damaged, b'"outcome":"settled"', b'"outcome":"sextled"')
    with pytest.raises(JournalError, match=f"journal {damaged} is damaged: "):
        search(path, RoundQuery(outcome="void"), 100)


def test_a_file_that_cannot_be_found_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    kept(path, files=FILES)
    file = closed_files(path)[0]
    file.rename(tmp_path / "elsewhere.db")
    file.symlink_to(tmp_path / "nowhere.db")
    with pytest.raises(JournalError, match=f"journal {file} cannot be read: No such file or directory"):
        search(path, RoundQuery(), 100)


def test_a_closed_file_that_lacks_its_last_row_is_damaged(path: Path) -> None:
    first = list_closed_files(path)[0]
    longer = HistoryFile(path, first.path, first.first, first.last + 1, closed=True)
    missing = f"journal {first.path} is damaged: row {first.last + 1} is missing"
    with pytest.raises(JournalError, match=missing), History(path).open(longer):
        pass


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0" + bytes(4096), b"hello" * 2000])
def test_a_file_that_is_not_a_journal_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t.db").write_bytes(content)
    with pytest.raises(JournalError, match=r"t\.db"):
        search(tmp_path / "t.db", RoundQuery())


def test_a_search_without_a_journal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"t\.db is not there"):
        search(tmp_path / "t.db", RoundQuery())


@pytest.mark.parametrize(
    ("typed", "cards"),
    [("7S 10h q", ("7s", "Th", "Q")), ("as,ts", ("As", "Ts")), ("", ()), ("10", ("T",))],
)
def test_cards_are_read_as_people_type_them(typed: str, cards: tuple[str, ...]) -> None:
    assert cards_of(typed) == cards


@pytest.mark.parametrize("typed", ["1s", "Kings", "Sx", "??"])
def test_what_is_no_card_is_named(typed: str) -> None:
    with pytest.raises(ValueError, match="is not a card; allowed: rank and suit as Ts"):
        RoundQuery(cards=cards_of(typed))


def test_an_unknown_outcome_is_refused() -> None:
    with pytest.raises(ValueError, match="outcome = 'lost': not allowed; allowed: settled, void, "):
        RoundQuery(outcome="lost")
