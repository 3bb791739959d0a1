"""Memories that do not match: a device's old one, a wiped one, a journal from a backup."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from controller.table.record.views import TableView
from tests.fixtures.process_table import ProcessTable, device
from tests.system import script
from tests.system.supervising import decided

RING = 1100
"""Events; more than a device keeps."""
SAID = r"Card \d+ left the shoe although it was locked|Events \d+ to \d+ of the console are lost: .*"


def database(path: Path) -> Iterator[Path]:
    """The files of a SQLite database."""
    return (path.with_name(path.name + suffix) for suffix in ("", "-wal", "-shm", "-head", "-sums"))


def saved(path: Path) -> dict[Path, bytes]:
    """Their content."""
    return {file: file.read_bytes() for file in database(path) if file.exists()}


def put_back(path: Path, contents: Mapping[Path, bytes]) -> None:
    """Restores their content."""
    for file in database(path):
        file.unlink(missing_ok=True)
    for file, content in contents.items():
        file.write_bytes(content)


def wagers(view: TableView) -> dict[tuple[int, str], int | None]:
    """The wagers on the page."""
    return {(seat.seat, spot.spot): spot.cents for seat in view.seats for spot in seat.spots if spot.present}


def test_an_old_memory_is_refused_until_it_is_formatted(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    memory = house.stage.folder / "console.memory"
    before = saved(memory)
    script.play(house)
    script.ended(house, number)
    house.kill_device("console")
    put_back(memory, before)
    house.start_device("console")
    view = house.until(lambda view: device(view, "console").state == "refused")
    assert "rolled back? format it" in device(view, "console").detail
    house.hands["console"].ask("format")
    house.until_recovered()


def test_a_journal_from_a_backup_needs_a_person(house: ProcessTable) -> None:
    """What the devices did since is never play; the shoe's cards are unknown, the chips are not."""
    script.lay_out(house)
    script.play(house, steps=range(1))
    house.stop_daemon()
    before = saved(house.stage.journal)
    house.start_daemon()
    view = house.until_recovered()
    number = view.round
    script.play(house, steps=range(1, len(script.ROUND)))
    script.ended(house, number)
    house.hands["sensors"].ask("take", seat=1, spot=0)
    house.until(lambda view: len(wagers(view)) == 2)
    house.stop_daemon()
    put_back(house.stage.journal, before)
    house.start_daemon()
    view = house.until_recovered()
    assert (view.round, view.phase, view.shoe.loaded) == (number, "betting", False)
    assert wagers(view) == {(3, "main"): 1000, (3, "dealer-bust"): 200}


def test_a_memory_that_ran_full_names_what_it_lost(house: ProcessTable) -> None:
    """What could not be kept is named; cards were kept."""
    number = script.lay_out(house).round
    script.play(house, steps=range(5))
    script.at(house, 5)
    house.stop_daemon()
    for _ in range(RING):
        house.hands["console"].ask("press", action="pay")
    house.hands["shoe"].ask("pull", force=True)
    house.start_daemon()
    view = house.until(lambda view: len(view.suspended) == 2 and device(view, "console").state == "running")
    assert all(re.fullmatch(SAID, why) for why in view.suspended)
    decided(house, "card")
    decided(house, "resume")
    script.play(house, steps=range(6, len(script.ROUND)))
    assert script.lines(script.ended(house, number)) == script.LINES


def test_sensors_that_forgot_everything_tell_what_lies_there(house: ProcessTable) -> None:
    script.lay_out(house)
    script.play(house, steps=range(3))
    script.at(house, 3)
    house.hands["sensors"].ask_at_once({"do": "take", "seat": 1, "spot": 0}, {"do": "format"})
    house.until(lambda view: (1, "main") not in wagers(view))
    house.until_recovered()
    assert wagers(house.view()) == {(3, "main"): 1000, (3, "dealer-bust"): 200}
