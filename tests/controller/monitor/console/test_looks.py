"""The dealer's page in a browser: keys large enough, nothing cut off, accessible, and what it says without a
connection."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import cycle, islice
from typing import Literal

import pytest
from playwright.async_api import Page, ViewportSize, expect

from controller.access.people import ROLES, Person, Role
from controller.config.chips import USUAL
from controller.games.spots import LONGEST_SHORT
from controller.monitor.console.page import CONSOLE
from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.live.renderer import PageRenderer
from controller.monitor.server.address import listen
from controller.monitor.server.server import serve
from controller.monitor.web import build
from controller.round.keys import KEY_NAMES
from controller.table.record.events import RequestMade
from controller.table.record.views import AnsweredView, RequestView, SeatView, TableView
from controller.table.view.build import build_view
from tests.controller.monitor.console.reading import DEE
from tests.controller.monitor.following import follow, stand_still
from tests.controller.monitor.supervisor.situations import requests, stray
from tests.fixtures import table_views
from tests.fixtures.accessibility import faint_texts, violations
from tests.fixtures.chromium import SHARED, chromium
from tests.fixtures.core_socket import no_core
from tests.fixtures.device_inputs import Script
from tests.fixtures.played_views import PLAYED, played
from tests.fixtures.state_table import StateTable
from tests.fixtures.table_views import DEVICES
from tests.fixtures.waiting import PATIENCE
from tests.fixtures.web_server import KnownPerson, WebServer, web_server

pytestmark = SHARED


def nine() -> TableView:
    """All of nine seats may take insurance."""
    table = StateTable()
    table.script = Script("blackjack-x", {"burn_cards": 0}, seats=9)
    table.begin()
    table.play(" ".join(f"{seat}:main=1250 {seat}:buster=100" for seat in range(1, 10)))
    table.play("close 2h 2d 2c 2s 3h 3d 3c 3s 4h As 2h 2d 2c 2s 3h 3d 3c 3s 4h Kd")
    return build_view("Table 7", table.state, DEVICES)


def long_hands() -> TableView:
    """Seven seats have six cards each; the last one is to act."""
    table, seats = StateTable("ez-bust"), range(1, 8)
    twos, threes = cycle(("2s", "2h", "2d", "2c")), cycle(("3s", "3h", "3d", "3c"))
    table.play(" ".join(f"{seat}:main={seat * 1250}" for seat in seats))
    table.play(" ".join(["close", *islice(twos, 7), "Th", *islice(threes, 7), "Qd"]))
    for seat in seats:
        table.play(" ".join((next(twos), next(threes), next(twos), next(threes))))
        table.play(f"{seat}:stand" if seat < 7 else "")
    return build_view("Table 7", table.state, DEVICES)


def split_seats(*, paying: bool) -> TableView:
    """Three seats have four hands each."""
    table, eights = StateTable("ez-bust"), cycle(("8s", "8h", "8d", "8c"))
    table.play("1:main=1500 3:main=1500 5:main=10000 close")
    table.play(" ".join([*islice(eights, 3), "6s", *islice(eights, 3), "Qh", "close"]))
    for seat in (1, 3, 5):
        table.play(f"{seat}:split {next(eights)} {seat}:split {next(eights)} {seat}:split Th {seat}:stand")
        table.play(f"7c {seat}:stand 9d {seat}:stand 5s 2h")
        table.play(f"{seat}:stand" if seat < 5 or paying else "")
    table.play("Kd" if paying else "")
    return build_view("Table 7", table.state, DEVICES)


def crowd_with_splits(*, paying: bool) -> TableView:
    """Seven seats play; seat 1 has three hands, seat 5 has two, and others have three cards."""
    table = StateTable("blackjack-x")
    table.play(" ".join(f"{seat}:main={seat * 2500}" for seat in range(1, 8)))
    table.play("1:buster=500 3:blazing-7s=100 6:buster=200 6:blazing-7s=100 close")
    table.play("8h 9c 5d Ts 8c Kc 6d As 8d 7s 6h Ah 8s Qh 9d 9h close")
    table.play("1:split Ts 1:stand 8s 1:split 3d 1:double Kh 9s 1:stand 2:stand 3:double Th")
    table.play("5:split 2h 5:hit 9h 5:stand Td")
    if paying:
        table.play("5:stand 6:stand 5c 7:stand")
    return build_view("Table 7", table.state, DEVICES)


def jackpot(*, paying: bool, more: bool = False) -> TableView:
    """Seat 1 of seven has won a jackpot and split three times: seven lines are to be paid, the share by hand.
    `more`: chips lie where they must not, and the dealer has called for help."""
    table, fives, tens = (
        StateTable("blackjack-x"),
        cycle(("5s", "5h", "5d", "5c")),
        cycle(("Ts", "Th", "Td", "Tc")),
    )
    table.play(" ".join(f"{seat}:main={seat * 2500}" for seat in range(1, 8)))
    table.play("1:blazing-7s=100 1:buster=500 close")
    table.play(" ".join(["7h", *islice(fives, 6), "7h 7h", *islice(tens, 6), "8d"]))
    for spot in (1, 2) if more else ():
        table.apply(table.script.bet(3, spot, 500))
    if more:
        table.apply(RequestMade("help", "Dee", "dealer", "The dealer calls"))
    if paying:
        table.play("1:split 7d 1:split 7c 1:split Ts 1:stand 9c 1:stand 8d 1:stand 6d 1:stand")
        table.play(" ".join(f"{seat}:stand" for seat in range(2, 8)))
        table.play("9s")
    return build_view("Table 7", table.state, DEVICES)


def long_names() -> TableView:
    """Nine seats with a spot of a plug-in, whose name is as long as it may be."""
    view = nine()
    spots = {"buster": "w" * LONGEST_SHORT}
    return replace(view, seats=tuple(renamed(seat, spots) for seat in view.seats))


def renamed(seat: SeatView, names: Mapping[str, str]) -> SeatView:
    """The seat with other names of its spots."""
    return replace(
        seat, spots=tuple(replace(spot, spot=names.get(spot.spot, spot.spot)) for spot in seat.spots)
    )


def suspended_jackpot() -> TableView:
    """A claim waits for the dealer in a suspended round, and one of an earlier round waits for the floor."""
    return replace(stray(), claims=PLAYED["claims"].claims)


SCREENS = (
    ViewportSize(width=1280, height=800),
    ViewportSize(width=1024, height=600),
    ViewportSize(width=1920, height=1080),
    ViewportSize(width=800, height=1280),
)
PHONE = ViewportSize(width=390, height=844)
PLAIN_STATES: dict[str, TableView] = {
    **{name: PLAYED[name] for name in ("four hands", "insurance", "hedge", "jackpot")},
    "nine seats": nine(),
    "long names of spots": long_names(),
    "long hands": long_hands(),
    "split seats": split_seats(paying=False),
    "split seats are paid": split_seats(paying=True),
    "a crowd with splits": crowd_with_splits(paying=False),
    "a crowd with splits is paid": crowd_with_splits(paying=True),
    "betting": played("blackjack-x", "1:main=1000 1:blazing-7s=100 2:main=2500"),
    "a jackpot is won": jackpot(paying=False),
    "a jackpot, alerts and a call": jackpot(paying=False, more=True),
    "seven lines with a claim": jackpot(paying=True),
    "seven lines with a claim, alerts and a call": jackpot(paying=True, more=True),
    "claims": PLAYED["claims"],
    "suspended with claims": suspended_jackpot(),
    "suspended": stray(),
    "asked": requests(),
}
STATES = {name: replace(view, currency="USD", chips=USUAL["USD"]) for name, view in PLAIN_STATES.items()}
"""The symbol and the chips of each amount need room, too."""
NEVER = 10 * PATIENCE
LEAST = 48
"""Pixels of everything that a finger has to hit at arm's length."""
WHOLE = ".keys .key, .now, .row .hands, .row .seat:not(.empty), .news p"
"""Elements of which nothing may be cut off."""
LEAST_SEEN = 0.65
"""The part of the panel of a seat that is seen without scrolling, on the smallest screen with seven lines,
alerts and a call."""
PANEL = """() => [...document.querySelectorAll(".guidance")]
    .map((one) => [one.clientHeight / one.scrollHeight, one.scrollWidth - one.clientWidth])"""
