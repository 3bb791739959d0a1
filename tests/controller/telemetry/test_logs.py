"""Log lines for journald, and for everything else."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from controller.table.record import events
from controller.table.record.events import DiskSpace, Input
from controller.table.record.notes import Accessed, Note
from controller.telemetry.table_log import TableLog

SPEAK = """
import structlog
from controller.telemetry.logs import set_up
set_up()
log = structlog.get_logger("tableside.test")
for level in ("critical", "error", "warning", "info", "debug"):
    getattr(log, level)("spoken", level_was=level)
"""
WRONG = {"JOURNAL_STREAM": "1:1"}


def spoken(path: Path, journald: bool) -> list[str]:
    """The output of a process with journald, or something else, as its standard error."""
    with path.open("w") as stderr:
        status = os.fstat(stderr.fileno())
        heard = {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"} if journald else WRONG
        subprocess.run([sys.executable, "-c", SPEAK], stderr=stderr, env={**os.environ, **heard}, check=True)
    return path.read_text().splitlines()


def test_journald_is_told_the_priority(tmp_path: Path) -> None:
    lines = spoken(tmp_path / "log", journald=True)
    assert [line[:3] for line in lines] == ["<2>", "<3>", "<4>", "<6>"]
    assert [json.loads(line[3:])["level"] for line in lines] == ["critical", "error", "warning", "info"]


def test_lines_outside_journald_carry_no_priority(tmp_path: Path) -> None:
    lines = spoken(tmp_path / "log", journald=False)
    assert [json.loads(line)["level_was"] for line in lines] == ["critical", "error", "warning", "info"]


@pytest.mark.parametrize("field", ["event", "level", "timestamp"])
def test_each_log_line_has_the_promised_fields(field: str, tmp_path: Path) -> None:
    assert all(field in json.loads(line) for line in spoken(tmp_path / "log", journald=False))


@pytest.mark.parametrize(
    ("record", "level"),
    [
        (DiskSpace("stop", 1, "journal"), "error"),
        (DiskSpace("low", 1, "journal"), "warning"),
        (DiskSpace("enough", 1, "journal"), "info"),
        (events.TestMode(True, "Tim", "lamps"), "warning"),
        (events.TestMode(False, "Tim", ""), "info"),
        (Accessed("signed in", "Ann"), "info"),
        (Accessed("refused", ""), "info"),
        (Accessed("locked out", "Dee"), "warning"),
        (Accessed("forged", ""), "warning"),
    ],
)
def test_what_ends_well_or_happens_daily_warns_of_nothing(record: Input | Note, level: str) -> None:
    with capture_logs() as lines:
        TableLog()._write(record)
    assert [line["log_level"] for line in lines] == [level]
