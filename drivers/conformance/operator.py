"""Who draws cards, presses keys and switches the power: a simulated device's control socket, a person at
the terminal, or nobody."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

from drivers.conformance.outcome import NotRun

Notice = Mapping[str, Any]
ANSWER_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class OperatorAction:
    """Something to do: `words` for a person, `request` for a control socket."""

    words: str
    request: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OperatorCheck:
    """Something to look at: `question` for a person; for a control socket, `shows` tests the last notice
    of that name."""

    question: str
    notice: str
    shows: Callable[[Notice], bool]


class DeviceOperator(Protocol):
    """Who works at the device. `tireless`: does the same thing a thousand times."""

    @property
    def tireless(self) -> bool: ...

    async def perform(self, action: OperatorAction) -> bool:
        """Whether it could be done. Raises NotRun if nobody is there to do it."""

    async def confirm(self, check: OperatorCheck) -> bool:
        """Whether it is so. Raises NotRun if nobody is there to look."""


class NoOperator:
    """An unattended run."""

    tireless: ClassVar[bool] = False

    async def perform(self, action: OperatorAction) -> bool:
        raise NotRun(f"nobody is there to do this: {action.words}")

    async def confirm(self, check: OperatorCheck) -> bool:
        raise NotRun(f"nobody is there to look: {check.question}")


@dataclass(frozen=True, slots=True)
class TerminalOperator:
    """Somebody at the terminal. `ask` displays a text and returns the typed answer."""

    tireless: ClassVar[bool] = False
    ask: Callable[[str], Awaitable[str]]

    async def perform(self, action: OperatorAction) -> bool:
        """Enter: it is done; n: it cannot be done."""
        return await self._says_yes(f"{action.words} now, then press Enter (n: it can't be done, s: skip) ")

    async def confirm(self, check: OperatorCheck) -> bool:
        """Enter: yes."""
        return await self._says_yes(f"{check.question} (Enter: yes, n: no, s: skip) ")

    async def _says_yes(self, text: str) -> bool:
        answer = (await self.ask(text)).strip().lower()
        if answer.startswith("s"):
            raise NotRun("skipped by the person at the device")
        return not answer.startswith("n")


@dataclass(slots=True)
class ControlSocketOperator:
    """A simulated device's control socket: JSON lines with requests {"do": ...} and notices."""

    tireless: ClassVar[bool] = True
    path: Path
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None
    _seen: dict[str, Notice] = field(default_factory=dict)

    async def open(self) -> None:
        """Raises OSError."""
        self._reader, self._writer = await asyncio.open_unix_connection(self.path)

    async def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            await self._writer.wait_closed()

    async def perform(self, action: OperatorAction) -> bool:
        """Whether the device took the request. Raises NotRun if it has no such verb."""
        answer = await self._request(action.request)
        if "unknown; allowed" in answer.get("error", ""):
            raise NotRun(f"the control socket does not know how to do this: {action.words}")
        return "error" not in answer

    async def confirm(self, check: OperatorCheck) -> bool:
        """Tests the last notice. Raises NotRun if there was none."""
        await self._request({"do": ""})  # notices that came before its answer have been read then
        if check.notice not in self._seen:
            raise NotRun(f"the control socket does not show it: {check.question}")
        return check.shows(self._seen[check.notice])

    async def _request(self, request: Mapping[str, Any]) -> Notice:
        if self._reader is None or self._writer is None:
            raise NotRun(f"{self.path} is not open")
        self._writer.write(json.dumps(dict(request)).encode() + b"\n")
        async with asyncio.timeout(ANSWER_SECONDS):
            while line := await self._reader.readline():
                message: Notice = json.loads(line)
                if "notice" not in message:
                    return message
                self._seen[message["notice"]] = message
        raise NotRun(f"{self.path} was closed")
