"""Watches the process that checks passwords and PINs, and tries again while it fails."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from controller.access.errors import HashingFailed
from controller.access.hashing.process import HashingProcess

PAUSE = 10.0
"""Seconds between a failure and the next attempt."""
UNCHECKED = (
    "Nobody can sign in with a password or a PIN: {why}. Look whether the table's computer has memory and "
    "processes to spare"
)


async def watch_secret_checks(
    hashing: HashingProcess,
    report: Callable[[str], None],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Report why passwords and PINs cannot be checked, until cancelled; empty once one was checked again."""
    while True:
        await hashing.has_failed.wait()
        report(UNCHECKED.format(why=hashing.fault))
        await sleep(PAUSE)
        with suppress(HashingFailed):
            await hashing.compare(None, "")
        if not hashing.fault:
            report("")
