"""A journal of several files is exported as one, as far as its files are kept."""

import json
from pathlib import Path

import pytest

from controller.table.state.snapshot import opening_row
from tests.controller.past.export.exporting import FIRST, SECOND, append_checkpoint, bundle, rows, sheet
from tests.controller.past.export.test_evidence import recomputed
from tests.fixtures.played_journal import played_table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The first file is closed behind round 1."""
    with played_table(tmp_path) as at:
        at.play(FIRST)
        append_checkpoint(at)
        at.loop.journal.roll([opening_row(1000.0, at.state)])
        append_checkpoint(at)
        at.clear()
        at.play(SECOND)
        append_checkpoint(at)
        at.clear()
    return tmp_path


def test_every_row_of_all_files_is_exported_once(folder: Path) -> None:
    found = rows(folder)
    assert [row["row"] for row in found] == list(range(1, len(found) + 1))
    assert [row["kind"] for row in found if row["kind"] in ("round", "continued", "checkpoint")] == [
        "round",
        "checkpoint",
        "continued",
        "checkpoint",
        "round",
        "checkpoint",
    ]


def test_each_round_is_of_its_number(folder: Path) -> None:
    second = rows(folder, "--round", "2")
    assert [row["kind"] for row in second][:3] == ["snapshot", "checkpoint", "continued"]
    assert second[-1]["body"]["round"]["number"] == 2
    assert [line["round"] for line in sheet(folder, "settlements")] == ["1", "1", "1", "2"]


@pytest.mark.parametrize("number", [1, 2])
def test_evidence_is_exported_from_every_file(folder: Path, tmp_path: Path, number: int) -> None:
    files = bundle(folder, number)
    recomputed(files, tmp_path / "out")
    assert json.loads(files["manifest.json"])["checkpoint"] is not None
    assert "The rules settle this round the same." in files["steps.txt"].decode()


def test_the_export_begins_with_the_oldest_file_that_is_left(folder: Path, tmp_path: Path) -> None:
    whole = rows(folder)
    before = bundle(folder, 2)
    for file in (folder / "journal.sqlite.archive").iterdir():
        file.unlink()
    left = rows(folder)
    assert left == whole[-len(left) :]
    assert left[0]["kind"] == "continued"
    assert rows(folder, "--round", "1") == []
    after = bundle(folder, 2)
    recomputed(after, tmp_path / "out")
    assert after == before
    assert json.loads(after["manifest.json"])["game"] == "easy-jack"
