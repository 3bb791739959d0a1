"""The supervisor socket: who may use it, which requests it takes, what it answers."""

import asyncio
import json
from pathlib import Path

import pytest

from controller.table.errors import NotAllowed
from controller.table.people.supervisor_socket import read_decision, socket_path, supervisor_socket
from controller.table.record.events import Decision, Supervisor
from controller.table.record.preview import Change, Preview
from tests.fixtures.roster import staffed

GOOD = {"choice": "card", "who": "Ann", "why": "seen", "card": "Ts"}


def _choice(decision: Decision) -> str:
    return decision.choice if isinstance(decision, Supervisor) else ""


class Table:
    """Has card 7 waiting; whoever asks it to burn a card waits for ever."""

    def __init__(self) -> None:
        self.heard: list[Decision] = []
        self.asked = asyncio.Event()

    async def decide(self, decision: Decision) -> None:
        self.heard.append(decision)
        self.asked.set()
        if _choice(decision) == "resume":
            raise NotAllowed("card 7 waits")
        if _choice(decision) == "burn":
            await asyncio.Event().wait()

    def preview(self, decision: Decision) -> Preview:
        if _choice(decision) != "void":
            raise NotAllowed("nothing to tell")
        return Preview(("All wagers push",), (Change("Seat 1", "win", "push"),), "abc")


async def ask(path: Path, *lines: bytes) -> list[dict[str, object]]:
    reader, writer = await asyncio.open_unix_connection(str(path))
    answers = []
    for line in lines:
        writer.write(line + b"\n")
        answers.append(json.loads(await reader.readline()))
    writer.close()
    await writer.wait_closed()
    return answers


def test_the_supervisor_socket_is_beside_the_journal(tmp_path: Path) -> None:
    assert socket_path(tmp_path / "j") == tmp_path / "j.sock"


def line(**fields: object) -> bytes:
    return json.dumps({"who": "Ann", "why": "seen"} | fields).encode()


async def test_the_socket_takes_decisions_and_answers(tmp_path: Path) -> None:
    table, path = Table(), tmp_path / "j.sock"
    path.touch()  # left over from a kill
    async with supervisor_socket(path, table, staffed()):
        assert path.stat().st_mode & 0o777 == 0o600
        answers = await ask(path, json.dumps(GOOD).encode(), line(choice="resume"), b"junk")
    assert table.heard == [Supervisor("card", "Ann", "seen", "Ts"), Supervisor("resume", "Ann", "seen", None)]
    assert answers[:2] == [{"ok": True}, {"error": "card 7 waits"}]
    assert "not JSON" in str(answers[2]["error"])
    assert not path.exists()


async def test_a_preview_is_told_and_nothing_is_done(tmp_path: Path) -> None:
    table, path = Table(), tmp_path / "j.sock"
    async with supervisor_socket(path, table, staffed()):
        answers = await ask(path, line(choice="void", preview=True), line(choice="card", preview=True))
    assert answers == [
        {
            "ok": True,
            "preview": ["All wagers push"],
            "changes": [{"about": "Seat 1", "before": "win", "after": "push"}],
            "token": "abc",
        },
        {"error": "nothing to tell"},
    ]
    assert table.heard == []


async def test_who_is_still_there_at_the_end_is_sent_away(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table, path = Table(), tmp_path / "j.sock"
    async with supervisor_socket(path, table, staffed()):
        idle = await asyncio.open_unix_connection(str(path))
        waiting = await asyncio.open_unix_connection(str(path))
        waiting[1].write(line(choice="burn") + b"\n")
        await table.asked.wait()
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
        ({"why": "seen\u2028by eye"}, "why: not allowed: U+2028 (LINE SEPARATOR) is a line separator"),
        ({"who": "Ann\u200b Lee"}, "who: not allowed: U+200B (ZERO WIDTH SPACE) is a format character"),
        ({"extra": 1}, "extra: not allowed"),
        ({"second": "Bob"}, "second: not allowed; allowed: choice, who, why, round, card, token"),
        ({"choice": "void", "card": None, "second": " "}, "second = ' '"),
        ({"choice": "assign"}, "seat = None: not allowed; allowed: 0 to 9"),
        ({"choice": "assign", "seat": 10}, "seat = 10"),
        ({"choice": "correct", "seat": 1, "number": 1}, "old is missing"),
        ({"choice": "correct", "seat": 1, "old": "Ts"}, "number = None"),
        ({"choice": "entry", "card": None}, "device = None"),
        ({"choice": "entry", "card": None, "device": "shoe"}, "licence = None"),
        ({"preview": "yes"}, "preview = 'yes'"),
    ],
)
def test_a_wrong_field_is_named(change: dict[str, object], named: str) -> None:
    with pytest.raises(NotAllowed, match=r"needed|allowed") as caught:
        read_decision(json.dumps(GOOD | change).encode())
    assert named in str(caught.value)


def test_an_object_that_says_nothing_names_the_words() -> None:
    with pytest.raises(NotAllowed, match="an object with one of choice"):
        read_decision(b'{"who": "Ann", "why": "seen"}')


def test_a_correction_names_the_card_and_where_it_lies() -> None:
    request = line(
        choice="correct", seat=2, number=3, old="Ks", card="Kh", second="Bob", round=7, preview=True
    )
    assert read_decision(request) == (
        Supervisor("correct", "Ann", "seen", "Kh", "Bob", 2, 1, 3, "Ks", 7),
        True,
    )
    request = line(choice="assign", seat=0, hand=2)
    assert read_decision(request) == (Supervisor("assign", "Ann", "seen", None, hand=2), False)
    request = line(choice="entry", device="shoe", licence="L-1234")
    assert read_decision(request) == (
        Supervisor("entry", "Ann", "seen", None, device="shoe", licence="L-1234"),
        False,
    )


def test_a_key_is_taken_back_with_the_token_of_its_preview() -> None:
    seen = Preview((), (), "abc").token
    word = Supervisor("undo", "Ann", "seen", None, token=seen)
    assert read_decision(line(choice="undo", token=seen)) == (word, False)
    with pytest.raises(NotAllowed, match="seat: not allowed; allowed: choice, who, why, round, token"):
        read_decision(line(choice="undo", seat=1))
