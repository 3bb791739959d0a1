"""A whole table is tested in the middle of a deal, through its API, and goes on as if nothing had
happened."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from drivers.protocol.codes import LAMPS, Lamp
from tests.fixtures.loopback import CLIENT_OPTIONS
from tests.fixtures.process_table import ProcessTable
from tests.fixtures.waiting import until
from tests.system import script

MEANWHILE = frozenset({"alarms"})
"""What may differ afterwards: it is recorded that there was a test."""
COUNTED = frozenset({"at", "number"})
"""What devices show about time and the number of prompts."""
SHOWN = (("sensors", "lamps"), ("console", "prompt"), ("console", "keys"), ("display", "display"))


@contextmanager
def technician(house: ProcessTable) -> Iterator[httpx.Client]:
    """Tim, signed in."""
    (password,) = (member.secret for member in house.stage.staff if member.name == "Tim")
    with httpx.Client(base_url=f"http://127.0.0.1:{house.stage.web_port}", **CLIENT_OPTIONS) as client:
        fields = {"kind": "password", "name": "Tim", "secret": password}
        assert client.post("/api/v1/session", json=fields).status_code == 200
        client.headers["X-CSRF-Token"] = client.cookies["tableside_csrf"]
        yield client


def said(client: httpx.Client, path: str, **body: object) -> None:
    answer = client.post(f"/api/v1/{path}", json=body)
    assert answer.status_code == 204, answer.text


def seen(house: ProcessTable) -> tuple[dict[str, object], list[dict[str, object]]]:
    """The table's view, and what its devices show."""
    view = house.until_settled()
    values = {name: getattr(view, name) for name in view.__dataclass_fields__ if name not in MEANWHILE}
    values["devices"] = [(device.name, device.state) for device in view.devices]
    shown = [house.hands[device].last(notice) for device, notice in SHOWN]
    return values, [{name: each[name] for name in each.keys() - COUNTED} for each in shown]


def test_a_table_is_tested_in_the_middle_of_a_deal(tmp_path: Path) -> None:
    with ProcessTable(tmp_path) as house:
        house.start_daemon()
        with house.with_hands(), technician(house) as client:
            number = script.lay_out(house).round
            script.play(house, steps=range(7))
            script.at(house, 7)
            before = seen(house)
            said(client, "test-mode", on=True, why="seat 3 is dark")
            house.until(lambda view: view.testing)
            until(lambda: house.hands["display"].last("display")["lines"]["0"] == "TEST")
            touched(house)
            said(client, "lamp-test", pattern="win")
            all_win = list(bytes([Lamp.WIN]) * LAMPS)
            until(lambda: list(house.hands["sensors"].last("lamps")["lamps"]) == all_win)
            house.stop_daemon()
            house.start_daemon()
            house.until(lambda view: view.testing and view.lamp_test == "win" and len(view.suspended) == 1)
            said(client, "test-mode", on=False, why="lamp exchanged")
            house.until_recovered()
            assert seen(house) == before
            script.play(house, steps=range(7, len(script.ROUND)))
            assert script.lines(script.ended(house, number)) == script.LINES


def touched(house: ProcessTable) -> None:
    """A key, and a chip that is laid and taken again; the shoe gives no card."""
    house.hands["console"].ask("press", action="close")
    house.hands["sensors"].ask("put", seat=5, spot=0, cents=700)
    house.hands["sensors"].ask("take", seat=5, spot=0)
    view = house.until(lambda view: len(view.echo) == 3)
    assert view.echo[::-1] == ("Key close", "Chips on seat 5, main: 7.00", "Chips on seat 5, main: none")
    until(lambda: house.hands["shoe"].last("permit")["up_to"] == 0)
