"""A round of each game, played by one person at the simulator's page: chips, cards, keys, payment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import expect

from controller.demo.audit import read_audit
from controller.demo.settings import DemoSettings
from controller.games import GAMES
from tests.fixtures.simulator_page import person_at_table
from tests.system.books import faults, unexpected_warnings

Stakes = Mapping[tuple[int, str], Sequence[int]]
"""The chips in cents by seat and spot."""


@dataclass(frozen=True)
class HandPlay:
    """`cards`: those that are chosen, the burned one first. `keys`: what hands do. `net`: cents that seats
    win."""

    stakes: Stakes
    cards: str
    keys: Sequence[str]
    net: Mapping[int, int]


ONE: Stakes = {(1, "main"): (500,)}
MAIN: Stakes = {(1, "main"): (500,), (3, "main"): (2_500,)}
PLAYS: Mapping[str, HandPlay] = {
    "ez-bust": HandPlay(MAIN, "2c 9h Th 7s Td 9c Ts", (), {1: 500, 3: 2_500}),
    "easy-jack": HandPlay(MAIN, "2c 7h 8h 6s 4d Kh", ("draw",), {1: 500, 3: 2_500}),
    "no-bust-21st-century": HandPlay(MAIN, "2c 9h Th 7s Td 9c Ts", (), {1: 500, 3: 2_500}),
    "pure-21-5": HandPlay(MAIN, "2c 9h Th 7s Td 9c Ts", (), {1: 500, 3: 2_500}),
    "quick-pay": HandPlay(
        {(1, "bet"): (500,), (1, "surrender-or-play"): (500,)}, "2c 9h 7s 2d Ts", ("surrender",), {1: -500}
    ),
    "blackjack-x": HandPlay(ONE, "2c 8h 6s 8d Ts 3c Td 9c Kh", ("split", "double"), {1: 1_500}),
}


@pytest.mark.parametrize("game", [*GAMES])
async def test_one_person_plays_a_round_with_hands_on_chips_and_cards(tmp_path: Path, game: str) -> None:
    play = PLAYS[game]
    async with person_at_table(tmp_path, DemoSettings(game=game, seed=11)) as person:
        for (seat, spot), chips in play.stakes.items():
            await person.bet(seat, spot, *chips)
        await expect(person.prompt).to_contain_text(f"{len(play.stakes)} wager")
        assert await person.small_targets() == []
        assert await person.motion() == "sim-deal"
        await person.page.emulate_media(reduced_motion="reduce")
        assert await person.motion() == "none"
        await person.prepare(play.cards)
        assert await person.key("close")
        await person.finish(*play.keys)
        laid = await person.hands()
    books = read_audit(person.stage.journal, person.stage.shoe_log)
    assert (books.rounds, list(faults(books)), unexpected_warnings(books)) == (1, [], ())
    [ended] = books.ended
    hands = {
        f"{seat.seat}-{place}": [*hand.cards]
        for seat in ended.round.seats
        for place, hand in enumerate(seat.hands, 1)
    }
    assert laid == {**hands, "dealer": [*ended.round.dealer.cards]}
    assert {seat.seat: seat.net for seat in ended.round.seats if seat.hands} == play.net


async def test_a_pulled_cable_and_a_stuck_card_are_mended_at_the_page_and_the_round_goes_on(
    tmp_path: Path,
) -> None:
    async with person_at_table(tmp_path, DemoSettings(game="easy-jack", seed=11)) as person:
        await person.bet(1, "main", 500)
        await expect(person.prompt).to_contain_text("1 wager")
        assert await person.key("close")
        sensors, shoe = person.device("sensors"), person.device("shoe")
        await sensors.get_by_role("button", name="Pull cable").click()
        await expect(person.prompt).to_contain_text("Suspended")
        await expect(sensors).to_have_attribute("data-state", "cable-out")
        await expect(person.draw_button).to_be_disabled()
        await sensors.get_by_role("button", name="Plug in").click()
        await expect(person.prompt).to_have_text("Burn 1 card")
        await shoe.get_by_role("button", name="Jam", exact=True).click()
        await expect(shoe).to_have_attribute("data-state", "jammed")
        await shoe.get_by_role("button", name="Force a card").click()
        await expect(person.page.locator("#said")).to_have_text("pull: a card is stuck")
        await shoe.get_by_role("button", name="Free card").click()
        await expect(person.prompt).to_have_text("Burn 1 card")
        await person.page.locator("#lay-at-once").check()
        await expect(person.draw_button).to_be_enabled()
        await person.page.keyboard.press("n")
        await expect(person.page.locator("#burned")).to_have_text("1")
        await person.finish()
    books = read_audit(person.stage.journal, person.stage.shoe_log)
    assert (books.rounds, list(faults(books))) == (1, [])
