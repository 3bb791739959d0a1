"""Rows as JSON Lines: everything that may be shown, and nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal.chain import JournalRow, RowContent, row_hash
from controller.journal.history import History
from controller.past.export.chapters import rounds_of_rows
from tests.controller.past.export.exporting import FIRST, SECOND, export, rows, run
from tests.fixtures.played_journal import journal, played_table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with played_table(tmp_path) as at:
        at.play(FIRST)
        at.clear()
        at.play(SECOND)
        at.clear()
    return tmp_path


def test_every_row_comes_back_with_its_hash(folder: Path) -> None:
    found, before = rows(folder), bytes(32)
    assert [row["row"] for row in found] == list(range(1, len(found) + 1))
    assert len(found) == len(list(History(journal(folder)).rows()))
    for row in found:
        body = json.dumps(row["body"], separators=(",", ":"))
        log = bytes.fromhex(row["log"])
        content = RowContent(row["at"], row["kind"], body, row["device"], log, row["number"])
        before = row_hash(before, row["row"], content)
        assert before.hex() == row["hash"]
        assert row["time"] == "1970-01-01T00:16:40.000000Z"


def test_a_round_has_all_from_the_snapshot_before_it(folder: Path) -> None:
    first, second = rows(folder, "--round", "1"), rows(folder, "--round", "2")
    assert (first[0]["kind"], first[-1]["kind"]) == ("started", "round")
    assert (second[0]["kind"], second[-1]["kind"]) == ("snapshot", "round")
    assert second[0]["row"] == first[-1]["row"] + 1
    assert second[-1]["body"]["round"]["number"] == 2


@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        (["--from", "2", "--to", "2"], {2}),
        (["--to", "1"], {1}),
        (["--from", "1970-01-01T00:16:40"], {1, 2}),
        (["--to", "1970-01-01T00:16:40"], set()),
        (["--to", "1970-01-01"], {1, 2}),
        (["--from", "1970-01-01T01:16:41+01:00"], set()),
        (["--from", "2", "--to", "1970-01-01"], {2}),
    ],
)
def test_only_the_rounds_of_the_requested_span_are_exported(
    folder: Path, arguments: list[str], numbers: set[int]
) -> None:
    ended = [row["body"]["round"]["number"] for row in rows(folder, *arguments) if row["kind"] == "round"]
    assert set(ended) == numbers


def test_one_round_at_a_time_is_in_memory(folder: Path) -> None:
    """Each round is printed before the next is read."""
    read: list[int] = []

    def noted() -> Iterator[JournalRow]:
        for entry in History(journal(folder)).rows():
            read.append(entry.row)
            yield entry

    for chapter in rounds_of_rows(noted()):
        if chapter.ended:
            assert read[-1] == chapter.rows[-1].row + 1


def test_a_file_is_whole_private_and_says_nothing(folder: Path) -> None:
    file = folder / "rows.jsonl"
    file.write_text("old")
    result = export(folder, "--output", str(file))
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert file.read_text() == export(folder).stdout
    assert file.stat().st_mode & 0o777 == 0o600
    assert {path.name for path in folder.iterdir()} >= {"rows.jsonl"}
    assert not [path for path in folder.iterdir() if path.name.startswith(".rows")]


class TestRefused:
    def test_a_damaged_journal_leaves_no_file(self, folder: Path) -> None:
        whole = journal(folder).read_bytes()
        place = whole.rindex(b'"number":2,')
        journal(folder).write_bytes(whole[:place] + b'"number":7,' + whole[place + 11 :])
        file = folder / "rows.jsonl"
        result = export(folder, "--output", str(file))
        assert result.exit_code == 1
        assert "damaged" in result.stderr
        assert not [path for path in folder.iterdir() if "rows.jsonl" in path.name]

    def test_a_missing_folder_is_refused(self, folder: Path) -> None:
        result = export(folder, "--output", str(folder / "no" / "rows"))
        assert (result.exit_code, result.stdout) == (1, "")
        assert "no/rows cannot be written: No such file or directory" in result.stderr

    @pytest.mark.parametrize(
        ("arguments", "fault"),
        [
            ([], "no journal is named; allowed: its file, or --config FILE of its table"),
            (["j", "--config", "t.toml"], "j and --config are not allowed together; allowed: one of them"),
            (["--config", "absent.toml"], "absent.toml cannot be read: No such file or directory"),
            (["j", "--what", "meters"], "--what is allowed with --format csv only"),
            (
                ["j", "--from", "yesterday"],
                "'yesterday' is not an end of a span; allowed: a round's number, a date",
            ),
            (["j", "--to", "9999-12-31"], "'9999-12-31' is not an end of a span"),
            (["j", "--round", "1", "--to", "2"], "--round and --from or --to are not allowed together"),
            (["j", "--evidence", "1"], "--evidence needs --output FILE, and no --round, --from or --to"),
            (
                ["j", "--evidence", "1", "--output", "x", "--to", "2"],
                "--evidence needs --output FILE, and no",
            ),
        ],
    )
    def test_contradictory_options_are_refused(self, arguments: list[str], fault: str) -> None:
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert fault in result.stderr
