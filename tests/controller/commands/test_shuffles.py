"""Only the shoes of a journal that have ended are examined."""

import json
from pathlib import Path
from random import Random

from typer.testing import CliRunner, Result

from controller.cards import DECK
from controller.commands.app import app
from controller.journal.chain import RowContent
from controller.journal.journal import Journal
from controller.table.record.codec import to_row
from controller.table.record.events import DeviceEvent
from drivers.messages import CardDrawn, CardUnreadable, EventBody, Loaded


def shuffles(*args: str) -> Result:
    return CliRunner().invoke(app, ["shuffles", *args])


def write(path: Path, bodies: list[EventBody], history: bool = False, last: str = "round") -> None:
    """The last row is of a kind that ends a round, or not."""
    rows: list[RowContent] = [
        to_row(1000.0 + number, DeviceEvent("shoe", b"12345678", number, 0, b"1234", body, history))
        for number, body in enumerate(bodies, start=1)
    ]
    rows.append(RowContent(2000.0, last, "{}"))
    with Journal(path) as journal:
        journal.append(rows)


def shoe(seed: int) -> list[EventBody]:
    cards = [*DECK] * 6
    Random(seed).shuffle(cards)
    return [Loaded(6), *(CardDrawn(count, card) for count, card in enumerate(cards[:260], start=1))]


def test_the_shoe_in_play_is_left_out(tmp_path: Path) -> None:
    write(tmp_path / "t.db", [*shoe(1), *shoe(2), *shoe(3)[:100]])
    found = json.loads(shuffles(str(tmp_path / "t.db"), "--json").stdout)
    assert [(shoe["decks"], shoe["cards"], shoe["judged"]) for shoe in found["shoes"]] == [(6, 260, True)] * 2
    assert {test["test"] for test in found["tests"]} == {"ranks", "suits", "pairs", "runs"}
    assert all(test["degrees"] for test in found["tests"])


def test_a_shoe_that_ended_in_the_round_in_play_is_left_out(tmp_path: Path) -> None:
    write(tmp_path / "t.db", [*shoe(1), *shoe(2)[:3]], last="alert")
    assert json.loads(shuffles(str(tmp_path / "t.db"), "--json").stdout)["shoes"] == []


def test_an_unread_card_is_counted_and_its_shoe_not_judged(tmp_path: Path) -> None:
    write(tmp_path / "t.db", [*shoe(1), CardUnreadable(261), Loaded(6)])
    found = json.loads(shuffles(str(tmp_path / "t.db"), "--json").stdout)
    assert [(shoe["cards"], shoe["unread"], shoe["judged"]) for shoe in found["shoes"]] == [(261, 1, False)]


def test_what_was_before_the_table_met_the_shoe_is_not_its_own(tmp_path: Path) -> None:
    write(tmp_path / "t.db", [*shoe(1), *shoe(2)], history=True)
    assert json.loads(shuffles(str(tmp_path / "t.db"), "--json").stdout)["shoes"] == []


def test_the_shoes_are_printed_as_tables(tmp_path: Path) -> None:
    write(tmp_path / "t.db", [*shoe(1), Loaded(6)])
    shown = shuffles(str(tmp_path / "t.db")).stdout
    assert "1 shoes that have ended" in shown
    assert "chi-squared, limit 95%" in shown


def test_a_missing_journal_is_named(tmp_path: Path) -> None:
    ended = shuffles(str(tmp_path / "none.db"))
    assert (ended.exit_code, "none.db is not there" in ended.stderr) == (1, True)
