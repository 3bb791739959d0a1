"""What the floor says to tables: which rows it has stored, and which it asks for again.

Nothing of this is kept on disk. An acknowledgement that is lost is followed by a later one, and a table that
has connected asks for it. A gap is asked for until its rows arrive.

Of two instances of the floor, only the one that acts acknowledges rows and answers tables. Each asks for the
rows that its own store lacks. One that follows asks later: the other one mostly lacks the same rows, and what
a table sends again reaches both.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from controller.floor.day_file import FloorHead, JournalName
from controller.floor.projector import NOT_ADMITTED, Incident, Projector
from controller.journal.chain import START
from controller.journal.signing import Signer
from controller.property.shipping import (
    Acknowledgement,
    ResendReply,
    ResendRequest,
    ResumeReply,
    ResumeRequest,
)
from controller.property.signed import SignedMessage
from controller.property.subjects import PropertySubjects
from controller.property.wire import MalformedMessage

ANSWER_LIMIT: Final = 2.0
"""Seconds in which a table answers."""
REFUSED_PAUSE: Final = 30
"""Beats between two questions to a table that cannot send the rows."""
FOLLOWER_PAUSE: Final = 3
"""Beats after which an instance that follows asks for the rows of a gap."""
VERSION: Final = 1


@dataclass(slots=True)
class OpenGap:
    """`row`: where the journal ended at the last beat; `pause`: beats until the next question."""

    row: int
    pause: int = 0
    question: asyncio.Task[None] | None = None

    def is_due(self, row: int) -> bool:
        """Whether to ask now. While rows arrive, the table is not asked again."""
        moved, self.row = row != self.row, row
        self.pause = max(0, self.pause - 1)
        return not (moved or self.pause or (self.question and not self.question.done()))


class TableLink:
    """`report` gets what a table answers that cannot send rows again. Call `beat` once a second."""

    def __init__(
        self,
        client: Client,
        subjects: PropertySubjects,
        signer: Signer,
        projector: Projector,
        report: Callable[[Incident], None],
        clock: Callable[[], float],
    ) -> None:
        self._client, self._subjects, self._signer = client, subjects, signer
        self._projector, self._report, self._clock = projector, report, clock
        self._acknowledged = dict[JournalName, int]()
        self._gaps = dict[JournalName, OpenGap]()
        self._answering: Subscription | None = None
        self._log = structlog.get_logger("tableside.floor")

    async def beat(self, gaps: Iterable[JournalName], *, acts: bool) -> None:
        """Ask for the rows after the heads of `gaps`; if this instance `acts`, acknowledge what is new, and
        answer tables from now on. Raises the errors of nats."""
        await self._listen(acts)
        for name, head in self._projector.heads.items() if acts else ():
            if head.row > self._acknowledged.get(name, 0):
                await self._acknowledge(name, head)
        pause = 0 if acts else FOLLOWER_PAUSE
        heads = {name: place for name in gaps if (place := self._projector.head(name))}
        self._gaps = {name: self._gaps.get(name, OpenGap(head.row, pause)) for name, head in heads.items()}
        for name, gap in self._gaps.items():
            if gap.is_due(heads[name].row):
                gap.question = asyncio.create_task(self._ask(name, heads[name], gap))

    async def close(self) -> None:
        """Give up the questions that are open."""
        asked = {gap.question for gap in self._gaps.values() if gap.question}
        for question in asked:
            question.cancel()
        if asked:
            await asyncio.wait(asked)

    async def _listen(self, acts: bool) -> None:
        """A table that asks gets one answer, or learns at once that no instance acts."""
        if acts and self._answering is None:
            self._answering = await self._client.subscribe(self._subjects.resume("*"), cb=self._answer)
        elif not acts and self._answering:
            answering, self._answering = self._answering, None
            self._acknowledged.clear()
            await answering.unsubscribe()

    async def _acknowledge(self, name: JournalName, head: FloorHead) -> None:
        subject = self._subjects.acknowledgement(name.table)
        acknowledgement = Acknowledgement(
            v=VERSION, epoch=name.epoch, row=head.row, hash=head.hash.hex(), at=self._clock()
        )
        signed = SignedMessage.make(subject, acknowledgement.payload, self._signer)
        await self._client.publish(subject, signed.payload, headers=signed.headers())
        self._acknowledged[name] = head.row

    async def _answer(self, message: Msg) -> None:
        table = message.subject.rsplit(".", 1)[-1]
        try:
            asked = ResumeRequest.read(message.data)
        except MalformedMessage as error:
            self._log.warning("malformed message", subject=message.subject, why=str(error))
            return
        name = JournalName(table, asked.epoch)
        head = self._projector.heads.get(name)
        row, digest = (head.row, head.hash) if head else (0, START)
        admitted = name in self._projector.admissions
        if not admitted:
            self._report(Incident("unknown journal", name, 0, NOT_ADMITTED))
        reply = ResumeReply(v=VERSION, admitted=admitted, row=row, hash=digest.hex())
        self._acknowledged.pop(name, None)
        await message.respond(reply.payload)

    async def _ask(self, name: JournalName, head: FloorHead, gap: OpenGap) -> None:
        """Ask for the rows after the head. A table that is away is asked again at the next beat."""
        request = ResendRequest(v=VERSION, epoch=name.epoch, row=head.row, hash=head.hash.hex())
        subject = self._subjects.resend(name.table)
        try:
            answer = await self._client.request(subject, request.payload, timeout=ANSWER_LIMIT)
            reply = ResendReply.read(answer.data)
        except (nats.errors.Error, TimeoutError):
            return
        except MalformedMessage as error:
            self._log.warning("malformed message", subject=subject, why=str(error))
            return
        if incident := _refusal(name, head.row, reply):
            gap.pause = REFUSED_PAUSE
            self._report(incident)


def _refusal(name: JournalName, row: int, reply: ResendReply) -> Incident | None:
    """What it means that a table does not send the rows after `row`; None if it sends them, or cannot now."""
    if reply.ok or reply.code in (None, "down"):
        return None
    if reply.code == "fork":
        return Incident("fork", name, row + 1, f"row {row} of the table is not the one that is stored")
    last = max(row + 1, reply.oldest - 1)
    why = f"the table does not have the rows {row + 1} to {last} any more"
    return Incident("rows gone", name, row + 1, why, last)
