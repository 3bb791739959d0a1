"""A jackpot is hit at a whole table: the players' display, the lamp, the claim up to its payment, and a kill
in between."""

import json
from collections.abc import Iterator

import pytest

from controller.demo.settings import DemoSettings
from drivers.protocol.codes import SPOTS_PER_SEAT, Lamp
from tests.fixtures.process_table import ProcessTable
from tests.fixtures.waiting import until
from tests.system.command import tableside_here
from tests.system.sevens import SEAT, SEED, SPOT, WON, hit, level, until_the_last_seven
from tests.system.supervising import take


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessTable]:
    with ProcessTable(tmp_path_factory.mktemp("jackpot"), DemoSettings(game="blackjack-x")) as house:
        house.start_daemon()
        with house.with_hands():
            yield house


def test_a_jackpot_win_survives_a_kill_between_hit_and_payment(table: ProcessTable) -> None:
    until_the_last_seven(table)
    assert hit(table)[-2:] == [[WON, "pending"], [WON, "win"]]
    view = table.until(lambda view: view.claims)
    assert [(claim.cents, claim.state, claim.base) for claim in view.claims] == [(WON, "pending", SEED)]
    until(lambda: table.hands["display"].last("display")["lines"]["2"] == "Jackpot, seat 1: 10000.15")
    until(lambda: _lamp(table) == Lamp.JACKPOT)
    _say(table, "confirm", "Dee")
    _killed(table)
    _to_the_end(table)
    _say(table, "verify", "Sue")
    assert "claim 1 is checked: pay is not possible" in _asked(table, "pay", "Sue")
    assert "second needs another person" in _asked(table, "second", "Sue")
    _say(table, "second", "Sam")
    _say(table, "pay", "Sue")
    until(lambda: _lamp(table) == Lamp.OPEN)
    paid = {"display": SEED * 10_000, "locked": 0, "paid": WON * 10_000, "hits": 1}
    until(lambda: _figures(table) == paid)  # the web server hears of it after the lamp


def _killed(table: ProcessTable) -> None:
    """The daemon is killed: the display shows that it has no link, and shows the win once it is back."""
    display = table.hands["display"]
    table.kill_daemon()
    until(lambda: display.last("display")["lost"])
    assert level(display) == [WON, "win"]
    table.start_daemon()
    view = table.until_recovered()
    assert [(claim.state, claim.dealer) for claim in view.claims] == [("confirmed", "Dee")]
    until(lambda: level(display) == [WON, "win"])
    assert _lamp(table) == Lamp.JACKPOT


def _to_the_end(table: ProcessTable) -> None:
    """The round is played and paid; its seat stays frozen, and the sign shows the current amount."""
    table.pull()
    table.until(lambda view: view.phase == "playing")
    table.until_settled()
    table.hands["console"].ask("press", action="stand", seat=SEAT)
    table.until(lambda view: view.phase == "paying")
    table.until_settled()
    table.hands["console"].ask("press", action="pay", seat=0)
    view = table.until(lambda view: view.phase == "betting")
    assert view.prompt == "Seat 1: blazing-7s is frozen until claim 1 is paid or void: lift the chips"
    until(lambda: level(table.hands["display"]) == [SEED, "runs"])
    table.hands["sensors"].ask("clear")
    table.until(lambda view: view.prompt.startswith("Place your bets"))
    assert _lamp(table) == Lamp.JACKPOT


def _say(table: ProcessTable, step: str, who: str) -> None:
    assert _asked(table, step, who) == ""


def _asked(table: ProcessTable, step: str, who: str) -> str:
    """Why the step is refused; empty if it is taken."""
    return take(table, {"step": {"claim": 1, "step": step, "why": "seen on camera"}}, who)


def _figures(table: ProcessTable) -> dict[str, int]:
    printed = tableside_here("jackpots", "--config", str(table.stage.config), "--json")
    books = json.loads(printed.stdout)["meters"][0]["books"]
    return {name: books[name] for name in ("display", "locked", "paid", "hits")}


def _lamp(table: ProcessTable) -> int:
    lamps = table.hands["sensors"].last("lamps")["lamps"]
    return int(lamps[SPOTS_PER_SEAT * (SEAT - 1) + SPOT])
