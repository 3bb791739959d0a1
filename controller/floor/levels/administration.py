"""Sends to a level what two persons have decided, and waits for the entry of the log that answers it.

The message is stored in PROGRESSIVE_IN as it was signed. A level answers each id once, so a message that may
or may not have arrived is sent again.
"""

import asyncio
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.js.errors import APIError

from controller.floor.levels.acts import LevelAct, acts_in
from controller.floor.progressive.log_stream import LogStream, StreamAway
from controller.floor.streams import PROGRESSIVE_IN
from controller.jackpot.linked.entries import Alarm, LogEntry
from controller.jackpot.linked.messages import AdminMessage
from controller.property.signed import MessageSigner, SignedMessage
from controller.property.subjects import PropertySubjects

ANSWER_LIMIT: Final = 2.0
"""Seconds in which the servers store a message."""
PAUSE: Final = 0.1
"""Seconds between two looks at the log."""


class NoAnswer(Exception):
    """The level has not answered in time. The message says whether the act is stored."""


class KeyUnknown(Exception):
    """The level does not take what this key signs."""


class LevelAdministration:
    """`signer`: the floor's key."""

    def __init__(self, client: Client, subjects: PropertySubjects, level: str, signer: MessageSigner) -> None:
        self._stream, self._signer = client.jetstream(), signer
        self._subject = subjects.administration(level)
        self._log = LogStream(self._stream, subjects.progressive_log(level))

    async def decide(self, message: AdminMessage, sequence: int = 0, limit: float | None = None) -> LevelAct:
        """The level's answer. `sequence`: of a message of the log after which the answer comes; `limit`:
        seconds, None to wait for ever. Raises NoAnswer, KeyUnknown, LogFault."""
        signed = SignedMessage.make(self._subject, message.payload, self._signer)
        stored = False
        try:
            async with asyncio.timeout(limit):
                while True:
                    stored = stored or await self._store(signed)
                    try:
                        answer, sequence = await self._look(message.id, sequence)
                    except StreamAway:
                        answer = None
                    if answer:
                        return answer
                    await asyncio.sleep(PAUSE)
        except TimeoutError:
            raise NoAnswer(_unanswered(message, stored=stored)) from None

    async def _store(self, message: SignedMessage) -> bool:
        """Whether the servers have stored it for certain."""
        try:
            await self._stream.publish(
                message.subject,
                message.payload,
                timeout=ANSWER_LIMIT,
                stream=PROGRESSIVE_IN,
                headers=message.headers(),
            )
        except (TimeoutError, nats.errors.Error, APIError):
            return False
        return True

    async def _look(self, id_: str, sequence: int) -> tuple[LevelAct | None, int]:
        """The answer, if the log has it, and how far the log was read. Raises StreamAway, LogFault,
        KeyUnknown."""
        found = await self._log.after(sequence, 0)
        entries = [one.entry for one in found]
        _check_key(id_, entries)
        answer = next((act for act in acts_in(entries) if act.id == id_), None)
        return answer, found[-1].sequence if found else sequence


def _check_key(id_: str, entries: list[LogEntry]) -> None:
    """Raises KeyUnknown."""
    for entry in entries:
        for outcome in entry.out:
            if isinstance(outcome, Alarm) and outcome.code == "signature" and id_ in outcome.why:
                raise KeyUnknown(
                    f"entry {entry.n}: {outcome.why}; needed: the floor's public key in the key floor of "
                    "progressive.toml, at both instances"
                )


def _unanswered(message: AdminMessage, *, stored: bool) -> str:
    state = (
        "it is stored, and counts once an instance decides it"
        if stored
        else "the servers have not confirmed that they stored it"
    )
    return f"{message.level} has not answered {message.kind}, id {message.id}: {state}"
