"""What hands do at the simulated table reaches the devices, and what they cannot do is refused in words."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from controller.currency import named_currency, using
from controller.demo.table import KINDS
from tests.fixtures.touched_table import TouchedTable, touched_table
from tests.fixtures.waiting import come_true


@pytest.fixture
async def touched(tmp_path: Path) -> AsyncIterator[TouchedTable]:
    async with touched_table(tmp_path) as touched:
        yield touched


MAIN = {"seat": 1, "spot": "main"}
REFUSED: dict[str, tuple[dict[str, Any], int, str]] = {
    "a seat": (
        {"do": "lay-chip", "seat": 8, "spot": "main", "chip": 500},
        422,
        "seat 8: not at this table; allowed: 1 to 7",
    ),
    "a spot": (
        {"do": "lay-chip", "seat": 1, "spot": "dragon", "chip": 500},
        422,
        "spot 'dragon': not at this table; allowed: ",
    ),
    "a chip": (
        {"do": "lay-chip", **MAIN, "chip": 700},
        422,
        "chip 7: not in the rack; allowed: 0.50, 1, 5, 25, 100, 500, 1,000, 5,000",
    ),
    "chips where none lie": ({"do": "take-chips", **MAIN}, 409, "seat 1, main: no chips lie there"),
    "a move of no chips": (
        {"do": "move-chips", **MAIN, "to_seat": 2, "to_spot": "main"},
        409,
        "no chips lie there",
    ),
    "a card": (
        {"do": "prepare", "cards": ["1x"]},
        422,
        "card '1x': word 1, '1x', is not a card: a rank of A23456789TJQK",
    ),
    "more cards than are left": (
        {"do": "prepare", "cards": ["As", "As"]},
        409,
        "card As: 1 left in the shoe, not 2",
    ),
    "a locked shoe": ({"do": "draw"}, 409, "pull: card 1 is locked; permitted up to 0"),
    "an empty hand": ({"do": "lay-card", "place": "1-1"}, 409, "the hand is empty"),
    "a place": (
        {"do": "lay-card", "place": "8-1"},
        422,
        "place '8-1': not on this table; allowed: burn, dealer",
    ),
    "a card that does not lie there": (
        {"do": "pick-up-card", "place": "1-1", "number": 1},
        409,
        "card 1 at 1-1: not there; 0 lie there",
    ),
    "no face-down card": ({"do": "turn-card"}, 409, "stays so until it is the dealer's turn"),
    "an empty tray": ({"do": "take-pack"}, 409, "no pack lies in the tray"),
    "no pack": ({"do": "load-shoe"}, 409, "no pack in the hand"),
    "a key": ({"do": "press", "key": "fold", "prompt": 0}, 409, "action = 'fold': must be one of hit, stand"),
    "an old prompt": ({"do": "press", "key": "hit", "prompt": 9}, 409, "prompt 9 is gone"),
    "an act": ({"do": "cheat"}, 422, "lay-chip"),
    "a device": ({"do": "cable", "device": "door", "plugged": False}, 422, "'shoe', 'shuffler'"),
    "a field": ({"do": "clear-chips", "seat": 1}, 422, "seat"),
}


async def test_each_refusal_names_the_thing_the_value_and_what_is_allowed(touched: TouchedTable) -> None:
    for name, (act, status, words) in REFUSED.items():
        refused = await touched.refused(**act)
        assert (refused[0], words in refused[1]) == (status, True), (name, refused)
    assert touched.stake(1) is None


async def test_chips_are_laid_moved_and_taken(touched: TouchedTable) -> None:
    for chip in (500, 2_500, 500):
        await touched.act("lay-chip", **MAIN, chip=chip)
    assert touched.picture.seats[0].spots[0].stack == ((2_500, 1), (500, 2))
    await touched.act("move-chips", **MAIN, to_seat=3, to_spot="main")
    await touched.act("take-chips", seat=3, spot="main", chip=100)
    assert (touched.stake(1), touched.stake(3)) == (None, 3_400)
    assert await touched.refused("take-chips", seat=3, spot="main", chip=50_000) == (
        409,
        "34 lies there; allowed: a chip of at most that value",
    )
    await touched.act("lay-unreadable", seat=3, spot="main")
    await touched.act("lay-chip", seat=3, spot="main", chip=500)
    assert touched.stake(3) == 0
    await touched.act("clear-chips")
    await come_true(lambda: touched.stake(3) is None)


async def test_chips_that_others_lay_are_seen(touched: TouchedTable) -> None:
    await touched.table.devices.ask("sensors", "put", seat=5, spot=0, cents=1_200)
    await come_true(lambda: touched.stake(5) == 1_200)
    assert touched.picture.seats[4].spots[0].stack == ((500, 2), (100, 2))


async def test_prepared_cards_leave_the_shoe_in_their_order_and_are_laid(touched: TouchedTable) -> None:
    await touched.act("prepare", cards=["As", "Kd"])
    await touched.act("draw", force=True)
    await come_true(lambda: touched.picture.cards.held == "As")
    assert (await touched.refused("draw", force=True))[1] == "there is a card in the hand: lay it first"
    assert (await touched.refused("lay-card"))[1] == "the table expects this card nowhere: choose a place"
    await touched.act("lay-card", place="2-1")
    await touched.act("draw", force=True)
    await come_true(lambda: touched.picture.cards.held == "Kd")
    await touched.act("lay-card", place="dealer-down")
    assert touched.picture.seats[1].hands[0].cards == ("As",)
    assert touched.picture.dealer.cards == ("??",)
    assert "Kd" not in str(touched.picture)
    assert await touched.refused("prepare", cards=["As"]) == (409, "card As: 0 left in the shoe, not 1")
    await touched.act("pick-up-card", place="2-1", number=1)
    await touched.act("lay-card", place="3-2")
    assert [hand.place for hand in touched.picture.seats[2].hands] == ["3-1", "3-2"]
    await touched.act("collect-cards")
    assert not touched.picture.dealer.cards


async def test_a_card_belongs_where_the_prompt_after_the_last_card_says(touched: TouchedTable) -> None:
    def show(text: str) -> None:
        touched.table.devices.notice("console", {"notice": "prompt", "text": text, "seat": 0, "number": 1})

    async def draw() -> None:
        await touched.act("draw", force=True, lay=True)
        await come_true(lambda: not touched.picture.cards.drawing)

    def permit(up_to: int) -> str:
        """Where the next card belongs."""
        touched.table.devices.notice("shoe", {"notice": "permit", "up_to": up_to})
        return touched.picture.cards.due

    await touched.act("lay-chip", **MAIN, chip=500)
    show("Burn 1 card")
    assert permit(1) == "burn"
    await draw()
    assert permit(3) == ""  # the console still says "Burn 1 card"
    for text, place in (("Deal 2 cards", "1-1"), ("Deal 1 card", "dealer-down")):
        show(text)
        assert touched.picture.cards.due == place
        await draw()
        assert touched.picture.cards.due == ""
    assert permit(4) == ""
    show("Seat 1 has 4: hit or stand")
    assert touched.picture.cards.due == "1-1"


async def test_a_jam_and_an_open_lid_hold_cards_back(touched: TouchedTable) -> None:
    await touched.act("jam", device="shoe", on=True)
    await come_true(lambda: touched.picture.devices[0].jammed)
    assert await touched.refused("draw", force=True) == (409, "pull: a card is stuck")
    await touched.act("jam", device="shoe", on=False)
    await touched.act("cover", open=True)
    await come_true(lambda: touched.picture.devices[0].open)
    assert await touched.refused("draw", force=True) == (409, "pull: the cover is open")


async def test_cables_and_power_are_seen_and_come_back(touched: TouchedTable) -> None:
    for name in KINDS:
        await touched.act("cable", device=name, plugged=False)
        await touched.act("power", device=name, on=False)
    await come_true(lambda: conditions(touched) == {(False, False)})
    for name in KINDS:
        await touched.act("cable", device=name, plugged=True)
        await touched.act("power", device=name, on=True)
    await come_true(lambda: conditions(touched) == {(True, True)})
    await touched.act("reboot", device="console")


def conditions(touched: TouchedTable) -> set[tuple[bool, bool]]:
    """Whether devices are plugged in, and whether they have power."""
    return {(device.plugged, device.powered) for device in touched.picture.devices}


async def test_a_device_that_ended_is_absent(touched: TouchedTable) -> None:
    touched.stops["sensors"].set()
    await come_true(lambda: not touched.picture.devices[2].connected)
    absent = await touched.refused("lay-chip", **MAIN, chip=500)
    assert absent == (503, "simulated device 'sensors': it does not run")


async def test_a_page_of_another_server_moves_nothing(touched: TouchedTable) -> None:
    body = {"do": "lay-chip", **MAIN, "chip": 500}
    foreign = {"Origin": "http://elsewhere.example"}
    assert (await touched.client.post("/simulator/acts", json=body, headers=foreign)).status_code == 403
    named = {"Host": "elsewhere.example"}
    assert (await touched.client.get("/simulator", headers=named)).status_code == 421
    assert touched.stake(1) is None


async def test_what_lies_on_a_spot_is_worth_its_amount_in_the_currency(touched: TouchedTable) -> None:
    await touched.act("lay-chip", **MAIN, chip=2_500)
    await come_true(lambda: touched.stake(1) == 2_500)
    worth = {}
    for code in ("USD", "JPY", "KWD"):
        with using(named_currency(code)):
            worth[code] = touched.picture.seats[0].spots[0].worth
    assert worth == {"USD": "$25", "JPY": "¥2,500", "KWD": "KWD\u00a02.500"}


async def test_refusals_are_in_the_language_of_the_person(touched: TouchedTable) -> None:
    answer = await touched.client.post(
        "/simulator/acts", json={"do": "take-chips", **MAIN}, headers={"Accept-Language": "es"}
    )
    assert answer.json()["detail"] == "puesto 1, main: ahí no hay fichas"
