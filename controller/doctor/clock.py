"""The computer's clock: whether a time server sets it, and whether it has been set back."""

import ctypes
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import controller
from controller.doctor.finding import Finding
from controller.doctor.subject import Subject
from controller.journal.names import parts

UNSYNCHRONISED: Final = 5
"""TIME_ERROR of adjtimex(2): no program keeps the clock right."""
TIMEX: Final = 512
"""Bytes, more than its struct timex has. With 0 in its first field, the call only reads."""
TOLERANCE: Final = 2.0
"""Seconds by which a file may be younger than now."""
SET_IT: Final = "Set the clock, and see that a time server keeps it right: timedatectl set-ntp true"


def check_clock(subject: Subject) -> Iterator[Finding]:
    yield clock_finding(_kernel_clock_state())
    yield _not_set_back(subject.journal, time.time())
    zone = subject.config.table.time_zone
    here = subject.config.report_settings.calendar.format_time(time.time())
    yield Finding("time zone", "ok", f"it is {here} at the table ({zone}, table.time_zone)")


def _kernel_clock_state() -> int | None:
    """The answer of adjtimex(2); None if the kernel does not give one."""
    try:
        answer: int = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(TIMEX))
    except (OSError, AttributeError):
        return None
    return None if answer < 0 else answer


def clock_finding(state: int | None) -> Finding:
    check = "clock"
    if state is None:
        return Finding(check, "not checked", "the kernel does not say whether the clock is synchronised")
    if state == UNSYNCHRONISED:
        text = "no time server keeps the clock right: the times in the journal can be wrong"
        return Finding(check, "warning", text, SET_IT)
    return Finding(check, "ok", "synchronised with a time server")


def _not_set_back(journal: Path, now: float) -> Finding:
    """Files that were written later than now show that the clock was right once and is not now."""
    check = "clock, jumps"
    youngest = {"the program": Path(controller.__file__).stat().st_mtime}
    try:
        written = [file.stat().st_mtime for file in parts(journal) if file.exists()]
    except OSError as error:
        return Finding(check, "not checked", f"{journal}: {error.strerror}")
    if written:
        youngest["the journal"] = max(written)
    for what, at in youngest.items():
        if at > now + TOLERANCE:
            when = f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} UTC"
            text = f"the clock was set back: {what} was written at {when}, which is in the future"
            return Finding(check, "fault", text, SET_IT)
    return Finding(check, "ok", "nothing was written in the future")