CUT_OFF = """(names) => [...document.querySelectorAll(names)]
    .filter((one) => one.checkVisibility({visibilityProperty: true}))
    .filter((one) => one.scrollWidth > one.clientWidth + 2 || one.scrollHeight > one.clientHeight + 2)
    .map((one) => one.outerHTML.slice(0, 90))"""
CLIPPED = """(most) => {
    const clipped = [];
    for (const one of document.querySelectorAll("body *")) {
        const own = [...one.childNodes].filter(({nodeType, data}) => nodeType === 3 && data.trim());
        const shown = one.checkVisibility({visibilityProperty: true, opacityProperty: true});
        if (!own.length || !shown || one.matches(".lamp")) continue;
        const boxes = own.map((node) => {
            const range = document.createRange();
            range.selectNodeContents(node);
            return range.getBoundingClientRect();
        });
        let why = "";
        for (let around = one; around !== document.documentElement; around = around.parentElement) {
            const {clipPath, overflowX, overflowY, display} = getComputedStyle(around);
            if (clipPath !== "none") { why = ""; break; } // for screen readers only
            if (display === "inline" || overflowX === "visible" && overflowY === "visible") continue;
            const edge = around.getBoundingClientRect();
            const scrolled = around.matches(".guidance");
            const out = boxes.some((box) => box.left < edge.left - most || box.right > edge.right + most
                || !scrolled && (box.top < edge.top - most || box.bottom > edge.bottom + most));
            const scrolls = around === one
                && (one.scrollWidth > one.clientWidth + most || one.scrollHeight > one.clientHeight + most);
            if (out || scrolls) why = around.className || around.tagName;
            if (scrolled) break;
        }
        if (why) clipped.push(`${one.className || one.tagName} in ${why}: ${one.textContent.slice(0, 60)}`);
    }
    return clipped;
}"""
"""Every text that is cut off by its box or by one around that box. A lamp says its text by its colour; the
panel of a seat scrolls.
`most`: pixels by which letters of a tight line may stand out."""
TIGHT = 4
SMALL = """(least) => [...document.querySelectorAll("button")]
    .filter((one) => one.checkVisibility() && (one.offsetHeight < least || one.offsetWidth < least))
    .map((one) => one.id || one.className)"""
