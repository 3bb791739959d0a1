"""Questions about the past are answered by worker processes: rounds, the audit log, significant events, slips
and reports. The table's loop never waits for a journal to be searched, and the memory of a search is gone
with its process.

A worker is `python -m controller.monitor.past`. It reads questions from standard input and writes the replies
to standard output. It takes half a second to start, so questions share workers. Those that may take long have
workers of their own: searches for rounds, which remember what they have read
(controller/past/closed_file_memory.py), searches for events, and reports. On the floor, the reports have one.
A worker ends some time after its last question.
"""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Self

from fastapi import HTTPException

from controller.monitor.past.messages import (
    LENGTH,
    REPORT,
    SLOW_QUESTIONS,
    WorkerQuestion,
    WorkerReply,
    decode_reply,
    encode_question,
    framed,
)

TIMEOUT_SECONDS = 20.0
REPORT_SECONDS = 120.0
IDLE_SECONDS = 300.0
"""A worker ends so long after its last question."""
MODULE = "controller.monitor.past"

Ask = Callable[[WorkerQuestion], Awaitable[WorkerReply]]


class Worker:
    """A process that answers one question after the other. It is started for the first one, and ends
    IDLE_SECONDS after the last."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._turn = asyncio.Lock()
        self._process: Process | None = None
        self._idle: asyncio.TimerHandle | None = None

    async def ask(self, question: WorkerQuestion) -> WorkerReply:
        """Raises ValueError if the process fails. If the caller is cancelled, the process is killed: its
        reply would be taken for one to the next question."""
        async with self._turn:
            if self._idle:
                self._idle.cancel()
            if self._process is None or self._process.returncode is not None:
                self._process = await _start(self._module)
            try:
                reply = await _exchange(self._process, question)
            except BaseException:
                await self.close()
                raise
            self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._end, self._process)
            return reply

    async def close(self) -> None:
        if self._idle:
            self._idle.cancel()
        process, self._process = self._process, None
        if process:
            await _kill(process)

    def _end(self, process: Process) -> None:
        """The process ends when there are no more questions to read."""
        self._process = None
        if process.stdin:
            process.stdin.close()


class WorkerPool:
    """Workers that run `module`: one for the questions of each set in `slow`, and one for all others. They
    end with the `with` block."""

    def __init__(self, module: str = MODULE, slow: Sequence[frozenset[str]] = SLOW_QUESTIONS) -> None:
        self._slow = {questions: Worker(module) for questions in slow}
        self._others = Worker(module)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        for each in (*self._slow.values(), self._others):
            await each.close()

    async def __call__(self, question: WorkerQuestion) -> WorkerReply:
        """Raises HTTPException 503 if no reply comes in time, or none at all."""
        questions = next((each for each in self._slow if question.what in each), None)
        worker = self._slow[questions] if questions else self._others
        seconds = REPORT_SECONDS if questions and REPORT in questions else TIMEOUT_SECONDS
        try:
            async with asyncio.timeout(seconds):
                return await worker.ask(question)
        except TimeoutError:
            raise HTTPException(
                503, f"the journal was not read within {seconds:.0f} s: ask for less"
            ) from None
        except ValueError:
            raise HTTPException(503, "the journal was not read: the log says why") from None


async def _start(module: str) -> Process:
    return await asyncio.create_subprocess_exec(sys.executable, "-m", module, stdin=PIPE, stdout=PIPE)


async def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.communicate()  # its end is noticed only when its pipe has been read


async def _exchange(process: Process, question: WorkerQuestion) -> WorkerReply:
    """Raises ValueError if the process ends before its reply does."""
    if process.stdin is None or process.stdout is None:
        raise AssertionError("a worker has pipes")
    try:
        process.stdin.write(framed(encode_question(question)))
        await process.stdin.drain()
        (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
        return decode_reply(await process.stdout.readexactly(length))
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        raise ValueError(f"the worker ended: {error}") from None
