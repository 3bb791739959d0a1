"""The pages about past rounds, as a browser gets them."""

import re
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.access.people import Person
from controller.calendar import Calendar
from controller.languages import LANGUAGES, speaking
from controller.monitor.live.formatting import card_runs
from controller.monitor.past import answers, queries, routes
from controller.monitor.past.answers import answer
from controller.monitor.past.drawing import game_title, spoken_key
from controller.monitor.past.messages import WorkerQuestion
from controller.past.recall.search import ROWS_AROUND, SearchMemory
from controller.past.recall.story import steps_of_round
from tests.controller.monitor.recall.pages import get
from tests.fixtures.played_journal import journal, played_table
from tests.fixtures.played_views import PAID
from tests.fixtures.random_nights import DAY, kept, wrong
from tests.fixtures.table_views import BETTING
from tests.fixtures.web_server import ANN

FELT = re.compile(r'<template data-scene="(\d+)">(.*?)</template>', re.DOTALL)
ROUND = re.compile(r'href="/rounds/(\d+)"')
LISTED = re.compile(r'href="/rounds/\d+"|<td class="number row">\d+')
LAST = 28
SAID = (
    "jackpot 1,000.04",
    "three suited 7s: 10% of the jackpot",
    "/claims/1/slip",
    "showed 10,000.45",
    "third party",
    "no 7 in the first two cards",
    'class="lamp jackpot"',
    "Evidence",
)
"""The texts of the round with a jackpot."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "table.db"
    kept(path)
    return path


@pytest.fixture
def paris(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Europe/Paris")
        time.tzset()
        yield
    time.tzset()


async def test_the_last_rounds_are_two_touches_away(path: Path) -> None:
    page = (await get(path, "/rounds")).text
    assert '<a href="/rounds" aria-current="page">Rounds</a>' in page
    assert [int(number) for number in ROUND.findall(page)] == list(range(LAST, 0, -1))
    assert f"<h1>Round {LAST}</h1>" in (await get(path, f"/rounds/{LAST}")).text


GOES_ON = re.compile(r'hx-get="([^"]*)" hx-trigger="load" hx-select=".found"')


@pytest.mark.parametrize(
    ("where", "asked", "module"),
    [
        ("/rounds", {"seat": "3"}, "search"),
        ("/audit", {"text": "voided"}, "audit"),
        ("/rounds", {"seat": "9"}, "search"),
    ],
)
async def test_a_search_through_many_rows_goes_on_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, asked: dict[str, str], module: str
) -> None:
    """A question reads only so many rows, which is one file here; the page asks the next one."""
    kept(tmp_path / "t.db", files=(6, 5, 4))
    whole = (await get(tmp_path / "t.db", where, query=asked)).text
    monkeypatch.setattr(answers, "MEMORY", SearchMemory())
    owner = getattr(answers, module)
    monkeypatch.setattr(owner, module, partial(getattr(owner, module), furthest=1))
    parts = [(await get(tmp_path / "t.db", where, query=asked)).text]
    while following := GOES_ON.search(parts[-1]):
        assert "The search goes on in older rows." in parts[-1]
        assert 'rel="next"' in parts[-1]
        parts.append((await get(tmp_path / "t.db", following[1].replace("&amp;", "&"))).text)
    assert len(parts) == 3
    assert not GOES_ON.search(whole)
    assert LISTED.findall("".join(parts)) == LISTED.findall(whole)
    assert "matches." in parts[-1] or LISTED.search(parts[-1])


async def test_a_page_that_is_full_waits_for_the_reader(tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=(6, 5))
    page = (await get(tmp_path / "t.db", "/rounds", query={"limit": "4"})).text
    assert (len(ROUND.findall(page)), "Older rounds" in page) == (4, True)
    assert not GOES_ON.search(page)


CHIP = re.compile(r'href="/rounds\?([^"]*)"(?: aria-label="([^"]*)")?( aria-current="true")?>([^<]*)</a>')


async def filters(path: Path, **asked: str) -> dict[str, tuple[str, bool]]:
    """By name: where each quick filter leads, and whether it is on."""
    page = (await get(path, "/rounds", query=asked)).text
    (bar,) = re.findall(r'<nav class="filters".*?</nav>', page, re.DOTALL)
    return {name or text: (where, bool(on)) for where, name, on, text in CHIP.findall(bar)}


async def test_quick_filters_combine_and_are_taken_back_by_a_second_touch(path: Path) -> None:
    first = await filters(path)
    assert first["Seat 3"] == ("seat=3", False)
    assert first["Seat 3 won"] == ("seat=3&amp;above=0", False)
    for kind in (r"Seat \d", r"Seat \d won"):
        assert len([name for name in first if re.fullmatch(kind, name)]) == len(BETTING.seats)
    assert {"Last 15 minutes", "This shift", "Won", "Void", "Jackpot"} < set(first)
    second = await filters(path, seat="3")
    assert second["Won"] == ("seat=3&amp;above=0", False)
    assert second["Seat 3"] == ("", True)
    third = await filters(path, seat="3", above="0", last="15")
    assert third["Won"] == ("seat=3&amp;last=15", True)
    assert third["Seat 3 won"] == ("last=15", True)
    assert third["Seat 4"] == ("seat=4&amp;above=0&amp;last=15", False)
    assert third["Seat 4 won"] == ("seat=4&amp;above=0&amp;last=15", False)


async def found_by(path: Path, name: str) -> list[str]:
    """The rounds that a quick filter shows."""
    where, _ = (await filters(path))[name]
    return ROUND.findall((await get(path, f"/rounds?{where.replace('&amp;', '&')}")).text)


async def told(path: Path, number: str) -> dict[str, Any]:
    """What the API says of a round."""
    story: dict[str, Any] = (await get(path, f"/api/v1/rounds/{number}")).json()
    return story


def at_hand(monkeypatch: pytest.MonkeyPatch, now: float) -> None:
    """Pages and searches take this for the present time."""
    monkeypatch.setattr(queries.time_span, "__defaults__", (lambda: now,))
    monkeypatch.setattr(routes, "time", SimpleNamespace(time=lambda: now))


async def test_seats_that_won_are_one_touch(path: Path) -> None:
    everything = ROUND.findall((await get(path, "/rounds")).text)
    won = await found_by(path, "Seat 1 won")
    paid = [
        number
        for number in everything
        if any(
            line["seat"] == 1 and (line["paid"] or 0) > 0
            for line in (await told(path, number))["shown"]["lines"]
        )
    ]
    assert won == paid
    assert 0 < len(won) < len(everything)


@pytest.mark.parametrize(
    ("name", "mark"), [("Void", 'class="tag warn">void'), ("Jackpot", 'class="tag won">jackpot')]
)
async def test_void_rounds_and_jackpots_are_one_touch(tmp_path: Path, name: str, mark: str) -> None:
    with played_table(tmp_path, "blackjack-x") as at:
        at.play("1:main=500 close 5h Tc 6s 9d 1:stand pay 1:main=")
        at.play(PAID)
        at.play(
            "1:main= 3:main= 4:main= 2:main= 1:blazing-7s= 3:blazing-7s= 4:blazing-7s= 4:buster= 1:buster="
        )
        at.play("1:main=500 close")
        at.supervise("void")
    kept_here = journal(tmp_path)
    assert len(ROUND.findall((await get(kept_here, "/rounds")).text)) == 3
    (only,) = await found_by(kept_here, name)
    assert only == {"Void": "3", "Jackpot": "2"}[name]
    assert mark in (await get(kept_here, f"/rounds/{only}")).text


async def test_the_last_minutes_and_the_shift_are_one_touch(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = ROUND.findall((await get(path, "/rounds")).text)
    ended = {number: (await told(path, number))["line"]["at"] for number in everything}
    last = max(ended.values())
    at_hand(monkeypatch, last + 60)
    late = await found_by(path, "Last 15 minutes")
    assert late == [number for number in everything if ended[number] >= last - 840]
    assert 0 < len(late) < len(everything)
    began = routes.shift_began(Calendar(), last + 60)
    assert await found_by(path, "This shift") == [one for one in everything if ended[one] >= began] != []
    at_hand(monkeypatch, last + DAY)
    assert await found_by(path, "Last 15 minutes") == await found_by(path, "This shift") == []


async def test_what_was_asked_for_stays_in_the_form_and_in_what_follows(tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=(30, 30), game="easy-jack")
    page = (await get(tmp_path / "t.db", "/rounds", query={"wager": "main", "cards": '7"><b>'})).text
    assert "cards = &#39;7&#34;&gt;&lt;B&gt;&#39; is not a card" in page
    assert 'name="wager" type="text" value="main"' in page
    assert "No such round" not in page
    for each, typed in (("/audit", {"sort": "crime"}), ("/audit/events", {"day": "soon"})):
        answer = await get(tmp_path / "t.db", each, query=typed)
        assert (answer.status_code, 'role="search"' in answer.text) == (422, True)
    page = (await get(tmp_path / "t.db", "/rounds", query={"wager": "main"})).text
    assert 'name="wager" type="text" value="main"' in page
    older = re.search(r'href="(/rounds\?wager=main&amp;before=\d+)"', page)
    assert older
    rest = (await get(tmp_path / "t.db", older[1].replace("&amp;", "&"))).text
    assert {*ROUND.findall(page)}.isdisjoint(ROUND.findall(rest))


@pytest.mark.usefixtures("paris")
async def test_times_are_the_tables_with_utc_beside_them(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play("1:main=500 close 5h Tc 6s pay")
    page = (await get(journal(tmp_path), "/rounds")).text
    assert "Thu 1 Jan 1970" in page
    assert "<b>01:16:40</b> <small>00:16:40 UTC</small>" in page


async def test_the_page_of_a_round_shows_everything_about_it(tmp_path: Path) -> None:
    with played_table(tmp_path, "blackjack-x") as at:
        at.play(PAID)
    page = (await get(journal(tmp_path), "/rounds/1")).text
    assert all(said in page for said in SAID), [said for said in SAID if said not in page]


async def test_the_page_of_a_round_says_that_the_face_down_card_was_the_same(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play("1:main=500 close 5h Tc 6s 1:stand pay")
    shown = (await get(journal(tmp_path), "/rounds/1")).text
    assert re.search(
        r"The face-down card was sealed at \d\d:\d\d:\d\d, opened at \d\d:\d\d:\d\d: the same card", shown
    )


async def test_audit_and_refusals_are_in_the_language_of_the_reader(path: Path) -> None:
    with speaking(LANGUAGES["es"]):
        log = answer(WorkerQuestion("audit page", str(path), {}, "T", ANN)).body.decode()
        lost = answer(WorkerQuestion("round page", str(path), {"number": "999"}, "T", ANN)).body.decode()
    assert '<option value="decision">decisión</option>' in log
    assert 'class="tag decision">decisión<' in log
    assert "<h1>No se encontró</h1>" in lost


async def test_the_game_of_a_round_has_its_title(path: Path) -> None:
    assert "<dd>Buster Blackjack X</dd>" in (await get(path, "/rounds/5")).text
    assert game_title("of-a-plug-in") == "of-a-plug-in"


async def test_a_corrected_round_shows_both(path: Path) -> None:
    corrected = (await get(path, "/rounds", query={"outcome": "corrected"})).text
    for number in ROUND.findall(corrected):
        page = (await get(path, f"/rounds/{number}")).text
        assert "<h2>Before</h2>" in page
        assert "<h2>After</h2>" in page
        assert "seen on film" in page


async def test_a_void_round_says_whose_word_it_was(path: Path) -> None:
    void = (await get(path, "/rounds", query={"outcome": "void", "person": "lindqvist"})).text
    for number in ROUND.findall(void):
        page = (await get(path, f"/rounds/{number}")).text
        assert "<b>A. Smith, Zoë Lindqvist</b> voided the round: cards were dropped" in page


async def test_each_step_has_its_felt(path: Path) -> None:
    page = (await get(path, "/rounds/5/replay")).text
    scene_list = steps_of_round(path, 5).scenes
    felts = FELT.findall(page)
    assert [int(number) for number, _ in felts] == list(range(len(scene_list)))
    for scene, (_, felt) in zip(scene_list, felts, strict=True):
        assert felt.count('aria-label="face-down card"') == scene.felt.dealer.cards.count("??")
        assert felt.count('role="img"') == len(scene.felt.dealer.cards) + sum(
            len(hand.cards) for seat in scene.felt.seats for hand in seat.hands
        )


STEP_LIST = re.compile(r'<ol class="steps panel".*?</ol>', re.DOTALL)
TAG = re.compile(r"<[^>]*>")
CARD = re.compile(r"(?<![\w-])[2-9TJQKA][shdc]\b|\?\?")


async def test_steps_draw_their_cards_and_write_amounts_in_the_currency(tmp_path: Path) -> None:
    with played_table(tmp_path, "blackjack-x") as at:
        at.play(PAID)
    page = (await get(journal(tmp_path), "/rounds/1/replay")).text
    (steps,) = STEP_LIST.findall(page)
    words = TAG.sub("|", steps).replace("suited 7s", "")
    assert not CARD.search(words), CARD.findall(words)
    assert not re.search(r"\d\.00", words)
    assert "seat 1, main: 10|" in words
    assert "blazing-7s: 10,000 to 10,000.45" in words
    hand = r'seat 1: <span class="small-cards">(<span class="small[^>]* aria-label="seven of spades">.*?){2}'
    assert re.search(rf"{hand}</span> = 14", steps, re.DOTALL)
    assert steps.count('class="small') - steps.count('class="small-cards') == steps.count('role="img"')


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("dealer: 7s Th ?? = 21", ["dealer: ", ["7s", "Th", "??"], " = 21"]),
        ("7s", [["7s"]]),
        ("seat 2, hand 1: As = 11", ["seat 2, hand 1: ", ["As"], " = 11"]),
        ("As to 7s", [["As"], " to ", ["7s"]]),
        ("As the shoe was locked", ["As the shoe was locked"]),
        ("blazing-7s: 5", ["blazing-7s: 5"]),
        ("seat 1, three suited 7s: 10%", ["seat 1, three suited 7s: 10%"]),
        ("the dealer turns 7s", ["the dealer turns ", ["7s"]]),
    ],
)
def test_cards_in_a_sentence_are_found(sentence: str, parts: list[str | list[str]]) -> None:
    assert card_runs(sentence) == parts


@pytest.mark.parametrize(
    ("came", "says"),
    [
        ("2:double=1500", "seat 2: double, 15"),
        ("7:ez-bust=1250", "seat 7: ez-bust, 12.50"),
        ("3:main taken away", "seat 3: main taken away"),
        ("1:stand", "seat 1: stand"),
        ("close", "close"),
        ("7s", "7s"),
    ],
)
def test_keys_and_wagers_are_said_as_people_say_them(came: str, says: str) -> None:
    assert spoken_key(came) == says


async def test_pages_are_drawn_for_who_asks(path: Path) -> None:
    page = (await get(path, "/audit", Person("Zoë <b>", "auditor"))).text
    assert 'Zoë &lt;b&gt;<span class="role"> · auditor' in page


async def test_nothing_in_a_page_runs_or_looks_by_itself(path: Path) -> None:
    for each in ("/rounds", "/rounds/5", "/rounds/5/replay", "/audit", "/audit/events"):
        page = (await get(path, each)).text
        assert " style=" not in page
        assert not re.search(r"<script(?! src=)|\son\w+=", page)


async def test_significant_events_are_filtered_by_code(path: Path) -> None:
    page = (await get(path, "/audit/events", query={"code": "SUPERVISOR"})).text
    assert "A. Smith and Zoë Lindqvist: voided the round" in page
    assert (await get(path, "/audit/events", query={"code": "WINDOW"})).status_code == 422


async def test_a_clock_that_was_set_is_said(tmp_path: Path) -> None:
    _, (_, ahead) = wrong(tmp_path / "t.db")
    asked = {"since": str(ahead.content.at - 10), "until": str(ahead.content.at)}
    page = (await get(tmp_path / "t.db", "/rounds", query=asked)).text
    assert "The clock of the table was set from" in page
    assert f'href="/rounds?before={ahead.row + ROWS_AROUND}"' in page
