"""Everything that leaves the daemon, and everything that a tool makes of its files: one row for each
outlet."""

import io
import json
import re
import sqlite3
import stat
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import chdir, closing, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from typer.main import get_command

from controller.commands.app import app
from controller.journal.history import History
from tests.secrets.asking import asked
from tests.secrets.watched_table import Glass, journal

Outlet = Callable[[Glass], Awaitable[str]]

WHO = {"who": "Ann", "why": "seen"}
CARD = {"card": "9h"}
CORRECT = {"choice": "correct", **WHO, "preview": True}
FIRST = ("5h", "8h", "9h", "7s", "Ah", "Th")
"""What a course deals to seat 1 first, and guesses of the face-down card."""
WORDS: tuple[dict[str, Any], ...] = (
    # requests that change nothing at any time: previews, and choices that are refused
    *(
        {"choice": choice, **WHO, "preview": True}
        for choice in ("burn", "void", "resume", "reload", "reread")
    ),
    {"choice": "card", **WHO, **CARD, "preview": True},
    {"choice": "card", **WHO, "preview": True},
    {"choice": "void", **WHO, "second": "Bob", "preview": True},
    *({**CORRECT, "seat": 1, "hand": 1, "number": 1, "old": old, "card": "6h"} for old in FIRST),
    *({**CORRECT, "seat": 0, "number": each, "old": "Ts", "card": "9h"} for each in (1, 2)),
    {**CORRECT, "seat": 0, "number": 2, "old": "2c", "card": "Ts"},
    {"choice": "assign", **WHO, "seat": 1, "hand": 1, "card": "3c", "preview": True},
    {"choice": "undo", **WHO, "preview": True},
    {"choice": "undo", **WHO},
    {"choice": "peek", **WHO},
    {"choice": "card", **WHO, "card": "??"},
    {"what": "is the hole card?"},
    {"step": "confirm", "claim": 7, **WHO},
    {"step": "confirm", "claim": 1, **WHO, "preview": True},
    {"meter": "blazing-7s", "cents": 2_000_000, **WHO, "second": "Bob", "preview": True},
)
FORMS = ("card", "assign", "correct", "void", "entry")
PAGES = (
    "/",
    "/console",
    "/technician",
    "/supervisor",
    *(f"/supervisor/forms/decision/{choice}" for choice in FORMS),
    "/api/v1/table",
    "/health",
    "/metrics",
    "/api/v1/significant-events",
    "/claims/1/slip",
    "/nowhere",
    "/api/v1/requests",
    "/api/v1/requests/1/preview",
    "/api/v1/requests/2/preview",
    "/api/v1/requests/1/preview?grant=false",
    "/api/v1/claims/1/steps/confirm/preview",
    "/api/v1/claims/1/steps/void/preview",
)
SELDOM = (
    "/rounds",
    "/rounds/1",
    "/rounds/1/replay",
    "/audit",
    "/audit/events",
    "/audit.csv",
    "/api/v1/rounds",
    "/api/v1/rounds/1",
    "/api/v1/rounds/1/steps",
    "/api/v1/rounds/2",
    "/api/v1/audit",
)
"""Pages that are made from the journal."""
COMMANDS: Mapping[str, Sequence[str]] = {
    # commands on the journal by name; {journal} is its path, {out} a file to write
    "replay": ("replay", "{journal}"),
    "replay --json": ("replay", "{journal}", "--json"),
    "replay --script": ("replay", "{journal}", "--script"),
    "replay of the first round": ("replay", "{journal}", "1"),
    "export": ("export", "{journal}"),
    "export of the first round": ("export", "{journal}", "--round", "1"),
    "export settlements": ("export", "{journal}", "--format", "csv"),
    "export meters": ("export", "{journal}", "--format", "csv", "--what", "meters"),
    "export alerts": ("export", "{journal}", "--format", "csv", "--what", "alerts"),
    "export evidence": ("export", "{journal}", "--evidence", "1", "--output", "{out}"),
    "verify": ("verify", "{journal}", "--processes", "1"),
    "report": ("report", "--journal", "{journal}", "--day", "2027-01-15"),
    "report --json": ("report", "--journal", "{journal}", "--day", "2027-01-15", "--json"),
    "shuffles": ("shuffles", "{journal}"),
    "shuffles --json": ("shuffles", "{journal}", "--json"),
}
TABLESIDE = get_command(app)
BOXED = re.compile(r'"(?:box|after|hash|signature)":"[0-9a-f]*"')
NAMED = re.compile(rb'"(?:card|old|new)":"[^"]*"')
TIMESTAMP = re.compile(r'"timestamp": "[^"]*"')


