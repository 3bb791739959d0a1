"""Whether most servers of a cluster answer, whatever they can store now."""

import asyncio
from collections.abc import Sequence
from contextlib import closing
from typing import Final
from urllib.parse import urlsplit

ANSWER_LIMIT: Final = 0.5
"""Seconds in which a server answers."""
GREETING: Final = b"INFO "
"""What a server says first to everybody, before TLS and signing in."""


async def majority_answers(addresses: Sequence[str]) -> bool:
    """Whether more than half of these servers answer now. A single server holds no elections: False."""
    if len(addresses) == 1:
        return False
    answers = await asyncio.gather(*map(_answers, addresses))
    return 2 * sum(answers) > len(addresses)


async def _answers(address: str) -> bool:
    """A server that stands still lets clients connect, but says nothing."""
    parts = urlsplit(address)
    try:
        async with asyncio.timeout(ANSWER_LIMIT):
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
            with closing(writer):
                return await reader.readexactly(len(GREETING)) == GREETING
    except (OSError, EOFError):
        return False
