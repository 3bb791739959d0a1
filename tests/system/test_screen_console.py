"""A whole table without a hardware console, dealt from the console on the page."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fixtures.loopback import CLIENT_OPTIONS
from tests.fixtures.process_table import ProcessTable
from tests.system.script import CARDS, LINES, ROUND, SPARE, Step, lines


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ProcessTable]:
    """Its configuration has no console, the simulated one is left alone; Dee may deal."""
    with ProcessTable(tmp_path) as house:
        known, _, rest = house.stage.config.read_text().partition("\n[devices.console]\n")
        assert rest.count("[") == 0, "the console is the last section"
        house.stage.config.write_text(known)
        with house.with_hands():
            house.start_daemon()
            yield house


@pytest.fixture
def screen(house: ProcessTable) -> Iterator[httpx.Client]:
    """Dee has signed in."""
    (pin,) = (member.secret for member in house.stage.staff if member.name == "Dee")
    with httpx.Client(base_url=house.stage.address, **CLIENT_OPTIONS) as client:
        answer = client.post("/api/v1/session", json={"kind": "pin", "name": "Dee", "secret": pin})
        assert answer.status_code == 200, answer.text
        client.headers["X-CSRF-Token"] = client.cookies["tableside_csrf"]
        yield client


def do(house: ProcessTable, screen: httpx.Client, step: Step) -> None:
    view = house.until(lambda view: view.prompt == step.prompt)
    assert {device.name for device in view.devices} == {"shoe", "shuffler", "sensors", "display"}
    if step.device != "console":
        house.hands[step.device].ask_when_permitted(**step.request)
        return
    key: dict[str, Any] = {"action": step.fields["action"], "seat": step.fields["seat"]}
    answer = screen.post("/api/v1/keys", json={**key, "round": view.round})
    assert answer.status_code == 204, answer.text


def test_a_round_is_dealt_from_the_screen_alone(house: ProcessTable, screen: httpx.Client) -> None:
    assert "console" not in tomllib.loads(house.stage.config.read_text())["devices"]
    house.until(lambda view: view.prompt in {"Place your bets", "Load the shoe"})
    house.hands["shoe"].ask("load", cards=f"{CARDS} {SPARE}", decks=8)
    house.until(lambda view: view.shoe.cards_out == 0)
    for step in ROUND:
        do(house, screen, step)
    ended = house.until(lambda view: view.rounds).rounds[0]
    assert (lines(ended), house.view().croupier) == (LINES, "Dee")
