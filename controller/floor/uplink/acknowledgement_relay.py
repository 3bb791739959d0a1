"""Passes the floor's acknowledgements on to the core of the table, unchanged.

Only the newest one matters: it covers all rows before it. The core looks at the signature and at the row
itself, and deletes no closed file before the floor has its rows.
"""

import asyncio
from typing import Final

import structlog

from controller.property.signed import SignedMessage
from controller.socket.core_line import CoreLine
from controller.socket.wire import CallRefused, CoreAway

PAUSE: Final = 10.0
"""Least seconds between two messages: files are deleted once a day, and each message costs the core time."""


class AcknowledgementRelay:
    """`core` is a client of the kind uplink."""

    def __init__(self, core: CoreLine, pause: float = PAUSE) -> None:
        self._core, self._pause = core, pause
        self._newest: SignedMessage | None = None
        self._news = asyncio.Event()
        self._refused = ""
        self._log = structlog.get_logger("tableside.uplink")

    def take(self, message: SignedMessage) -> None:
        """The floor has acknowledged rows."""
        self._newest = message
        self._news.set()

    def repeat(self) -> None:
        """Another core may be there, which knows nothing yet."""
        self._news.set()

    async def run(self) -> None:
        """Pass on until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            if self._newest and self._core.connected:
                await self._pass_on(self._newest)
                await asyncio.sleep(self._pause)

    async def _pass_on(self, message: SignedMessage) -> None:
        try:
            reply = await self._core.call("act", {"signed": message.fields()})
            self._note("" if reply["ok"] else reply["reason"])
        except CallRefused as refused:
            self._note(refused.message)
        except CoreAway:
            return  # `repeat` follows when it is back

    def _note(self, why: str) -> None:
        """Log each reason once: acknowledgements come again and again."""
        if why and why != self._refused:
            self._log.warning("acknowledgement refused by the table", why=why)
        self._refused = why
