"""The journal's cards as the audit of a demonstration reads them."""

import json
from pathlib import Path

from controller.demo.audit import read_audit
from controller.journal.journal import Journal
from controller.table.record.codec import to_row
from controller.table.record.events import DeviceEvent, Input, Supervisor
from controller.table.record.notes import Alert
from drivers.messages import CardDrawn, CardInterrupted, CardUnreadable, EventBody

LOG = bytes(8)


def seen(number: int, body: EventBody) -> Input:
    return DeviceEvent("shoe", LOG, number, 0, LOG, body, history=False)


def named(card: str) -> Input:
    return Supervisor("card", "Ann", "saw it", card)


def test_a_card_that_a_supervisor_named_is_in_the_audit(tmp_path: Path) -> None:
    inputs = [
        seen(1, CardDrawn(1, "As")),
        seen(2, CardUnreadable(2)),
        named("Td"),
        seen(3, CardInterrupted(3)),
        named("2h"),
        seen(4, CardDrawn(4, "9c")),
    ]
    with Journal(tmp_path / "journal") as journal:
        journal.append([to_row(0.0, each) for each in inputs])
    (tmp_path / "shoe").write_text("1 As 0.1\n2 Td 0.2\n3 2h 0.3\n4 9c 0.4\n")
    books = read_audit(tmp_path / "journal", tmp_path / "shoe")
    assert books.cards == books.shoe_cards == ((1, "As"), (2, "Td"), (3, "2h"), (4, "9c"))


def test_a_card_that_only_one_of_them_has(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        journal.append([to_row(0.0, seen(1, CardDrawn(1, "As")))])
    (tmp_path / "shoe").write_text("1 As 0.1\n2 Td 0.2\n")
    books = read_audit(tmp_path / "journal", tmp_path / "shoe")
    assert books.cards != books.shoe_cards


def test_alerts_of_the_journal_are_in_the_audit(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        journal.append([to_row(0.0, Alert("chips too early")), to_row(0.0, seen(1, CardDrawn(1, "As")))])
    books = read_audit(tmp_path / "journal", tmp_path / "shoe")
    assert [json.loads(warning) for warning in books.warnings] == [{"text": "chips too early"}]
