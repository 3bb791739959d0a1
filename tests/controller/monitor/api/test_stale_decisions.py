"""A round that ends between a preview and its decision: the decision is refused with the reason."""

from pathlib import Path

import pytest

from controller.table.record.events import MeterCorrection, Noticed
from controller.table.record.notes import ClockStepped
from tests.controller.monitor.api.stale_decisions import KINDS, WAYS, Kind, possible
from tests.controller.monitor.api.tables import ApiTable, open_table

DECIDED = ("supervisor", "claim step", "meter correction", "asked", "answered")


def decided(house: ApiTable) -> int:
    """The number of decisions in the journal."""
    return sum(len(house.rows_of(kind)) for kind in DECIDED)


async def arranged(house: ApiTable, kind: Kind) -> None:
    """The decision is possible in the round in play; for an answer, a dealer has requested the void."""
    if kind.path.endswith("answer"):
        house.play("1:main=500 close 8h 9c 9d Kc")
        asked = await house.post_previewed("Dee", "requests", about="void", why="exposed")
        assert asked.status_code in {201, 409}
    kind.arrange(house)


@pytest.mark.parametrize(("name", "way"), possible())
async def test_a_round_that_ended_is_not_decided_about(tmp_path: Path, name: str, way: str) -> None:
    kind = KINDS[name]
    async with open_table(tmp_path, "", kind.game) as house:
        await arranged(house, kind)
        taken = WAYS[way](house, kind)
        token = await taken.look()
        if way != "command line":  # which previews by itself
            assert await taken.act("") == "look at its preview first: its token is missing"
        kind.end(house)
        if kind.path != "requests/1/answer" and name != "claim":
            kind.arrange(house)  # the same decision is possible again, in round 2
        before = decided(house)
        refused = await taken.act(token)
        assert kind.why in refused
        assert (house.view().round, decided(house)) == (2, before)


@pytest.mark.parametrize("name", KINDS)
async def test_what_does_not_matter_leaves_a_preview_valid(tmp_path: Path, name: str) -> None:
    kind = KINDS[name]
    async with open_table(tmp_path, "", kind.game) as house:
        await arranged(house, kind)
        taken = WAYS["api"](house, kind)
        token = await taken.look()
        house.at.apply(Noticed("The journal's disk fills up"))
        await house.at.table.record(ClockStepped(1.0))
        before = decided(house)
        assert await taken.act(token) == ""
        assert decided(house) == before + 1


@pytest.mark.parametrize("choice", ["void", "resume", "burn", "card", "assign", "reread"])
async def test_the_command_line_names_a_round_that_is_over(tmp_path: Path, choice: str) -> None:
    kind = KINDS[choice]
    async with open_table(tmp_path) as house:
        await arranged(house, kind)
        kind.end(house)
        kind.arrange(house)
        refused = await WAYS["command line"](house, kind).act("")
        assert refused == "Round 1 became void; this is round 2"
        assert house.view().round == 2


async def test_a_card_dealt_meanwhile_is_named(tmp_path: Path) -> None:
    kind = KINDS["void"]
    async with open_table(tmp_path, "1:main=500 close 8h 9c 9d", "ez-bust") as house:
        taken = WAYS["api"](house, kind)
        token = await taken.look()
        house.play("Kc")
        assert await taken.act(token) == (
            "A card was dealt meanwhile: 4 cards are out of the shoe, 3 were when you looked"
        )


async def test_an_amount_that_changed_meanwhile_is_told(tmp_path: Path) -> None:
    kind = KINDS["claim"]
    async with open_table(tmp_path, "", kind.game) as house:
        kind.arrange(house)
        kind.end(house)
        seen = await house.preview("Ann", "claims/1/steps", step="void")
        assert seen is not None
        house.at.apply(MeterCorrection("blazing-7s", 1_100_000, "Bob", "Cid", "counted"))
        token = seen.json()["token"]
        late = await house.post("Ann", "claims/1/steps", step="void", why="seen", token=token)
        assert late.json()["detail"].startswith("what it does has changed meanwhile. Now: Seat 1, ")


async def test_a_void_says_what_each_seat_gets_back(tmp_path: Path) -> None:
    tokens = "1:main=500 1:blazing-7s=100 3:main=1000 close"
    async with open_table(tmp_path, tokens, "blackjack-x") as house:
        seen = (await house.post("Ann", "decisions/preview", choice="void")).json()
        assert seen["sentences"] == [
            "Every wager of round 1 is given back",
            "Seat 1 gets back 6.00: 1.00 from blazing-7s, 5.00 from main",
            "Seat 3 gets back 10.00: 10.00 from main",
            "In all 16.00",
        ]
