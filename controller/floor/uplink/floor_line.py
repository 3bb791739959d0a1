"""What the uplink and the floor say to each other: what is stored, what is missing, and up to where the floor
has the journal."""

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg

from controller.floor.uplink.shipper import Shipper
from controller.journal.place import Extent
from controller.property.shipping import (
    Acknowledgement,
    ResendReply,
    ResendRequest,
    ResumeReply,
    ResumeRequest,
)
from controller.property.signed import SignedMessage, UnsignedError
from controller.property.small_messages import MalformedMessage
from controller.property.subjects import PropertySubjects

RESUME_LIMIT: Final = 2.0
"""Seconds to wait for the floor's answer; rows are sent without it."""


@dataclass(frozen=True, slots=True)
class ShippedJournal:
    """The journal of a table, as the property knows it."""

    subjects: PropertySubjects
    table: str
    epoch: str

    @property
    def subject(self) -> str:
        return self.subjects.journal(self.table, self.epoch)


class FloorLine:
    """The messages about one journal. `keys`: the public keys of the floor; an acknowledgement that none of
    them signed counts for nothing. `pass_on` gets each other acknowledgement of this journal."""

    def __init__(
        self,
        client: Client,
        journal: ShippedJournal,
        keys: Collection[bytes],
        pass_on: Callable[[SignedMessage], None],
    ) -> None:
        self._client, self._journal, self._keys = client, journal, keys
        self._pass_on = pass_on
        self._refused = ""
        self._log = structlog.get_logger("tableside.uplink")

    async def ask(self, extent: Extent) -> ResumeReply | None:
        """What the floor has stored; None if it does not answer."""
        question = ResumeRequest(v=1, epoch=self._journal.epoch, oldest=extent.oldest, row=extent.last)
        subject = self._journal.subjects.resume(self._journal.table)
        try:
            answer = await self._client.request(subject, question.payload, timeout=RESUME_LIMIT)
            return ResumeReply.read(answer.data)
        except (TimeoutError, nats.errors.Error) as error:
            self._log.info("the floor does not say what it has", why=repr(error))
        except MalformedMessage as error:
            self._log.warning("answer of the floor", subject=subject, why=str(error))
        return None

    @asynccontextmanager
    async def open(self, shipper: Shipper) -> AsyncIterator[None]:
        """Answer the floor inside the block."""

        async def resend(message: Msg) -> None:
            reply = self._resend(shipper, message)
            with suppress(nats.errors.Error):
                await message.respond(reply.payload)

        async def acknowledge(message: Msg) -> None:
            self._acknowledge(shipper, message)

        subjects, table = self._journal.subjects, self._journal.table
        listening = [
            await self._client.subscribe(subjects.resend(table), cb=resend),
            await self._client.subscribe(subjects.acknowledgement(table), cb=acknowledge),
        ]
        try:
            yield
        finally:
            for subscription in listening:
                with suppress(nats.errors.Error):
                    await subscription.unsubscribe()

    def _resend(self, shipper: Shipper, message: Msg) -> ResendReply:
        try:
            request = ResendRequest.read(message.data)
        except MalformedMessage as error:
            self._log.warning("request of the floor", subject=message.subject, why=str(error))
            return ResendReply(v=1, ok=False, code="down")
        if request.epoch != self._journal.epoch:
            return ResendReply(v=1, ok=False, code="down")
        self._log.info("resend", after=request.row)
        return shipper.resend(request.row, request.digest)

    def _acknowledge(self, shipper: Shipper, message: Msg) -> None:
        try:
            signed = SignedMessage.received(message.subject, message.data, message.headers)
            stored = Acknowledgement.read(signed.verify(self._keys))
        except (UnsignedError, MalformedMessage) as error:
            if self._refused != str(error):  # they come each second
                self._refused = str(error)
                self._log.warning("acknowledgement refused", why=str(error))
            return
        self._refused = ""
        if stored.epoch == self._journal.epoch:
            shipper.acknowledged(stored.row, stored.digest)
            self._pass_on(signed)
