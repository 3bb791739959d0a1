"""Every state of a table as HTML."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from controller.currency.formatting import amount_text
from controller.monitor.live.pages import PAGES, TABLE
from controller.monitor.live.renderer import PageRenderer
from controller.monitor.paths import STATIC
from controller.table.record.views import HIDDEN, TableView
from tests.fixtures import table_views
from tests.fixtures.played_views import PLAYED
from tests.fixtures.table_views import BETTING, DEALING, PLAYING, SETTLED, SUSPENDED, hand

STATES = {**table_views.STATES, **PLAYED}
OWN_LINKS = ("/static/", "/house/", "/home", "/language/", "#suit-")
VOID_TAGS = {"meta", "link", "path", "br", "input"}
EVIL = "<script>alert(1)</script>\" onload='x' &"


class Balance(HTMLParser):
    """Raises when tags do not nest; keeps all tags with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID_TAGS:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag


def parsed(html: str) -> Balance:
    balance = Balance()
    balance.feed(html)
    balance.close()
    assert balance.open == []
    return balance


def page(view: TableView) -> str:
    return PageRenderer(TABLE).document(view)


def panel(name: str, view: TableView) -> str:
    return PageRenderer(TABLE).panels(view)[name]


@pytest.mark.parametrize("state", STATES)
def test_state_is_drawn_well_formed_and_inert(state: str) -> None:
    drawn = parsed(page(STATES[state]))
    for tag, attributes in drawn.tags:
        assert not [name for name in attributes if name.startswith(("on", "hx-on")) or name == "style"]
        assert tag != "style"
        assert tag != "script" or (attributes["src"] or "").startswith("/static/")
        for link in (attributes.get("href"), attributes.get("src")):
            assert link is None or link.startswith(OWN_LINKS)


@pytest.mark.parametrize("state", STATES)
def test_page_has_a_place_for_each_panel_and_its_files_exist(state: str) -> None:
    tags = parsed(page(STATES[state])).tags
    assert sorted(at["sse-swap"] or "" for _, at in tags if "sse-swap" in at) == sorted(
        each.name for each in TABLE.panels
    )
    linked = [at.get("href") or at.get("src") or "" for tag, at in tags if tag in ("link", "script")]
    assert linked
    own = [link for link in linked if link != "/house/style.css"]
    assert all((STATIC / link.removeprefix("/static/")).is_file() for link in own)


def test_a_jackpot_shows_its_amount_and_what_was_won_of_it() -> None:
    view = STATES["claims"]
    drawn = panel("progressive", view)
    (meter,), waiting = view.meters, [claim for claim in view.claims if claim.steps]
    assert f'<p class="cents">{amount_text(meter.cents)}</p>' in drawn
    assert drawn.count('<p class="won">') == len(waiting) > 0
    assert all(f"Round {claim.round}, seat {claim.seat}" in drawn for claim in waiting)
    assert panel("progressive", PLAYING) == ""


def test_books_and_persons_are_not_for_everybody() -> None:
    view = STATES["claims"]
    drawn = page(view)
    for said in ("reserve", "overflow", "contribution", "Last hits", "tax form", "/claims/", "Settlement"):
        assert said not in drawn, said
    signers = {
        name for claim in view.claims for name in (claim.dealer, claim.supervisor, claim.second) if name
    }
    assert signers
    assert not [name for name in signers if name in drawn]


def test_what_is_due_is_read_aloud_and_suspension_at_once() -> None:
    tags = parsed(page(SUSPENDED)).tags
    assert len([tag for tag, _ in tags if tag == "h1"]) == 1
    places = {at["sse-swap"]: at for _, at in tags if "sse-swap" in at}
    assert places["due"]["aria-live"] == "polite"
    assert places["suspension"]["role"] == "alert"


def test_pages_have_their_own_paths() -> None:
    paths = [path for each in PAGES for path in (each.path, each.events)]
    assert len(set(paths)) == len(paths)


def test_nothing_shipped_names_an_address() -> None:
    for file in (each for each in STATIC.rglob("*") if each.is_file()):
        addresses = re.findall(r"https?://[^\"'\s]+", file.read_text("utf-8", "replace"))
        assert set(addresses) <= {"http://www.w3.org/2000/svg"}, file.name


def test_vendored_scripts_have_their_licence_beside() -> None:
    for script in (STATIC / "vendor").glob("*.js"):
        assert (STATIC / "vendor" / script.name.replace(".min.js", ".LICENSE")).is_file()


def test_the_page_shows_prompt_phase_and_keys() -> None:
    due = panel("due", PLAYING)
    assert '<h2 class="prompt">Seat 2 has 9: hit or stand</h2>' in due
    assert '<p class="phase">playing</p>' in due
    assert re.findall("<kbd>(.*?)</kbd>", due) == ["hit", "stand"]


def test_suspension_names_every_reason() -> None:
    assert [f"<li>{why}</li>" in panel("suspension", SUSPENDED) for why in SUSPENDED.suspended] == [
        True,
        True,
    ]
    assert ">suspended<" in panel("due", SUSPENDED)
    assert panel("suspension", PLAYING) == ""
    assert "placed after betting closed" in panel("alerts", SUSPENDED)


def test_cards_have_names_and_order() -> None:
    labels = re.findall(r'class="card[^"]*" role="img" aria-label="([^"]*)"', panel("felt", SETTLED))
    assert labels[:5] == [
        "six of spades",
        "two of diamonds",
        "five of hearts",
        "seven of hearts",
        "four of clubs",
    ]
    assert ">10<svg" in panel("felt", SETTLED)


