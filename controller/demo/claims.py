"""The demonstration's staff takes each jackpot claim from the hit to the payment."""

import asyncio
import json
from collections.abc import Mapping
from typing import Final

from controller.demo.table import DemoTable
from controller.monitor.client import TableAbsentError, fetch
from controller.table.people.supervisor_socket import socket_path

POLL_SECONDS: Final = 0.5
"""Seconds between two requests to the page."""
STAFF_FOR_STEP: Final[Mapping[str, str]] = {"confirm": "Dee", "verify": "Sue", "second": "Sam", "pay": "Sue"}
"""Who takes which step of a claim."""


async def handle_claims(stage: DemoTable) -> None:
    """Runs until cancelled. Returns at once at a table without a jackpot."""
    while stage.settings.rules.meters:
        await asyncio.sleep(POLL_SECONDS)
        try:
            view = await asyncio.to_thread(fetch, "127.0.0.1", stage.web_port)
        except TableAbsentError:
            continue
        for claim in view.claims:
            if step := next((step for step in claim.steps if step in STAFF_FOR_STEP), ""):
                await decide(
                    stage, {"step": step, "claim": claim.number, "who": STAFF_FOR_STEP[step], "why": "seen"}
                )


async def decide(stage: DemoTable, decision: dict[str, object]) -> None:
    """Previews a decision and takes it. If the daemon ends or something changes meanwhile, the next poll
    tries again."""
    try:
        reader, writer = await asyncio.open_unix_connection(socket_path(stage.journal))
    except OSError:
        return
    try:
        seen = await _ask(reader, writer, {**decision, "preview": True})
        if "token" in seen:
            await _ask(reader, writer, {**decision, "token": seen["token"]})
    except (ConnectionError, json.JSONDecodeError):
        return
    finally:
        writer.close()


async def _ask(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, line: Mapping[str, object]
) -> dict[str, object]:
    writer.write(json.dumps(line).encode() + b"\n")
    return dict(json.loads(await reader.readline()))
