"""Passes commands of the floor on to the core of the table, and the core's replies back.

The relay reads nothing of a command and checks nothing: the core does. It answers by itself only where the
core cannot be asked.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg

from controller.property.signed import SignedMessage, UnsignedError
from controller.property.subjects import PropertySubjects
from controller.socket.core_line import CoreLine
from controller.socket.error_codes import Code
from controller.socket.wire import CallRefused, CoreAway

REFUSALS: Final[Mapping[int, str]] = {
    Code.INVALID_PARAMS: "command",
    Code.FORBIDDEN: "signature",
}
"""The code of the reply to the floor for an error of the table socket; for any other error it is `down`."""


class CommandRelay:
    """`core` is a client of the kind uplink."""

    def __init__(self, client: Client, core: CoreLine, subjects: PropertySubjects, table: str) -> None:
        self._client, self._core = client, core
        self._subject = subjects.command(table, "*")
        self._log = structlog.get_logger("tableside.uplink")

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Pass commands on inside the block, one after the other."""

        async def answer(message: Msg) -> None:
            reply = await self._pass_on(message)
            with suppress(nats.errors.Error):
                await message.respond(json.dumps(reply).encode())

        listening = await self._client.subscribe(self._subject, cb=answer)
        try:
            yield
        finally:
            with suppress(nats.errors.Error):
                await listening.unsubscribe()

    async def _pass_on(self, message: Msg) -> Mapping[str, object]:
        """The core's reply as it is, or the uplink's own in the same form."""
        try:
            signed = SignedMessage.received(message.subject, message.data, message.headers)
            answer: dict[str, object] = await self._core.call("act", {"signed": signed.fields()})
            return answer
        except UnsignedError as wrong:
            return self._refusal(message, "signature", str(wrong))
        except CallRefused as refused:
            return self._refusal(message, REFUSALS.get(refused.code, "down"), refused.message)
        except CoreAway as away:
            return self._refusal(message, "down", str(away))

    def _refusal(self, message: Msg, code: str, why: str) -> Mapping[str, object]:
        self._log.warning("command not passed on", subject=message.subject, code=code, why=why)
        return {"v": 1, "id": "", "ok": False, "row": 0, "code": code, "reason": why}