SMALLEST_CARD = (64, 90)
"""Pixels of every card."""
CARDS = """() => [...document.querySelectorAll(".dealer .card, .fan .card")]
    .filter((one) => one.checkVisibility({visibilityProperty: true}))
    .map((one) => [one.offsetWidth, one.offsetHeight])"""
FILLED = (
    *("betting", "insurance", "hedge", "four hands", "a crowd with splits", "a crowd with splits is paid"),
    *("jackpot", "nine seats", "suspended", "asked"),
)
CONTENTS = ".bar, .now, .dealer, .news p, .guidance, .key, .done, .card, .seat h3, .spot, .seat.empty"
FREE = """([contents, cell]) => {
    const columns = Math.floor(innerWidth / cell), rows = Math.floor(innerHeight / cell);
    const taken = Array.from({length: rows}, () => new Uint8Array(columns));
    for (const one of document.querySelectorAll(contents)) {
        const {left, right, top, bottom} = one.getBoundingClientRect();
        for (let y = Math.max(0, Math.floor(top / cell)); y < Math.min(rows, bottom / cell); y++)
            taken[y].fill(1, Math.max(0, Math.floor(left / cell)), Math.ceil(right / cell));
    }
    let largest = [0, ""];
    const free = new Uint16Array(columns); // rows without contents above and in this row
    for (let y = 0; y < rows; y++) {
        for (let x = 0; x < columns; x++) free[x] = taken[y][x] ? 0 : free[x] + 1;
        for (let x = 0; x < columns; x++) {
            let high = free[x];
            for (let end = x; end < columns && high; end++) {
                high = Math.min(high, free[end]);
                const part = high * (end - x + 1) / (rows * columns);
                const box = [x, y - high + 1, end - x + 1, high].map((one) => one * cell).join(" ");
                if (part > largest[0]) largest = [part, `x, y, width, height: ${box}`];
            }
        }
    }
    return largest;
}"""
"""The largest rectangle without any of these elements: its part of the screen, and where it is."""
PLAIN_AMOUNT = r"(?<![$,.0-9])[0-9]+[.][0-9]{2}(?![0-9%])"
"""An amount without the symbol of its currency."""
CELL = 8
"""Pixels by which it is measured."""
MOST_FREE = 0.085
"""Of the screen, the felt between cards and wagers included."""
MOST_BLACK = 0.02
"""Of the screen, the felt not included."""
HAND_KEYS = [
    action for action, key in KEY_NAMES.items() if not key.by_seat and action not in ("close", "pay")
]
COVERED_KEYS = """(actions) => {
    const places = document.querySelector(".hand-keys"), covered = [];
    for (let legal = 1; legal < 2 ** actions.length; legal++) {
        const shown = actions.filter((_, place) => legal & 2 ** place);
        places.replaceChildren(...shown.map((action) => {
            const at = document.createElement("div"), key = document.createElement("button");
            at.className = `at at-${action}`;
            key.className = "key";
            key.textContent = action;
            at.append(key);
            return at;
        }));
        const boxes = [...places.children].map((one) => one.getBoundingClientRect());
        boxes.forEach((one, place) => boxes.slice(place + 1).forEach((other) => {
            const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
            if (wide > 1 && high > 1) covered.push(shown.join(" "));
        }));
    }
    return [...new Set(covered)];
}"""
"""Sets of keys of which one lies over another."""
CALM = ("betting", "insurance", "hedge", "four hands", "a crowd with splits is paid", "jackpot", "asked")
DECLINED = AnsweredView(
    RequestView(1, "help", "Dee", "The dealer calls", 0.0, 1, (), (), "declined", 1), "Ann", 0.0, "Later", 1
)
TROUBLE = ["bad", "bad-fill", "bad-tint", "felt-bad", "alarm", "alarm-low", "alarm-deep", "lamp-no-bets"]
"""Tokens that are red."""
RED = """(tokens) => {
    const probe = document.createElement("i");
    const trouble = new Set();
    for (const around of [document.body, document.querySelector(".felt")]) {
        around.append(probe);
        for (const token of tokens) {
            probe.style.setProperty("color", `var(--${token})`);
            trouble.add(getComputedStyle(probe).color);
        }
        probe.remove();
    }
    const found = [];
    for (const one of document.body.querySelectorAll("*")) {
        if (!one.checkVisibility()) continue;
        for (const part of ["", "::before"]) {
            const style = getComputedStyle(one, part);
            const edge = parseFloat(style.borderTopWidth) || parseFloat(style.borderLeftWidth);
            const colours = [style.backgroundColor, edge && style.borderTopColor, !part && style.color];
            if (colours.some((colour) => trouble.has(colour))) found.push(one.outerHTML.slice(0, 90));
        }
    }
    return found;
}"""
"""Elements in a colour of trouble."""
RECORD_MOTION = """() => {
    const moved = Object.assign(document.createElement("p"), {id: "moved"});
    document.body.append(moved);
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        if (this.matches(".seat")) moved.textContent += ` ${this.querySelector("h3 > b").textContent}`;
        return animate.apply(this, how);
    };
}"""
PAUSE_MOTION = """() => {
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        const motion = animate.apply(this, how);
        motion.pause();
        return motion;
    };
}"""
GOOD = "rgb(110, 231, 160) 0px 0px 0px 6px inset"
"""The frame of a seat that has just won, in --good of dark pages."""
CARDS_IN = (
    *("insurance", "hedge", "nine seats", "long hands", "four hands", "jackpot"),
    *("split seats", "split seats are paid", "a crowd with splits", "a crowd with splits is paid"),
    *("seven lines with a claim", "seven lines with a claim, alerts and a call"),
)
COVERED = """() => {
    const covered = [];
    for (const corner of document.querySelectorAll(".fan .corner")) {
        const range = document.createRange();
        range.selectNodeContents(corner.firstChild);
        corner.scrollIntoView({block: "nearest"});
        const {left, top, width, height} = range.getBoundingClientRect();
        for (const [x, y] of [[.2, .5], [.8, .5]]) {
            const seen = document.elementFromPoint(left + width * x, top + height * y);
            if (seen?.closest(".card") !== corner.parentElement) covered.push(corner.parentElement.ariaLabel);
        }
    }
    return covered;
}"""
"""Cards of seats whose rank another card or its total covers."""
FITS = """() => document.documentElement.scrollWidth <= innerWidth
    && (innerWidth < 720 || document.documentElement.scrollHeight <= innerHeight)"""


