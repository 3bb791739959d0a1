"""Asks the monitoring ports of servers whether a write is on disk when they acknowledge it."""

import asyncio
import json
import ssl
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import structlog

from controller.floor.streams import StreamError

PATH: Final = "/jsz?config=true"
ANSWER_LIMIT: Final = 5.0


async def check_disk_writes(monitors: Iterable[str], ca: Path | None) -> None:
    """Raises StreamError for a server whose `sync_interval` is not `always`. A server that does not answer is
    logged: it may be the one of three that is down."""
    log = structlog.get_logger("tableside.floor")
    for monitor in monitors:
        try:
            always = await asyncio.to_thread(_writes_at_once, monitor, ca)
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.warning("monitoring port", address=monitor, why=str(error) or type(error).__name__)
            continue
        if not always:
            raise StreamError(
                f"server {monitor}: sync_interval is not always, so a power failure would lose what it has "
                "acknowledged; needed: sync_interval: always in its section jetstream"
            )


def _writes_at_once(monitor: str, ca: Path | None) -> bool:
    context = ssl.create_default_context(cafile=ca) if monitor.startswith("https:") else None
    # the configuration allows http and https only
    with urlopen(f"{monitor.rstrip('/')}{PATH}", timeout=ANSWER_LIMIT, context=context) as answer:  # noqa: S310
        return bool(json.load(answer)["config"].get("sync_always", False))