@pytest.mark.parametrize("view", [DEALING, PLAYING, SUSPENDED])
def test_the_page_shows_a_face_down_card_as_a_back(view: TableView) -> None:
    html = page(view)
    dealer = html[html.index('<div class="dealer">') : html.index('<ol class="seats')]
    assert dealer.count('role="img"') == 1
    assert '<span class="card back" role="img" aria-label="face-down card"></span>' in dealer
    assert "use href" not in dealer
    assert HIDDEN not in html


def test_a_face_down_card_stands_beside_the_face_up_ones() -> None:
    felt = panel("felt", replace(PLAYING, dealer=hand(f"9h {HIDDEN}")))
    dealer = felt[: felt.index('<ol class="seats')]
    assert re.findall(r'aria-label="([^"]*)"', dealer) == ["nine of hearts", "face-down card"]


def test_the_page_shows_active_seat_wagers_and_lamps() -> None:
    felt = panel("felt", PLAYING)
    assert felt.count("to act") == 1
    assert re.search(r'class="seat dip-1 active">\s*<h3><span class="unseen">Seat </span><b>2</b>', felt)
    assert "1,500" in felt
    assert 'aria-label="amount unknown">?' in felt
    assert '<span class="lamp no-bets">no bets</span>' in felt


def seat(number: int, view: TableView) -> str:
    """One seat on the felt."""
    seats = re.split(r'(?=<li class="seat )', panel("felt", view))
    return next(text for text in seats if f'<span class="unseen">Seat </span><b>{number}</b>' in text)


class TestSeveralHands:
    def test_have_their_bets_and_one_has_the_turn(self) -> None:
        hands = re.split(r'(?=<div class="hand)', seat(2, PLAYED["four hands"]))[2:]
        assert [">20<" in hands[0], ">18<" in hands[1], ">21<" in hands[2], ">15<" in hands[3]] == [True] * 4
        assert [re.findall(r"(\d+)</bdi></span></p>", hand) for hand in hands] == [
            ["40"],
            ["25"],
            ["50"],
            ["25"],
        ]
        assert ["hand active" in hand for hand in hands] == [False, False, False, True]

    def test_the_bet_of_a_single_one_is_the_wager_on_its_spot(self) -> None:
        assert 'class="bet"' not in seat(1, PLAYED["four hands"])

    def test_a_bet_on_two_spots_is_summed(self) -> None:
        assert re.search(r'class="bet">.*?20</bdi></span>', seat(6, PLAYED["hedge"]))

    def test_late_wagers_of_all_hands_stand_on_their_spot(self) -> None:
        assert re.search(
            r'EZ Bust</span>.*?"lamp latched".*?20</bdi></span>', seat(2, PLAYED["four hands"]), re.DOTALL
        )


class TestWindows:
    def test_open_spots_invite_those_who_may(self) -> None:
        view = PLAYED["window at a split"]
        assert '"lamp open"' in seat(2, view)
        assert '"lamp open"' not in seat(1, view)
        assert '<p class="phase">window</p>' in panel("due", view)

    def test_insurance_is_shown_beside_the_wagers(self) -> None:
        insured = [number for number in range(1, 8) if "Insurance" in seat(number, PLAYED["insurance"])]
        assert insured == [1, 5]


class TestJackpotAndBank:
    def test_the_meter_is_on_the_felt(self) -> None:
        assert "<b>9,000.41</b>" in panel("felt", PLAYED["jackpot"])
        assert "Jackpot" not in panel("felt", PLAYED["hedge"])
        assert '"lamp jackpot"' in seat(1, PLAYED["jackpot"])

    def test_who_banks_is_said_in_player_dealer_games(self) -> None:
        assert "Bank <b>third party</b>" in panel("head", PLAYED["jackpot"])
        assert "Bank" not in panel("head", PLAYED["hedge"])
        view = replace(PLAYED["jackpot"], bank=5)
        assert "Bank <b>seat 5</b>" in panel("head", view)
        assert "banks" in seat(5, view)


def test_texts_of_devices_and_people_are_escaped() -> None:
    devices = tuple(
        replace(each, name=EVIL, detail=EVIL, firmware=EVIL, state=EVIL) for each in SUSPENDED.devices
    )
    seats = tuple(
        replace(seat, spots=tuple(replace(spot, spot=EVIL, lamp=EVIL) for spot in seat.spots))
        for seat in SETTLED.seats
    )
    html = page(
        replace(
            SUSPENDED,
            table=EVIL,
            game=EVIL,
            prompt=EVIL,
            phase=EVIL,
            suspended=(EVIL,),
            alerts=(EVIL,),
            keys=(EVIL,),
            display=(EVIL,),
            devices=devices,
            seats=seats,
            lines=tuple(replace(line, reason=EVIL, outcome=EVIL, wager=EVIL) for line in SETTLED.lines),
        )
    )
    assert "<script>alert" not in html
    assert not [at for _, at in parsed(html).tags if "onload" in at]


def test_only_what_changed_is_drawn_again() -> None:
    painter = PageRenderer(TABLE)
    before = painter.panels(PLAYING)
    after = painter.panels(replace(PLAYING, prompt="Seat 2 has 11"))
    assert [name for name in before if before[name] is not after[name]] == ["due"]


def test_what_became_of_the_last_shoe_is_told() -> None:
    shoe = replace(BETTING.shoe, last="Of 416 cards 2 were dealt")
    assert "Of 416 cards 2 were dealt" in panel("head", replace(BETTING, shoe=shoe))
