"""Waits for what the device sends, and for the person who works at it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from drivers.conformance.matchers import Matcher, says
from drivers.conformance.operator import DeviceOperator, OperatorAction, OperatorCheck
from drivers.conformance.outcome import CheckFailed
from drivers.conformance.probe_link import Duties, ProbeLink
from drivers.conformance.subject import DeviceUnderTest
from drivers.conformance.trace import Trace, TraceEntry
from drivers.conformance.wire import Wire
from drivers.link.key_schedule import Agreement
from drivers.protocol import common_pb2 as common

Found = TypeVar("Found")
POLL_SECONDS = 0.002
"""Interval at which a manual step is checked."""
SLOWEST_HEARTBEAT = 2.0
"""Seconds that a heartbeat may take on a slow line full of events. Another check measures their period."""
SILENCE = 0.12
"""Seconds in which nothing may come, besides the line's margin."""


class Listener:
    """The waiting half of a probe. `installs` as in ProbeLink."""

    def __init__(
        self,
        wire: Wire,
        subject: DeviceUnderTest,
        operator: DeviceOperator,
        installs: Callable[[common.Proof], Agreement | None],
    ) -> None:
        self.wire = wire
        self.subject = subject
        self.operator = operator
        self.link = ProbeLink(wire, subject, installs)

    @property
    def trace(self) -> Trace:
        return self.link.trace

    @property
    def duties(self) -> Duties:
        return self.link.duties

    async def next_frame(self, wanted: Matcher, within: float, *, fresh: bool = False) -> TraceEntry | None:
        """The first frame of this check that no step has used yet. `fresh`: only frames from now on."""
        trace, until = self.trace, self.wire.now() + within
        looked = len(trace.entries) if fresh else 0
        while True:
            for entry in trace.entries[looked:]:
                if not (entry.ours or entry.consumed) and wanted(entry):
                    entry.consumed = True
                    return entry
            looked = len(trace.entries)
            if self.wire.now() >= until:
                return None
            await self.link.wait(until)

    async def expect(self, what: str, wanted: Matcher, within: float, *, fresh: bool = False) -> Any:
        """The message of the frame that must come within `within` and the line's margin."""
        return (await self.expect_frame(what, wanted, within, fresh=fresh)).message

    async def expect_frame(
        self, what: str, wanted: Matcher, within: float, *, fresh: bool = False
    ) -> TraceEntry:
        """The frame that must come."""
        entry = await self.next_frame(wanted, within + self.subject.margin, fresh=fresh)
        if entry is None:
            raise CheckFailed(f"{what} within {within:g} s")
        self.trace.step_done()
        return entry

    async def never(
        self, what: str, wanted: Matcher, seconds: float = SILENCE, *, fresh: bool = True
    ) -> None:
        """Such a frame must not come. `fresh`: only frames from now on count."""
        if await self.next_frame(wanted, seconds + self.subject.margin, fresh=fresh):
            raise CheckFailed(f"no {what}, for {seconds:g} s")

    async def wait(self, seconds: float) -> None:
        await self.next_frame(lambda _: False, seconds, fresh=True)

    async def heartbeat(self) -> common.Heartbeat:
        """The device's next heartbeat."""
        beat: common.Heartbeat = await self.expect(
            "a Heartbeat", says("heartbeat"), SLOWEST_HEARTBEAT, fresh=True
        )
        return beat

    async def perform(self, action: OperatorAction) -> bool:
        """Whether it could be done. The session is kept alive meanwhile."""
        return await self._meanwhile(self.operator.perform(action))

    async def confirm(self, check: OperatorCheck) -> bool:
        return await self._meanwhile(self.operator.confirm(check))

    async def _meanwhile(self, work: Coroutine[Any, Any, Found]) -> Found:
        task = asyncio.ensure_future(work)
        try:
            while not task.done():
                await self.wait(POLL_SECONDS)
                await asyncio.sleep(0)
            return task.result()
        finally:
            task.cancel()
