"""Asks the process that hashes and compares passwords and PINs."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Collection
from contextlib import suppress

from controller.access.errors import HashingFailed
from controller.access.hashing.messages import HashingQuestion, HashingReply, decode_reply, encode_question

MODULE = "controller.access.hashing"
TIMEOUT_SECONDS = 20.0
"""A reply takes a tenth of a second. At the lowest priority it takes longer while the machine is busy."""
LOWEST_PRIORITY = 19
TOO_LONG = b"?"
"""Stands for a reply that never ends."""
KILL_SECONDS = 1.0
POLL_INTERVAL = 0.005
"""Seconds between two looks at whether the process has ended. asyncio's own way to be notified takes a thread
for each process, and there may be none where there are no processes."""


class HashingProcess:
    """One question at a time, each answered by a process of its own. Raises HashingFailed if it cannot be
    started, ends without a reply, or takes longer than `timeout` seconds."""

    def __init__(self, timeout: float = TIMEOUT_SECONDS, module: str = MODULE) -> None:
        self._timeout, self._module = timeout, module
        self.fault = ""
        """Why the last question got no reply; empty if it got one."""
        self.has_failed = asyncio.Event()
        """Set while there is a fault."""
        self._serialize = asyncio.Lock()
        self._last: subprocess.Popen[bytes] | None = None

    async def compare(self, stored: str | None, secret: str) -> HashingReply:
        """Whether the secret matches the stored hash, and the hash to store if its parameters have changed.
        Without a stored hash it never matches, and takes as long."""
        return await self._ask(HashingQuestion(secret, compare=True, stored=stored))

    async def find(self, stored: Collection[str], secret: str) -> str | None:
        """The one of these hashes that the secret matches; None if there is none."""
        if not stored:
            return None
        reply = await self._ask(HashingQuestion(secret, compare=True, candidates=tuple(stored)))
        return reply.hash if reply.right else None

    async def hash(self, secret: str) -> str:
        """The hash of a new secret."""
        return (await self._ask(HashingQuestion(secret, compare=False))).hash

    async def _ask(self, question: HashingQuestion) -> HashingReply:
        async with self._serialize:
            try:
                reply = await self._reply(question)
            except HashingFailed as failed:
                self.fault = failed.why
                self.has_failed.set()
                raise
            self.fault = ""
            self.has_failed.clear()
            return reply

    async def _reply(self, question: HashingQuestion) -> HashingReply:
        if self._last is not None and self._last.poll() is None:
            raise HashingFailed("the process that was killed before has not ended yet")
        try:
            async with asyncio.timeout(self._timeout):
                return await self._answer(encode_question(question))
        except TimeoutError:
            raise HashingFailed(f"no reply within {self._timeout:g} s") from None
        except OSError as error:
            raise HashingFailed(str(error)) from error

    async def _answer(self, question: bytes) -> HashingReply:
        ours, others = socket.socketpair()
        with ours, others:
            self._last = process = _started(self._module, others)
            others.close()
            try:
                if line := await _exchanged(ours, question):
                    return _decoded(line)
                raise HashingFailed(f"the process that does it {_ending(await _end_of(process))}")
            finally:
                await _kill(process)


def _decoded(line: bytes) -> HashingReply:
    try:
        return decode_reply(line)
    except (ValueError, TypeError):  # without the line: the secret might be in it
        raise HashingFailed("the process that does it gave no reply that can be read") from None


def _started(module: str, pipe: socket.socket) -> subprocess.Popen[bytes]:
    """-P: never a module from the folder in which a command was typed."""
    command = (sys.executable, "-P", "-m", module)
    process = subprocess.Popen(command, stdin=pipe.fileno(), stdout=pipe.fileno(), start_new_session=True)
    with suppress(ProcessLookupError):
        os.setpriority(os.PRIO_PROCESS, process.pid, LOWEST_PRIORITY)
    return process


async def _exchanged(pipe: socket.socket, question: bytes) -> bytes:
    """Send the question. The line that comes back; empty if the process ends without one."""
    reader, writer = await asyncio.open_unix_connection(sock=pipe)
    try:
        writer.write(question)
        writer.write_eof()
        return await reader.readuntil()
    except (ConnectionError, asyncio.IncompleteReadError):
        return b""
    except asyncio.LimitOverrunError:
        return TOO_LONG
    finally:
        writer.transport.abort()


async def _end_of(process: subprocess.Popen[bytes]) -> int:
    """Waits for the end of the process. Its exit status; negative for a signal."""
    while True:
        if (status := process.poll()) is not None:
            return status
        await asyncio.sleep(POLL_INTERVAL)


async def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process, and wait for its end. Not for ever: one that waits for a broken disk cannot be
    killed."""
    process.kill()
    with suppress(TimeoutError):
        async with asyncio.timeout(KILL_SECONDS):
            await _end_of(process)


def _ending(status: int) -> str:
    return f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
