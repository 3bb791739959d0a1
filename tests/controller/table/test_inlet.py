"""The supervisor's way in: who may use it, what is understood, what is answered."""

import asyncio
import json
from pathlib import Path

import pytest

from controller.table.errors import NotAllowed
from controller.table.events import Supervisor
from controller.table.inlet import address, inlet, read_decision

GOOD = {"choice": "card", "who": "Ann", "why": "seen", "card": "Ts"}


async def ask(path: Path, *lines: bytes) -> list[dict[str, object]]:
    reader, writer = await asyncio.open_unix_connection(str(path))
    answers = []
    for line in lines:
        writer.write(line + b"\n")
        answers.append(json.loads(await reader.readline()))
    writer.close()
    await writer.wait_closed()
    return answers


def test_is_beside_the_journal(tmp_path: Path) -> None:
    assert address(tmp_path / "j") == tmp_path / "j.sock"


async def test_takes_decisions_and_answers(tmp_path: Path) -> None:
    heard = []

    async def decide(decision: Supervisor) -> None:
        heard.append(decision)
        if decision.choice == "resume":
            raise NotAllowed("card 7 waits")

    path = tmp_path / "j.sock"
    path.touch()  # left over from a kill
    async with inlet(path, decide):
        assert path.stat().st_mode & 0o777 == 0o600
        resume = json.dumps({"choice": "resume", "who": "Ann", "why": "seen"}).encode()
        answers = await ask(path, json.dumps(GOOD).encode(), resume, b"junk")
    assert heard == [Supervisor("card", "Ann", "seen", "Ts"), Supervisor("resume", "Ann", "seen", None)]
    assert answers[:2] == [{"ok": True}, {"error": "card 7 waits"}]
    assert "not JSON" in str(answers[2]["error"])
    assert not path.exists()


async def test_who_is_still_there_at_the_end_is_sent_away(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    asked = asyncio.Event()

    async def decide(_decision: Supervisor) -> None:
        asked.set()
        await asyncio.Event().wait()

    path = tmp_path / "j.sock"
    async with inlet(path, decide):
        idle = await asyncio.open_unix_connection(str(path))
        waiting = await asyncio.open_unix_connection(str(path))
        waiting[1].write(json.dumps(GOOD).encode() + b"\n")
        await asked.wait()
    for reader, writer in (idle, waiting):
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()
    assert caplog.records == []


def test_brackets_without_end_are_not_json() -> None:
    with pytest.raises(NotAllowed, match="not JSON"):
        read_decision(b"[" * 4000)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"choice": "shoot"}, "choice = 'shoot'"),
        ({"card": "1x"}, "card = '1x'"),
        ({"who": " "}, "who = ' '"),
        ({"why": None}, "why = None"),
        ({"why": "x" * 201}, "why = "),
        ({"extra": 1}, '"choice"'),
    ],
)
def test_names_what_is_wrong(change: dict[str, object], named: str) -> None:
    with pytest.raises(NotAllowed, match=r"needed|allowed") as caught:
        read_decision(json.dumps(GOOD | change).encode())
    assert named in str(caught.value)
