"""Asks the monitoring ports of servers whether a write is on disk when they acknowledge it."""

import asyncio
import ssl
from collections.abc import Iterable
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import structlog
from pydantic import BaseModel, ValidationError

from controller.floor.streams import StreamError

PATH: Final = "/jsz?config=true"
ANSWER_LIMIT: Final = 5.0
"""Seconds for each answer, and for the start of a server's JetStream."""
PAUSE: Final = 0.1


class _Config(BaseModel):
    sync_always: bool = False


class _JetStream(BaseModel):
    """`disabled`: it does not run, or not yet; `config` says nothing then."""

    disabled: bool = False
    config: _Config


async def check_disk_writes(monitors: Iterable[str], ca: Path | None) -> None:
    """Raises StreamError for a server whose `sync_interval` is not `always`. A server that does not answer is
    logged: it may be the one of three that is down. So is one whose JetStream does not run."""
    for monitor in monitors:
        try:
            found = await _jetstream(monitor, ca)
        except OSError as error:
            _log_unknown(monitor, str(error) or type(error).__name__)
        except (HTTPException, ValidationError):
            _log_unknown(monitor, "not an answer of nats-server")
        else:
            _check(monitor, found)


def _check(monitor: str, found: _JetStream) -> None:
    """Raises StreamError."""
    if found.disabled:
        _log_unknown(monitor, f"its JetStream does not run after {ANSWER_LIMIT:g} s")
    elif not found.config.sync_always:
        raise StreamError(
            f"server {monitor}: sync_interval is not always, so a power failure would lose what it has "
            "acknowledged; needed: sync_interval: always in its section jetstream"
        )


def _log_unknown(monitor: str, why: str) -> None:
    structlog.get_logger("tableside.floor").warning("monitoring port", address=monitor, why=why)


async def _jetstream(monitor: str, ca: Path | None) -> _JetStream:
    """Asks again while it does not run: the monitoring port of a server answers before its JetStream starts.
    Raises OSError, HTTPException, ValidationError."""
    end = asyncio.get_running_loop().time() + ANSWER_LIMIT
    while True:
        found = _JetStream.model_validate_json(await asyncio.to_thread(_answer, monitor, ca))
        if not found.disabled or asyncio.get_running_loop().time() > end:
            return found
        await asyncio.sleep(PAUSE)


def _answer(monitor: str, ca: Path | None) -> bytes:
    """Raises OSError, HTTPException."""
    context = ssl.create_default_context(cafile=ca) if monitor.startswith("https:") else None
    # the configuration allows http and https only
    with urlopen(f"{monitor.rstrip('/')}{PATH}", timeout=ANSWER_LIMIT, context=context) as answer:  # noqa: S310
        return bytes(answer.read())