@asynccontextmanager
async def opened(
    state: str, *, beat: float = 1.0, still: bool = False
) -> AsyncIterator[tuple[WebServer, Page]]:
    """A browser at the page of a table in this state. `still`: time stands still on the page."""
    async with (
        web_server(STATES[state], beat=beat, door=KnownPerson(DEE)) as house,
        chromium() as browser,
    ):
        page = await browser.new_page(viewport=SCREENS[0])
        if still:
            await stand_still(page)
        await follow(page, f"http://127.0.0.1:{house.port}/console")
        yield house, page


async def show(house: WebServer, page: Page, view: TableView) -> None:
    """Opens the page again, at a table in this state."""
    house.show(view)
    await house.until_shown()
    await page.reload()


@asynccontextmanager
async def started_again(port: int, shown: TableView) -> AsyncIterator[None]:
    """Another server at the same address."""
    changes = ChangeNotifier()
    parts = WebContext(no_core(), lambda: shown, changes, authentication=KnownPerson(DEE))
    serving = asyncio.create_task(serve(build(parts), changes, listen("127.0.0.1", port)))
    try:
        yield
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


async def test_every_state_fits_the_screens_and_is_for_everybody() -> None:
    async with opened("betting") as (house, page):
        for name, state in STATES.items():
            await show(house, page, state)
            assert await violations(page) == [], name
            assert await faint_texts(page) == [], name
            for screen in (*SCREENS, PHONE):
                await page.set_viewport_size(screen)
                assert await page.evaluate(FITS), f"{name} at {screen}"
                assert await page.evaluate(CUT_OFF, WHOLE) == [], f"{name} at {screen}"
                assert await page.evaluate(CLIPPED, TIGHT) == [], f"{name} at {screen}"
                assert await page.evaluate(SMALL, LEAST) == [], f"{name} at {screen}"
                for seen, hidden in await page.evaluate(PANEL):
                    assert seen >= LEAST_SEEN, f"{name} at {screen}"
                    assert hidden <= 0, f"{name} at {screen}"


