"""Who draws cards, presses keys and switches the power: a simulated device's control socket, a person at the
terminal, or nobody."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

from drivers.conformance.outcome import NotRun

Notice = Mapping[str, Any]
ANSWER = 5.0


@dataclass(frozen=True, slots=True)
class Deed:
    """Something to be done: in words for a person, as a request for a control socket."""

    words: str
    request: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sight:
    """Something to be seen: a question for a person; for a control socket a test of the last notice of that
    name."""

    question: str
    notice: str
    shows: Callable[[Notice], bool]


class Hand(Protocol):
    """One who stands at the device. `tireless`: does the same a thousand times."""

    @property
    def tireless(self) -> bool:
        """Whether it is no burden."""

    async def does(self, deed: Deed) -> bool:
        """Whether it could be done. Raises NotRun when nobody is there to do it."""

    async def sees(self, sight: Sight) -> bool:
        """Whether it is so. Raises NotRun when nobody is there to look."""


class Nobody:
    """An unattended run."""

    tireless: ClassVar[bool] = False

    async def does(self, deed: Deed) -> bool:
        """Nobody does it."""
        raise NotRun(f"nobody is there to do this: {deed.words}")

    async def sees(self, sight: Sight) -> bool:
        """Nobody looks."""
        raise NotRun(f"nobody is there to look: {sight.question}")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the terminal. `ask` shows a text and gives the answer that was typed."""

    tireless: ClassVar[bool] = False
    ask: Callable[[str], Awaitable[str]]

    async def does(self, deed: Deed) -> bool:
        """Enter: it is done; n: it cannot be done."""
        return await self._says_yes(f"{deed.words} now, then press Enter (n: it can't be done, s: skip) ")

    async def sees(self, sight: Sight) -> bool:
        """Enter: yes."""
        return await self._says_yes(f"{sight.question} (Enter: yes, n: no, s: skip) ")

    async def _says_yes(self, text: str) -> bool:
        answer = (await self.ask(text)).strip().lower()
        if answer.startswith("s"):
            raise NotRun("skipped by the person at the device")
        return not answer.startswith("n")


@dataclass(slots=True)
class Control:
    """A simulated device's control socket: JSON lines, requests {"do": ...} and notices."""

    tireless: ClassVar[bool] = True
    path: Path
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None
    _seen: dict[str, Notice] = field(default_factory=dict)

    async def open(self) -> None:
        """Connect. Raises OSError."""
        self._reader, self._writer = await asyncio.open_unix_connection(self.path)

    async def close(self) -> None:
        """Leave."""
        if self._writer is not None:
            self._writer.close()
            await self._writer.wait_closed()

    async def does(self, deed: Deed) -> bool:
        """Whether the device took the request. Raises NotRun when it has no such verb."""
        answer = await self._answered(deed.request)
        if "unknown; allowed" in answer.get("error", ""):
            raise NotRun(f"the control socket does not know how to do this: {deed.words}")
        return "error" not in answer

    async def sees(self, sight: Sight) -> bool:
        """By the last notice. Raises NotRun when there was none."""
        await self._answered({"do": ""})  # notices that came before its answer have been read then
        if sight.notice not in self._seen:
            raise NotRun(f"the control socket does not show it: {sight.question}")
        return sight.shows(self._seen[sight.notice])

    async def _answered(self, request: Mapping[str, Any]) -> Notice:
        if self._reader is None or self._writer is None:
            raise NotRun(f"{self.path} is not open")
        self._writer.write(json.dumps(dict(request)).encode() + b"\n")
        async with asyncio.timeout(ANSWER):
            while line := await self._reader.readline():
                said: Notice = json.loads(line)
                if "notice" not in said:
                    return said
                self._seen[said["notice"]] = said
        raise NotRun(f"{self.path} was closed")
