"""Who operates the device: a person, a control socket, nobody."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from drivers.conformance.operator import (
    ControlSocketOperator,
    NoOperator,
    OperatorAction,
    OperatorCheck,
    TerminalOperator,
)
from drivers.conformance.outcome import NotRun

DRAW = OperatorAction("Draw one card", {"do": "pull"})
DARK = OperatorCheck("Are the lamps dark?", "lamps", lambda notice: bool(notice["safe"]))


def typing(*answers: str) -> tuple[list[str], Callable[[str], Awaitable[str]]]:
    """The output for a person who types this."""
    shown: list[str] = []
    left: Iterator[str] = iter(answers)

    async def ask(text: str) -> str:
        shown.append(text)
        return next(left)

    return shown, ask


async def test_enter_means_done_and_n_means_it_cannot_be_done() -> None:
    shown, ask = typing("", "n")
    person = TerminalOperator(ask)
    assert await person.perform(DRAW)
    assert not await person.perform(DRAW)
    assert shown[0] == "Draw one card now, then press Enter (n: it can't be done, s: skip) "


async def test_a_person_is_asked_what_is_to_be_seen() -> None:
    shown, ask = typing("", "N")
    person = TerminalOperator(ask)
    assert await person.confirm(DARK)
    assert not await person.confirm(DARK)
    assert shown[0].startswith("Are the lamps dark?")


async def test_a_skipped_deed_is_not_run() -> None:
    _, ask = typing("s")
    with pytest.raises(NotRun, match="skipped"):
        await TerminalOperator(ask).perform(DRAW)


async def test_nothing_is_done_or_seen_without_an_operator() -> None:
    with pytest.raises(NotRun, match="Draw one card"):
        await NoOperator().perform(DRAW)
    with pytest.raises(NotRun, match="Are the lamps dark"):
        await NoOperator().confirm(DARK)


@asynccontextmanager
async def control(path: Path, *said: dict[str, object]) -> AsyncIterator[ControlSocketOperator]:
    """A control socket that answers each request with the next of these, including the notices before it."""
    over = asyncio.Event()
    left = [json.dumps(each).encode() + b"\n" for each in said]

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for _ in reader:
            while left and b"notice" in left[0]:
                writer.write(left.pop(0))
            if not left:
                break
            writer.write(left.pop(0))
        writer.close()
        await writer.wait_closed()
        over.set()

    server = await asyncio.start_unix_server(serve, path)
    hand = ControlSocketOperator(path)
    await hand.open()
    yield hand
    await hand.close()
    await over.wait()
    server.close()
    await server.wait_closed()


async def test_a_control_socket_says_whether_it_could_be_done(tmp_path: Path) -> None:
    async with control(tmp_path / "c", {"ok": True}, {"error": "pull: card 2 is locked"}) as hand:
        assert await hand.perform(DRAW)
        assert not await hand.perform(DRAW)


async def test_a_verb_that_a_device_lacks_is_not_run(tmp_path: Path) -> None:
    async with control(tmp_path / "c", {"error": "do: 'pull' is unknown; allowed: press"}) as hand:
        with pytest.raises(NotRun, match="does not know how"):
            await hand.perform(DRAW)


async def test_the_last_notice_is_what_is_seen(tmp_path: Path) -> None:
    lit, dark = {"notice": "lamps", "safe": False}, {"notice": "lamps", "safe": True}
    async with control(tmp_path / "c", lit, dark, {"error": "do: ''"}, {"error": "do: ''"}) as hand:
        assert await hand.confirm(DARK)
        with pytest.raises(NotRun, match="does not show"):
            await hand.confirm(OperatorCheck("Is it lit?", "prompt", bool))


async def test_a_closed_socket_is_not_run(tmp_path: Path) -> None:
    async with control(tmp_path / "c") as hand:
        with pytest.raises(NotRun, match="was closed"):
            await hand.perform(DRAW)
