"""Logs: one JSON object a line on standard error, for journald. Lines name no cards, except in alarms."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import structlog

from controller.telemetry.log_stream import LogStream

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
"""Syslog priorities by logging level."""


class PriorityFormatter(structlog.stdlib.ProcessorFormatter):
    """Prefixes each line with its priority as in sd-daemon(3). journald removes the prefix."""

    def format(self, record: logging.LogRecord) -> str:
        return f"<{PRIORITIES[record.levelno]}>{super().format(record)}"


@contextmanager
def background_logging() -> Iterator[None]:
    """Log to standard error through a queue and a thread, so that the daemon never waits for the reader."""
    form = formatter(sys.stderr)

    def gap(lost: int) -> str:
        return form.format(
            logging.LogRecord(ROOT_LOGGER, logging.ERROR, "", 0, "%d lines were lost", (lost,), None)
        )

    with LogStream(sys.stderr.fileno(), gap):
        set_up()
        yield


def formatter(stream: IO[str]) -> logging.Formatter:
    """A formatter for this stream: JSON, with priorities if journald reads it."""
    kind = PriorityFormatter if is_journald(stream) else structlog.stdlib.ProcessorFormatter
    return kind(processor=structlog.processors.JSONRenderer(), foreign_pre_chain=SHARED)


def set_up(level: int = logging.INFO) -> None:
    """Log the product's own lines from `level` on, and warnings of libraries, in the same format."""
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
    """Whether journald reads the stream, according to JOURNAL_STREAM in the environment (systemd.exec(5))."""
    device_and_inode = os.environ.get("JOURNAL_STREAM", "")
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):  # the stream is not a file
        return False
    return device_and_inode == f"{status.st_dev}:{status.st_ino}"