async def test_cards_are_large_and_all_of_them_stay_in_sight_while_seats_are_paid() -> None:
    async with opened("betting") as (house, page):
        for name in CARDS_IN:
            state = STATES[name]
            await show(house, page, state)
            hands = [state.dealer, *(hand for seat in state.seats for hand in seat.hands)]
            dealt = sum(len(hand.cards) for hand in hands)
            for screen in (*SCREENS, PHONE):
                await page.set_viewport_size(screen)
                cards = [tuple(size) for size in await page.evaluate(CARDS)]
                assert len(cards) == dealt, f"{name} at {screen}"
                assert min(cards) >= SMALLEST_CARD, f"{name} at {screen}"
                assert await page.evaluate(COVERED) == [], f"{name} at {screen}"


async def test_no_large_part_of_the_screen_is_without_contents() -> None:
    async with opened("betting") as (house, page):
        for name in FILLED:
            await show(house, page, STATES[name])
            for screen in SCREENS[:3]:
                await page.set_viewport_size(screen)
                part, box = await page.evaluate(FREE, [CONTENTS, CELL])
                assert part <= MOST_FREE, f"{name} at {screen}: {box}"
                part, box = await page.evaluate(FREE, [f"{CONTENTS}, .felt", CELL])
                assert part <= MOST_BLACK, f"{name} at {screen}: {box}"


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
async def test_every_amount_on_the_page_has_its_symbol(state: TableView) -> None:
    html = " ".join(PageRenderer(CONSOLE, DEE).panels(state).values())
    assert re.findall(PLAIN_AMOUNT, html) == []


