"""A journal that an older version wrote with a device that sent impossible numbers plays on."""

from dataclasses import replace
from pathlib import Path

from controller.journal.journal import Journal
from controller.table.record.codec import read_input, to_row
from controller.table.record.events import DeviceUp
from tests.fixtures.process_table import ProcessTable, device
from tests.system import script

ONES = 2**64 - 1


def poison(path: Path) -> None:
    """The console said so when it came last."""
    with Journal(path) as journal:
        rows = [entry.content for entry in journal.since(0) if entry.content.kind == "device up"]
        ups = [event for event in map(read_input, rows) if isinstance(event, DeviceUp)]
        said = [event for event in ups if event.device == "console"][-1]
        facts = replace(said.facts, last_key=ONES)
        journal.append([to_row(rows[-1].at, replace(said, facts=facts))])


def test_a_journal_with_a_key_of_all_ones_is_played_on(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    house.stop_daemon()
    poison(house.stage.journal)
    house.start_daemon()
    house.until_recovered()
    assert "the journal holds an impossible number" in house.log()
    assert f"key {ONES}: it counts for nothing" in house.log()
    assert "our own bug" not in house.log()
    script.play(house)
    assert script.lines(script.ended(house, number)) == script.LINES
    assert device(house.view(), "console").state == "running"
