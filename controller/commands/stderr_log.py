"""Logs of commands that use parts of a service."""

import sys

import structlog


def log_to_stderr() -> None:
    """Standard output is for results: structlog's own default would mix its lines with them."""
    if not structlog.is_configured():
        structlog.configure(logger_factory=_stderr_logger)


def _stderr_logger(*_names: object) -> structlog.PrintLogger:
    return structlog.PrintLogger(sys.stderr)