async def _commands(glass: Glass) -> str:
    text, glass.calls[:] = "\n".join(map(repr, glass.calls)), ()
    return text


async def _stream(glass: Glass) -> str:
    return glass.following.taken()


async def _stream_json(glass: Glass) -> str:
    return glass.following_json.taken()


async def _subscribers(glass: Glass) -> str:
    return glass.subscribers.taken()


async def _turns(glass: Glass) -> str:
    seen = glass.seen
    return f"{glass.turns} {seen.inputs} {seen.notes} {seen.cards} {seen.commits}"


async def _log(glass: Glass) -> str:
    text = glass.log.getvalue()
    glass.log.seek(0)
    glass.log.truncate()
    return TIMESTAMP.sub("", text)


async def _systemd(glass: Glass) -> str:
    messages = []
    try:
        while True:
            messages.append(glass.systemd.recv(4096).decode())
    except BlockingIOError:
        return "\0".join(messages)


async def _files(glass: Glass) -> str:
    """Names, modes and sizes."""
    found = sorted(glass.folder.rglob("*"))
    modes = ((path.relative_to(glass.folder), path.lstat()) for path in found)
    return "\n".join(f"{name} {stat.filemode(each.st_mode)} {each.st_size}" for name, each in modes)


async def _rows(glass: Glass) -> str:
    """All rows, of the journal and of its mirror, except what only the seal key tells apart: boxes, and the
    hashes and signatures that follow from them."""
    paths = (journal(glass.folder), journal(glass.folder / "mirror"))
    rows = (entry for path in paths for entry in History(path).rows())
    return "\n".join(f"{each.row} {each.content}{BOXED.sub('', each.content.body)}" for each in rows)


async def _bytes(glass: Glass) -> str:
    """How often each card is named in the bytes of each file, a backup included: the journal, its log, the
    mirror, and whatever else lies beside them."""
    (glass.folder / "backup").unlink(missing_ok=True)
    with (
        closing(sqlite3.connect(f"file:{journal(glass.folder)}?mode=ro", uri=True)) as live,
        closing(sqlite3.connect(glass.folder / "backup")) as backup,
    ):
        live.backup(backup)
    files = sorted(path for path in glass.folder.rglob("*") if path.is_file())
    named = {path.name: sorted(Counter(NAMED.findall(path.read_bytes())).items()) for path in files}
    (glass.folder / "backup").unlink()
    return str(named)


def _page(path: str) -> Outlet:
    async def look(glass: Glass) -> str:
        return await asked(glass.app, path)

    return look


def _answer(words: dict[str, Any]) -> Outlet:
    async def ask(glass: Glass) -> str:
        return await glass.people.say(words)

    return ask


def _command(arguments: Sequence[str]) -> Outlet:
    async def run(glass: Glass) -> str:
        out = glass.folder / "out"
        with chdir(glass.folder):  # another path would wrap the output elsewhere
            ended = _run([each.format(journal=journal(Path()), out=out.name) for each in arguments])
        written = out.read_bytes().decode("latin-1") if out.exists() else ""
        out.unlink(missing_ok=True)
        return f"{ended}\n{written}"

    return run


def _run(arguments: list[str]) -> str:
    """Exit status and output."""
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(said), redirect_stderr(said):
        try:
            TABLESIDE.main(arguments)
        except SystemExit as ended:
            said.seek(0)
            return f"{ended.code}\n{said.read()}"
    raise AssertionError(f"{arguments} did not end")


OUTLETS: Mapping[str, Outlet] = {
    # in the order of the looks
    "commands": _commands,
    "stream": _stream,
    "stream as JSON": _stream_json,
    "subscribers": _subscribers,
    "turns": _turns,
    **{f"page {path}": _page(path) for path in PAGES},
    **{f"socket {json.dumps(words)}": _answer(words) for words in WORDS},
    "log": _log,
    "systemd": _systemd,
    "files": _files,
    "rows": _rows,
    "bytes": _bytes,
}


TOOLS: Mapping[str, Outlet] = {
    **{name: _command(arguments) for name, arguments in COMMANDS.items()},
    **{f"page {path}": _page(path) for path in SELDOM},
}


FACES = ("stream", "page /", "page /api/v1/table")
"""Where the card must appear once it is turned."""


async def shot(glass: Glass, looks: Mapping[str, Outlet]) -> dict[str, str]:
    """What can be seen now, by outlet."""
    return {name: await look(glass) for name, look in looks.items()}
