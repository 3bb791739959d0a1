"""Begins the log of a linked progressive anew, after two histories have met and people hold that the journal
of an instance is the right one. What the log had is written to a file first."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

import nats.errors
from nats.js import JetStreamContext
from nats.js.errors import APIError, NotFoundError

from controller.floor.lease import holder_of
from controller.floor.progressive.log_stream import LogStream, StreamAway
from controller.floor.streams import PROGRESSIVE_LOG, Deployment, StreamError, check_stream, prepare
from controller.jackpot.linked.entries import LogFault
from controller.property.subjects import PropertySubjects


async def replace_log(stream: JetStreamContext, deployment: Deployment, level: str, export: Path) -> int:
    """Write the logs of all levels to the new file `export`, and make their stream anew. Returns how many
    entries there were.

    No instance of `level` may lead: it would write its history into the new log. Other levels complete the
    log from their journals. Raises StreamError, FileExistsError or another OSError; nothing has changed then,
    unless the servers could not make the stream again, but `export` may exist.
    """
    await _check(stream, deployment, level)
    lines = [line for name in deployment.levels for line in await _lines(stream, deployment, name)]
    _write(export, lines)
    try:
        await stream.delete_stream(PROGRESSIVE_LOG)
    except APIError as error:
        raise StreamError(f"stream {PROGRESSIVE_LOG} cannot be replaced: {error.description}") from error
    await prepare(stream, deployment)
    await _check_empty(stream, deployment, level)
    return len(lines)


async def _check(stream: JetStreamContext, deployment: Deployment, level: str) -> None:
    """Raises StreamError for a level whose log cannot be replaced now."""
    if level not in deployment.levels:
        allowed = ", ".join(deployment.levels) or "none, because floor.toml has no levels"
        raise StreamError(f"level {level}: not allowed; allowed: {allowed}")
    try:
        await check_stream(stream, PROGRESSIVE_LOG, deployment.streams()[PROGRESSIVE_LOG])
        leader = await holder_of(stream, f"progressive-{level}")
    except NotFoundError:
        raise StreamError(f"stream {PROGRESSIVE_LOG} is missing: tableside floor prepare makes it") from None
    except (APIError, TimeoutError, nats.errors.Error) as error:
        raise StreamError(f"who leads {level} cannot be read: {error!r}") from error
    if leader:
        raise StreamError(f"level {level}: instance {leader} leads; stop it, wait 3 seconds, and try again")


async def _check_empty(stream: JetStreamContext, deployment: Deployment, level: str) -> None:
    """Raises StreamError if the log of `level` still has entries.

    A server without a cluster reports success even if it could not remove the files of a stream, because
    those of an earlier deletion are still in the way. The stream that is made next has the old entries then.
    """
    try:
        left = await LogStream(stream, _subject(deployment, level)).end()
    except (StreamAway, LogFault) as error:
        raise StreamError(str(error)) from error
    if left:
        raise StreamError(
            f"stream {PROGRESSIVE_LOG} was deleted and made again, and still has the entries of {level}: a "
            "server has kept its files; restart it, and try again with another file"
        )


async def _lines(stream: JetStreamContext, deployment: Deployment, level: str) -> list[str]:
    """The entries of a level as lines of JSON: subject, sequence and the text of the entry."""
    subject = _subject(deployment, level)
    log, found, after = LogStream(stream, subject), list[str](), 0
    try:
        while stored := await log.after(after, 0):
            found += [_line(subject, one.sequence, one.entry.payload) for one in stored]
            after = stored[-1].sequence
    except (StreamAway, LogFault) as error:
        raise StreamError(str(error)) from error
    return found


def _subject(deployment: Deployment, level: str) -> str:
    return PropertySubjects(deployment.property).progressive_log(level)


def _line(subject: str, sequence: int, payload: bytes) -> str:
    return json.dumps({"subject": subject, "sequence": sequence, "entry": payload.decode()})


def _write(path: Path, lines: Iterable[str]) -> None:
    """The lines are on disk when this returns."""
    with path.open("x", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
        file.flush()
        os.fsync(file.fileno())
