"""The supervisor's control socket: a Unix socket beside the journal that only the daemon's own user can open.

One JSON object a line in, one out: {"choice", "who", "why", ...} and {"ok": true} or {"error": reason}. With
"preview": true the table changes nothing and answers with the consequences: {"ok": true, "preview":
[sentence, ..], "changes": [{"about", "before", "after"}, ..], "token"}. A decision that moves a jackpot or
takes two persons is refused unless its names belong to accounts (`persons`).
"""

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Protocol

from controller.table.errors import NotAllowed
from controller.table.people import supervisor_commands
from controller.table.people.accounts import AccountDirectory, with_account_names
from controller.table.record.events import Decision
from controller.table.record.preview import Preview

LONGEST_LINE = 4096
NEEDS_ANOTHER = "It moves a jackpot: another person has to say it too"

READERS: dict[str, Callable[[supervisor_commands.Fields], Decision]] = {
    "choice": supervisor_commands.read_choice,
    "step": supervisor_commands.read_claim_step,
    "meter": supervisor_commands.read_meter_correction,
}
"""By the word that such an object holds."""


class DecisionHandler(Protocol):
    """The table."""

    async def decide(self, decision: Decision) -> None:
        """Returns when it is on disk and done; raises NotAllowed."""

    def preview(self, decision: Decision) -> Preview:
        """What would follow; raises NotAllowed."""


def socket_path(journal: Path) -> Path:
    return journal.with_name(journal.name + ".sock")


@asynccontextmanager
async def supervisor_socket(
    path: Path, table: DecisionHandler, accounts: AccountDirectory
) -> AsyncIterator[None]:
    """A context in which the socket listens; it disconnects all clients at the end. An old socket is
    replaced. Raises OSError."""
    talks: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.create_task(_serve(reader, writer, table, accounts), name="supervisor")
        talks.add(talk)
        talk.add_done_callback(talks.discard)

    server = await asyncio.start_unix_server(connected, sock=_listen(path), limit=LONGEST_LINE)
    try:
        yield
    finally:
        server.close()
        with suppress(OSError):  # a disk that takes nothing leaves it there, and the next start replaces it
            _remove(path)
        await _end(frozenset(talks))


def read_decision(line: bytes) -> tuple[Decision, bool]:
    """The decision, and whether the client only wants its preview. Raises NotAllowed."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:  # the latter: brackets in brackets in brackets
        raise NotAllowed(f"not JSON: {error}") from error
    kinds = [word for word in READERS if isinstance(fields, dict) and word in fields]
    if len(kinds) != 1:
        raise NotAllowed(f"an object with one of {', '.join(READERS)} is needed")
    preview = fields.pop("preview", False)
    if not isinstance(preview, bool):
        raise NotAllowed(f"preview = {preview!r}: not allowed; allowed: true, false")
    return READERS[kinds[0]](fields), preview


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


def _listen(path: Path) -> socket.socket:
    _remove(path)
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)  # never, not for a moment, open to others
    try:
        listener.bind(str(path))
    except OSError as error:
        listener.close()
        raise OSError(f"socket {path} for a supervisor cannot be made: {error}") from error
    finally:
        os.umask(before)
    return listener


async def _end(sessions: frozenset[asyncio.Task[None]]) -> None:
    for session in sessions:
        session.cancel()
    await asyncio.gather(*sessions, return_exceptions=True)


async def _serve(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    table: DecisionHandler,
    accounts: AccountDirectory,
) -> None:
    try:
        async for line in reader:
            writer.write(json.dumps(await _answer(line, table, accounts)).encode() + b"\n")
            await writer.drain()
    except (ConnectionError, ValueError):
        pass  # gone, or a line that is too long
    finally:
        writer.close()


async def _answer(line: bytes, table: DecisionHandler, accounts: AccountDirectory) -> dict[str, object]:
    try:
        decision, only_preview = read_decision(line)
        if only_preview:
            return _preview_fields(table.preview(decision))
        await table.decide(with_account_names(decision, table.preview, accounts))
    except NotAllowed as error:
        return {"error": str(error)}
    return {"ok": True}


def _preview_fields(preview: Preview) -> dict[str, object]:
    changes = [asdict(change) for change in preview.changes]
    sentences = (*preview.sentences, *((NEEDS_ANOTHER,) if preview.by_two else ()))
    return {"ok": True, "preview": sentences, "changes": changes, "token": preview.token}
