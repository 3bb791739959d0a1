"""A round that was corrected after it had ended: before and after."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from controller.table.people.decisions import preview_decision
from controller.table.record.events import Supervisor
from tests.controller.past.export.exporting import FIRST, SECOND, bundle, export, rows, sheet
from tests.fixtures.played_journal import PlayedTable, played_table


def correct(at: PlayedTable) -> None:
    """The card that seat 1 drew was a nine."""
    said = Supervisor("correct", "Ann", "seen on film", "9s", "Bob", seat=1, number=2, old="6s", round=1)
    at.apply(replace(said, token=preview_decision(at.state, said).token))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with played_table(tmp_path) as at:
        at.play(FIRST)
        at.clear()
        before = bundle(tmp_path)
        at.play(SECOND)
        at.clear()
        correct(at)
    (tmp_path / "before.json").write_bytes(before["manifest.json"])
    return tmp_path


def test_the_sheet_has_the_round_before_and_after_its_correction(folder: Path) -> None:
    found = [line for line in sheet(folder, "settlements", "--round", "1") if line["seat"] == "1"]
    assert [(line["ended"], line["reason"]) for line in found] == [
        ("settled", "11 beats dealer's 10"),
        ("corrected", "bust with 14"),
    ]
    assert len(sheet(folder, "settlements", "--round", "1")) == 6
    assert {line["round"] for line in sheet(folder, "settlements", "--round", "2")} == {"2"}


def test_rows_of_a_round_are_with_what_was_corrected_of_it(folder: Path) -> None:
    assert [row["kind"] for row in rows(folder, "--round", "1")][-2:] == ["round", "corrected"]
    assert "corrected" not in {row["kind"] for row in rows(folder, "--round", "2")}


def test_a_correction_between_rounds_is_exported_with_its_supervisor(folder: Path) -> None:
    assert export(folder).stderr == ""
    kinds = [row["kind"] for row in rows(folder)]
    assert kinds[kinds.index("supervisor") :] == ["supervisor", "corrected", "alert", "alert"]


def test_evidence_adds_the_correction_and_keeps_its_hash(folder: Path) -> None:
    files = bundle(folder)
    assert files["manifest.json"] == (folder / "before.json").read_bytes()
    (line,) = files["corrections.jsonl"].splitlines()
    answer = json.loads(line)["body"]
    assert (answer["old"], answer["new"], answer["who"], answer["second"]) == ("6s", "9s", "Ann", "Bob")
    assert "corrections.jsonl" in files["SHA256SUMS"].decode()
    assert b"11 beats" in files["round.json"]
    assert "corrections.jsonl" not in bundle(folder, 2)