async def test_call_supervisor_fills_the_row_of_keys_when_it_is_the_only_key() -> None:
    async with opened("suspended") as (house, page):
        for screen in (PHONE, *SCREENS):
            await page.set_viewport_size(screen)
            row, call = [
                await page.locator(each).evaluate("({offsetWidth}) => offsetWidth")
                for each in (".keys", "#call")
            ]
            assert call == row, f"at {screen}"
        await page.set_viewport_size(SCREENS[0])
        await show(house, page, STATES["betting"])
        assert (
            await page.locator("#call").evaluate("({offsetWidth}) => offsetWidth") < SCREENS[0]["width"] / 2
        )


async def test_keys_of_a_hand_never_cover_each_other_whichever_are_legal() -> None:
    async with opened("four hands") as (_, page):
        for screen in (*SCREENS, PHONE):
            await page.set_viewport_size(screen)
            assert await page.evaluate(COVERED_KEYS, HAND_KEYS) == [], f"at {screen}"


async def test_red_means_trouble_and_nothing_else() -> None:
    async with opened("betting") as (house, page):
        for name in CALM:
            await show(house, page, STATES[name])
            assert await page.evaluate(RED, TROUBLE) == [], name
        await show(house, page, replace(STATES["betting"], answered=(DECLINED,)))
        await expect(page.locator(".news .declined")).to_be_visible()
        assert await page.evaluate(RED, TROUBLE) == []
        await show(house, page, STATES["suspended"])
        assert await page.evaluate(RED, TROUBLE) != []


@pytest.mark.parametrize(("wish", "moves"), [("no-preference", "1 4"), ("reduce", "")])
async def test_seats_that_win_light_up_unless_people_want_less_motion(
    wish: Literal["no-preference", "reduce"], moves: str
) -> None:
    async with opened("betting") as (house, page):
        await page.emulate_media(reduced_motion=wish)
        house.show(table_views.PLAYING)
        await expect(page.locator("#due")).to_contain_text("Seat 2")
        await page.evaluate(RECORD_MOTION)
        house.show(table_views.SETTLED)
        await expect(page.locator(".gain.up")).to_have_count(2)
        await expect(page.locator("#moved")).to_have_text(moves)
        house.show(replace(table_views.SETTLED, prompt="Pay again"))
        await expect(page.locator("#due")).to_contain_text("again")
        await expect(page.locator("#moved")).to_have_text(moves)


async def test_the_light_of_a_seat_that_wins_is_drawn_in_the_colour_of_good_news() -> None:
    async with opened("betting") as (house, page):
        house.show(table_views.PLAYING)
        await expect(page.locator("#due")).to_contain_text("Seat 2")
        await page.evaluate(PAUSE_MOTION)
        house.show(table_views.SETTLED)
        shadow = page.locator(".seat:has(.gain.up)").first
        await expect(shadow).to_have_css("box-shadow", GOOD)


async def test_a_lost_line_is_told_and_kept_no_key_and_is_caught_up_with() -> None:
    async with opened("four hands") as (house, page):
        await expect(page.locator("#key-hit")).to_be_enabled()
        await house.stop()
        await expect(page.locator("#lost")).to_be_visible()
        assert await page.locator(".keys").evaluate("keys => keys.inert")
        assert await page.evaluate("document.elementFromPoint(640, 700).id") == "lost"
        async with started_again(house.port, PLAYED["jackpot"]):
            await expect(page.locator("#guidance")).to_be_visible()
            await expect(page.locator("#lost")).to_be_hidden()
            await expect(page.locator(".keys[inert]")).to_have_count(0)


async def test_a_silent_line_is_lost_after_two_and_a_half_seconds() -> None:
    async with opened("betting", beat=NEVER, still=True) as (house, page):
        await page.clock.run_for(2499)
        await expect(page.locator("#lost")).to_be_hidden()
        await page.clock.run_for(1)
        await expect(page.locator("#lost")).to_be_visible()
        await expect(page.locator(".keys[inert]")).to_have_count(1)
        house.show(STATES["four hands"])
        await expect(page.locator("#lost")).to_be_hidden()


@pytest.mark.parametrize("role", [role for role in ROLES if role != "dealer"])
async def test_only_dealers_get_the_page_of_the_console(role: Role) -> None:
    async with web_server(door=KnownPerson(Person("Ann", role))) as house:
        for path in ("/console", "/console/events"):
            assert (await house.client.get(path)).status_code == 403
