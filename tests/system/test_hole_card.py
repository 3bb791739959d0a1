"""While the dealer's first card lies face down, nothing that leaves the daemon depends on it."""

import json
import re
from pathlib import Path

from tests.system import script
from tests.system.house import House
from tests.system.supervising import decided, draw

HOLES = ("As", "4d")
"""A natural, and a hand that has to draw."""
STRANGE = "8c"
PATHS = ("/", "/api/v1/table", "/health", "/metrics")
MASKS = (
    (r'"counters":\{[^}]*\}', '"counters":{}'),
    (r'"condition":\{[^}]*\}', '"condition":{}'),
    (r"(?m)^(# .*|process_.*|tableside_link_.*|tableside_journal_.*)\n", ""),
    (r"(?m)^(tableside_disk_free_.*|tableside_device_memory_.*)\n", ""),
    (r"(?m)^(tableside_pace_.*|.*_timestamp_seconds.*)\n", ""),
    (r"(?m)^(.*_seconds_(bucket|sum).*)\n", ""),
    (r'"timestamp": "[^"]*"', ""),
    (r'"(since|first|last|at)":[0-9.]+', ""),
)
"""What differs from run to run whatever the cards are: counts of bytes, places that are free,
durations, moments."""


def test_no_byte_depends_on_the_card_that_lies_face_down(tmp_path: Path) -> None:
    (first, turned), (second, turned_otherwise) = (seen(tmp_path / hole, hole) for hole in HOLES)
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        assert one == other, number
    assert "??" in "".join(first)
    assert "5c" in "".join(first)
    assert turned != turned_otherwise  # once it is turned it is no secret: the comparison sees it


def seen(folder: Path, hole: str) -> tuple[list[str], list[str]]:
    """What can be seen, step by step: from the deal on until the card is turned, and then."""
    cards = f"9c 4h 7s {hole} 5c {STRANGE} 2s 9d {script.SPARE}"
    with House(folder) as house:
        house.start_daemon()
        with house.staffed():
            script.lay_out(house, cards)
            written = len(house.log())
            for hand in house.hands.values():
                hand.all_notices()
            script.play(house, steps=range(8))
            shots = [*shot(house, 8), *trouble(house)]
            permitted(house)
            told = [masked(house, house.log()[written:]), *(notices(house, kind) for kind in house.hands)]
            script.play(house, steps=range(10, 11))
            return [*shots, *told], after(house)


def trouble(house: House) -> list[str]:
    """A key that is refused, and a card that nobody could read."""
    house.hands["console"].ask("press", action="pay", seat=0)
    house.until(lambda view: view.alerts)
    refused = looks(house)
    script.play(house, steps=range(8, 9))
    shots = shot(house, 9)
    house.hands["shoe"].ask("unreadable")
    draw(house)
    house.until(lambda view: view.suspended)
    house.settled()
    suspended = looks(house)
    decided(house, "burn")
    script.play(house, steps=range(9, 10))
    return [*refused, *shots, *suspended, *shot(house, 10)]


def shot(house: House, step: int) -> list[str]:
    """Everything there is to look at when the prompt of this step is shown."""
    script.at(house, step)
    return looks(house)


def permitted(house: House) -> None:
    """Returns when the shoe, too, has heard that the next card is due."""
    house.until(lambda view: house.hands["shoe"].last("permit")["up_to"] == view.shoe.cards_out + 1)


def after(house: House) -> list[str]:
    house.until(lambda view: view.phase == "paying" or "draw" in view.prompt)
    house.settled()
    return looks(house)


def looks(house: House) -> list[str]:
    with house.following() as told:
        stream = "".join(iter(lambda: next(told), "event: beat\n"))
    return [masked(house, text) for text in (stream, *map(house.page, PATHS))]


def notices(house: House, kind: str) -> str:
    """What this device showed; of the cards that the shoe gave out only how many, of a prompt not which
    one since the start it was."""
    told = house.hands[kind].all_notices()
    shown = [{**notice, "at": 0, "card": "", "number": 0} for notice in told]
    return json.dumps(shown)


def masked(house: House, text: str) -> str:
    text = text.replace(str(house.stage.folder), "FOLDER").replace(str(house.stage.web_port), "PORT")
    for pattern, instead in MASKS:
        text = re.sub(pattern, instead, text)
    return text
