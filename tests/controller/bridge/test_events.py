"""Which rows are events, and what they say."""

import json
from pathlib import Path

import pytest

from controller.bridge.events import Event, TableName, event_of_row
from controller.bridge.place import Place, PlaceError, PlaceFile
from controller.journal.history import History
from tests.fixtures.core_table import open_core

TABLE = TableName("bj-7", "Table 7", "EUR")
WON = "1:blazing-7s=100 1:main=500 close 7h 9c 7d Kc 1:hit 7s 1:stand 1:pay 1:main= 1:blazing-7s="


async def events_after(folder: Path, tokens: str, game: str = "ez-bust") -> list[Event]:
    """The events of a table at which this was played."""
    async with open_core(folder, tokens, game):
        found = (event_of_row("j", entry) for entry in History(folder / "journal").rows())
        return [event for event in found if event]


async def test_a_round_is_written_with_its_hands_and_amounts(tmp_path: Path) -> None:
    events = await events_after(tmp_path, "1:main=500 close 8h 9c 9d Kc 1:stand 1:pay 1:main=")
    [ended] = [event for event in events if event.kind == "round"]
    fields = json.loads(ended.payload(TABLE))
    assert {name: fields[name] for name in ("v", "event", "table", "name", "currency", "journal")} == {
        "v": 1,
        "event": "round",
        "table": "bj-7",
        "name": "Table 7",
        "currency": "EUR",
        "journal": "j",
    }
    assert fields["id"] == f"j-{fields['row']}"
    entry = History(tmp_path / "journal").at(fields["row"])
    assert (fields["hash"], fields["at"]) == (entry.hash.hex(), entry.content.at)
    assert fields["round"]["change"] == "ended"
    assert fields["round"]["number"] == 1
    assert fields["round"]["seats"][0]["hands"][0]["cards"] == ["8h", "9d"]
    assert [line["paid"] for line in fields["round"]["lines"]] == [-500]


async def test_a_suspension_is_an_alert_with_its_code(tmp_path: Path) -> None:
    events = await events_after(tmp_path, "8h")
    alerts = [event.content for event in events if event.kind == "alert"]
    assert ("SUSPENDED", "warning") in {(alert["code"], alert["level"]) for alert in alerts}


async def test_a_jackpot_says_how_its_meter_moved(tmp_path: Path) -> None:
    events = await events_after(tmp_path, WON, "blackjack-x")
    changes = [event.content for event in events if event.kind == "jackpot"]
    fed = next(change for change in changes if change["change"] == "contribution")
    assert fed["after"] > fed["before"]
    assert fed["spot"] == "blazing-7s"


def test_a_damaged_file_of_a_place_is_named_and_says_what_to_do(tmp_path: Path) -> None:
    file = PlaceFile(tmp_path / "mqtt.place")
    assert file.read() is None
    for place in (Place("j", 1, "00"), Place("j", 2, "01")):
        file.store(place, on_disk=place.row == 2)
        assert file.read() == place
    for text in ("", "{}", '{"journal": "j", "row": 1, "hash": "xy"}', "[]"):
        file.path.write_text(text)
        with pytest.raises(PlaceError, match=f"{file.path} is damaged; delete it"):
            file.read()
