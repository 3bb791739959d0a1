"""While the dealer's first card lies face down, nothing that leaves the daemon depends on it."""

import json
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from controller.demo.settings import DemoSettings
from tests.fixtures.process_table import ProcessTable
from tests.fixtures.waiting import until
from tests.system import script
from tests.system.supervising import decided, draw

HOLES = ("As", "4d")
"""A natural, and a hand that has to draw."""
STRANGE = "8c"
TRIES = 3
PATHS = ("/", "/api/v1/table", "/health", "/metrics")
METRICS_AGE = 1.1
"""Seconds after which neither the daemon nor the web server answers with metrics from before."""
MASKS = (
    (r'"counters":\{[^}]*\}', '"counters":{}'),
    (r'"condition":\{[^}]*\}', '"condition":{}'),
    (r"(?m)^(# .*|process_.*|tableside_web_process_.*|tableside_link_.*|tableside_journal_.*)\n", ""),
    (r"(?m)^(tableside_disk_free_.*|tableside_device_memory_.*)\n", ""),
    (r"(?m)^(tableside_pace_.*|.*_timestamp_seconds.*)\n", ""),
    (r"(?m)^(.*_seconds_(bucket|sum).*)\n", ""),
    (r'"timestamp": "[^"]*"', ""),
    (r'"(since|first|last|ended|at)":[0-9.]+', ""),
)
"""What differs from run to run whatever the cards are: counts of bytes, free places, durations, times."""
ACCESS = '"event": "access"'
CHECKED = '"event": "deck checked"'
"""The shuffler checks its pack while the table starts."""
Seen = tuple[list[str], list[str]]
"""Until the card is turned, and then."""


def test_no_byte_depends_on_the_card_that_lies_face_down(tmp_path: Path) -> None:
    (first, turned), (second, turned_otherwise) = (
        steadily(tmp_path / hole, DemoSettings(), partial(seen, hole=hole)) for hole in HOLES
    )
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        assert one == other, number
    assert "??" in "".join(first)
    assert "5c" in "".join(first)
    assert turned != turned_otherwise  # once it is turned, the comparison must see it


def steadily(folder: Path, scene: DemoSettings, see: Callable[[ProcessTable], Seen]) -> Seen:
    """What can be seen of a table. A machine that pauses for seconds is seen, too: then once more."""
    for number in range(TRIES):
        with ProcessTable(folder / str(number), scene) as house:
            house.start_daemon()
            with house.with_hands():
                seen = see(house)
                if house.steady():
                    return seen
    raise AssertionError("this machine stands still all the time")


def seen(house: ProcessTable, hole: str) -> Seen:
    """Step by step: from the deal on until the card is turned, and then."""
    script.lay_out(house, f"9c 4h 7s {hole} 5c {STRANGE} 2s 9d {script.SPARE}")
    until(lambda: CHECKED in house.log())
    written = len(house.log())
    for hand in house.hands.values():
        hand.all_notices()
    script.play(house, steps=range(8))
    shots = [*shot(house, 8), *trouble(house)]
    house.until_permitted()
    outputs = [*logs(house, written), *(notices(house, kind) for kind in house.hands)]
    script.play(house, steps=range(10, 11))
    return [*shots, *outputs], after(house)


def trouble(house: ProcessTable) -> list[str]:
    """A refused key, and a card that nobody could read."""
    house.hands["console"].ask("press", action="pay", seat=0)
    house.until(lambda view: view.alerts)
    refused = looks(house)
    script.play(house, steps=range(8, 9))
    shots = shot(house, 9)
    house.hands["shoe"].ask("unreadable")
    draw(house)
    house.until(lambda view: view.suspended)
    house.until_settled()
    suspended = looks(house)
    decided(house, "burn")
    script.play(house, steps=range(9, 10))
    return [*refused, *shots, *suspended, *shot(house, 10)]


def shot(house: ProcessTable, step: int) -> list[str]:
    """Everything there is to look at when the prompt of this step is shown."""
    script.at(house, step)
    return looks(house)


def after(house: ProcessTable) -> list[str]:
    house.until(lambda view: view.phase == "paying" or "draw" in view.prompt)
    house.until_settled()
    return looks(house)


def looks(house: ProcessTable) -> list[str]:
    with house.event_lines() as lines:
        stream = "".join(iter(lambda: next(lines), "event: beat\n"))
    time.sleep(METRICS_AGE)
    return [masked(house, text) for text in (stream, *map(house.page, PATHS))]


def logs(house: ProcessTable, written: int) -> list[str]:
    """The daemon's log from this place on: what the table did, and who signed in. Both are written at the
    same time, so their order differs from run to run."""
    lines = masked(house, house.log()[written:]).splitlines()
    access = [line for line in lines if ACCESS in line]
    return ["\n".join(line for line in lines if ACCESS not in line), "\n".join(access)]


def notices(house: ProcessTable, kind: str) -> str:
    """What this device showed; of the cards that the shoe gave only how many, of a prompt not its number."""
    records = house.hands[kind].all_notices()
    shown = [{**notice, "at": 0, "card": "", "number": 0} for notice in records]
    return json.dumps(shown)


def masked(house: ProcessTable, text: str) -> str:
    text = text.replace(str(house.stage.folder), "FOLDER").replace(str(house.stage.web_port), "PORT")
    for pattern, instead in MASKS:
        text = re.sub(pattern, instead, text)
    return text
