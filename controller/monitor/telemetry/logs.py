"""Logs: one JSON object a line on standard error, made for journald. No cards but those alarms name."""

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

import structlog

from controller.monitor.telemetry.log_stream import LogStream
from controller.table.record.events import (
    Acknowledged,
    CardsMissing,
    CommandRefused,
    DeviceRunning,
    DeviceUp,
    DiskSpace,
    EventsMissing,
    Input,
    LampTest,
    Started,
    Supervisor,
    TestMode,
)
from controller.table.record.notes import (
    Accessed,
    Alert,
    Cleared,
    ClockStepped,
    DeckChecked,
    KeyUndone,
    MeterMoved,
    Note,
    Refusal,
    RequestMoved,
    Resumed,
    Retired,
    RoundCorrected,
    RoundEnded,
    SelfTested,
    ShoeEnded,
    Suspended,
)

ROOT_LOGGER = "tableside"
SHARED: tuple[Any, ...] = (
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
)


PRIORITIES: dict[int, int] = {
    logging.CRITICAL: 2,
    logging.ERROR: 3,
    logging.WARNING: 4,
    logging.INFO: 6,
    logging.DEBUG: 7,
}
"""Of syslog, by level."""


class PriorityFormatter(structlog.stdlib.ProcessorFormatter):
    """Each line begins with its priority, as sd-daemon(3) says; journald takes that off."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        return f"<{PRIORITIES[record.levelno]}>{super().format(record)}"


@contextmanager
def background_logging() -> Iterator[None]:
    """Log to standard error through a queue and a thread, so that nothing here waits for the reader of the
    log."""
    form = formatter(sys.stderr)

    def gap(lost: int) -> str:
        return form.format(
            logging.LogRecord(ROOT_LOGGER, logging.ERROR, "", 0, "%d lines were lost", (lost,), None)
        )

    with LogStream(sys.stderr.fileno(), gap):
        set_up()
        yield


def formatter(stream: IO[str]) -> logging.Formatter:
    """What turns a record into a line, in the format for the reader of this stream."""
    kind = PriorityFormatter if is_journald(stream) else structlog.stdlib.ProcessorFormatter
    return kind(processor=structlog.processors.JSONRenderer(), foreign_pre_chain=SHARED)


def set_up(level: int = logging.INFO) -> None:
    """Send our own lines from `level` on, and the warnings of libraries, the same way."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(sys.stderr))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger(ROOT_LOGGER).setLevel(level)
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def is_journald(stream: IO[str]) -> bool:
    """Whether journald reads the other end of a stream: the environment says which one (systemd.exec(5))."""
    device_and_inode = os.environ.get("JOURNAL_STREAM", "")
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):  # no file at all
        return False
    return device_and_inode == f"{status.st_dev}:{status.st_ino}"


class TableLog:
    """A witness that writes down what an operator wants to read later; a lost device is supervision's."""

    def __init__(self) -> None:
        self._log = structlog.get_logger(f"{ROOT_LOGGER}.table")

    def on_input(self, event: Input) -> None:
        """An input; cards, keys and wagers are the journal's alone."""
        self._write(event)

    def on_note(self, note: Note) -> None:
        """What followed."""
        if isinstance(note, RoundEnded):
            self._log.info("round ended", number=note.round.number, outcome=note.round.outcome)
        else:
            self._write(note)

    def on_commit(self, seconds: float) -> None:
        """Left to the metrics."""

    def on_outputs(self, seconds: float) -> None:
        """Left to the metrics."""

    def _write(self, record: Input | Note) -> None:
        if line := LOG_LINES.get(type(record)):
            level, event, names = line
            fields = {name: getattr(record, name) for name in names}
            self._log.log(level(record) if callable(level) else level, event, **fields)


LogLevel = int | Callable[[Any], int]
"""How grave a line is, or what tells it of the record."""
DISK_LEVELS = {"enough": logging.INFO, "low": logging.WARNING, "stop": logging.ERROR}
HOSTILE_ACCESS = {"locked out", "forged"}
LOG_LINES: dict[type, tuple[LogLevel, str, tuple[str, ...]]] = {
    Started: (logging.INFO, "started", ("version", "game", "seats")),
    DeviceUp: (logging.INFO, "device up", ("device", "relation")),
    DeviceRunning: (logging.INFO, "device running", ("device",)),
    EventsMissing: (logging.ERROR, "events missing", ("device", "first", "last")),
    CardsMissing: (logging.ERROR, "cards missing", ("device", "shoe_cards", "ours")),
    CommandRefused: (logging.WARNING, "command refused", ("device", "status", "text")),
    Supervisor: (
        logging.WARNING,
        "supervisor",
        ("choice", "who", "why", "second", "device", "licence", "signed_in"),
    ),
    Acknowledged: (logging.INFO, "acknowledged", ("alarm", "who")),
    RequestMoved: (logging.INFO, "request", ("number", "about", "state", "who", "why", "by", "because")),
    KeyUndone: (logging.WARNING, "key undone", ("number", "action", "seat", "who", "second", "why")),
    Suspended: (logging.WARNING, "suspended", ("why",)),
    Resumed: (logging.INFO, "resumed", ()),
    Alert: (logging.WARNING, "alert", ("text",)),
    MeterMoved: (logging.INFO, "meter", ("spot", "kind", "before", "after", "why")),
    RoundCorrected: (logging.WARNING, "round corrected", ("number", "seat", "hand", "card", "who", "why")),
    ShoeEnded: (logging.INFO, "shoe ended", ("decks", "dealt", "burned", "unread", "left", "balanced")),
    DeckChecked: (logging.INFO, "deck checked", ("device", "serial", "decks", "good", "wrong")),
    Refusal: (logging.INFO, "refused", ("action", "seat", "reason", "who")),
    Cleared: (logging.INFO, "cleared", ("device",)),
    DiskSpace: (lambda space: DISK_LEVELS[space.level], "disk", ("disk", "room", "free")),
    ClockStepped: (logging.WARNING, "clock stepped", ("seconds", "asleep")),
    SelfTested: (logging.INFO, "self-test", ("version", "files", "manifest")),
    Accessed: (
        lambda told: logging.WARNING if told.what in HOSTILE_ACCESS else logging.INFO,
        "access",
        ("what", "who", "role", "address", "text"),
    ),
    TestMode: (lambda mode: logging.WARNING if mode.on else logging.INFO, "test mode", ("on", "who", "why")),
    LampTest: (logging.INFO, "lamp test", ("pattern", "who", "seen")),
    Retired: (logging.INFO, "file retired", ("file", "first", "last", "sha256")),
}
