"""The inbox of a table's loop.

Devices, their supervision and the table socket put events in; the loop takes them out in batches."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from controller.table.record.events import ActTaken, CommandTaken, Decision, FloorCommand, Input
from controller.table.record.notes import Accessed, ClockStepped, Retired, SelfTested

Observation = SelfTested | ClockStepped | Retired | Accessed
"""A note that is recorded as it is. Nothing follows from it."""
Taken = ActTaken | CommandTaken
"""How an act or a command was answered."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """`wall` gives Unix time for the journal, `steady` seconds that never jump."""

    wall: Callable[[], float]
    steady: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Act:
    """A person's act: the id that their client chose. `override`: why root acts without signing in; empty if
    the person has signed in."""

    who: str
    id: str
    override: str = ""


@dataclass(frozen=True, slots=True)
class InboxItem:
    """`at` and `since` are the times of arrival by both clocks. `event` None: a pulse, which only asks for a
    batch. `answer`: somebody waits for the outcome."""

    at: float
    since: float
    event: Input | Observation | None
    answer: asyncio.Future[Taken | None] | None = None
    act: Act | None = None
    """The id of a person's act, which the table takes once."""


class Inbox:
    """Belongs to one event loop: no other thread may use it."""

    def __init__(self, clocks: Clocks) -> None:
        self._clocks = clocks
        self._items: list[InboxItem] = []
        self._arrived = asyncio.Event()

    def put(self, event: Input | Observation) -> None:
        """The event is in the next batch."""
        self._put(event, None)

    async def submit(self, event: Input | Observation) -> None:
        """Returns when the event is on disk and its consequences are carried out. Raises NotAllowed for a
        decision that the table refuses."""
        await self._submit(event, None)

    async def submit_act(self, decision: Decision, act: Act) -> ActTaken:
        """As `submit`, for an act with an id; how it was answered."""
        taken = await self._submit(decision, act)
        if not isinstance(taken, ActTaken):
            raise AssertionError("the loop answers every act")
        return taken

    async def submit_command(self, command: FloorCommand) -> CommandTaken:
        """As `submit`, for a command of the floor; how it was answered."""
        taken = await self._submit(command, None)
        if not isinstance(taken, CommandTaken):
            raise AssertionError("the loop answers every command")
        return taken

    async def _submit(self, event: Input | Observation, act: Act | None) -> Taken | None:
        answer: asyncio.Future[Taken | None] = asyncio.get_running_loop().create_future()
        self._put(event, answer, act)
        return await answer

    def pulse(self) -> None:
        """Ask for a batch although nothing has happened."""
        self._put(None, None)

    async def wait(self) -> None:
        await self._arrived.wait()

    def take(self) -> list[InboxItem]:
        """Everything that has arrived, in order; the inbox is then empty."""
        self._arrived.clear()
        items, self._items = self._items, []
        return items

    def _put(
        self,
        event: Input | Observation | None,
        answer: asyncio.Future[Taken | None] | None,
        act: Act | None = None,
    ) -> None:
        self._items.append(InboxItem(self._clocks.wall(), self._clocks.steady(), event, answer, act))
        self._arrived.set()
