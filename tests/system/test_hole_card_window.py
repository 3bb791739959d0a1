"""A hole card under a window, and a peek that finds no natural: two whole daemons say the same."""

import re
from functools import partial
from pathlib import Path
from typing import Any

from controller.demo.settings import DemoSettings
from tests.fixtures.process_table import ProcessTable
from tests.fixtures.waiting import until
from tests.system.test_hole_card import CHECKED, Seen, looks, masked, notices, steadily

HOLES = ("9h", "2c")
"""No natural under a ten."""
Step = tuple[str, str, dict[str, Any]]
PULL: dict[str, Any] = {"do": "pull"}
DEAL: tuple[Step, ...] = (
    ("Place your bets", "sensors", {"do": "put", "seat": 1, "spot": 0, "cents": 1000}),
    ("Place your bets: 1 wager", "console", {"do": "press", "action": "close", "seat": 0}),
    ("Burn 1 card", "shoe", PULL),
    ("Deal 4 cards", "shoe", PULL),
    ("Deal 3 cards", "shoe", PULL),
    ("Deal 2 cards", "shoe", PULL),
    ("Deal 1 card", "shoe", PULL),
)
PLAY: tuple[Step, ...] = (
    ("EZ Bust open: seat 1. ", "sensors", {"do": "put", "seat": 1, "spot": 1, "cents": 500}),
    ("EZ Bust open: seat 1 (1 placed)", "console", {"do": "press", "action": "split", "seat": 1}),
    ("EZ Bust open: seat 1. Seat 1 hand 1", "shoe", PULL),
    ("Seat 1 hand 1 has 18", "console", {"do": "press", "action": "stand", "seat": 1}),
    ("Seat 1 hand 2", "shoe", PULL),
)
LAST: Step = ("Seat 1 hand 2 has 17", "console", {"do": "press", "action": "stand", "seat": 1})


def test_two_daemons_say_the_same_until_the_hole_card_is_turned(tmp_path: Path) -> None:
    (first, turned), (second, turned_otherwise) = (
        steadily(tmp_path / hole, DemoSettings(game="ez-bust"), partial(seen, hole=hole)) for hole in HOLES
    )
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        assert one == other, number
    assert "??" in "".join(first)
    assert turned != turned_otherwise


def seen(house: ProcessTable, hole: str) -> Seen:
    """After each step until the card is turned, and then."""
    lay_out(house, f"Kc 8h 6d 8s {hole} Ts 9s 2h 4d 5s 7c")
    house.until(lambda view: view.shoe.shuffler == "ready")
    until(lambda: CHECKED in house.log())
    for hand in house.hands.values():
        hand.all_notices()
    written = len(house.log())
    assert no_core(house)
    shots = [text for step in (*DEAL, *PLAY) for text in shot(house, step)]
    house.until(lambda view: view.prompt.startswith(LAST[0]))
    house.until_settled()
    house.until_permitted()
    outputs = [masked(house, house.log()[written:]), *(notices(house, kind) for kind in house.hands)]
    shots += shot(house, LAST)
    house.until(lambda view: "??" not in view.dealer.cards)
    house.until_settled()
    return [*shots, *outputs], looks(house)


def no_core(house: ProcessTable) -> bool:
    """Whether the daemon dumps no core, which would hold the card."""
    assert house.stage.daemon is not None
    limits = Path(f"/proc/{house.stage.daemon.pid}/limits").read_text(encoding="utf-8")
    return re.search(r"Max core file size +0 +0 ", limits) is not None


def lay_out(house: ProcessTable, cards: str) -> None:
    """These cards in the shoe, and a table that waits for wagers."""
    house.hands["sensors"].ask("clear")
    house.until(lambda view: view.prompt in {"Place your bets", "Load the shoe"})
    house.hands["shoe"].ask("load", cards=cards, decks=6)
    house.until(lambda view: view.shoe.cards_out == 0 and view.prompt == "Place your bets")
    house.until_settled()


def shot(house: ProcessTable, step: Step) -> list[str]:
    """Everything there is to look at when this prompt is shown; then somebody does what is due."""
    prompt, device, request = step
    house.until(lambda view: view.prompt.startswith(prompt))
    house.until_settled()
    looked = looks(house)
    house.hands[device].ask_when_permitted(**request)
    return looked
