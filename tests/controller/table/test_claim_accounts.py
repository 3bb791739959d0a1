"""Over the supervisor socket, moving a jackpot takes persons with accounts."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from controller.access.desk import AccessDesk
from controller.access.errors import AccountsUnusable
from controller.daemon.web_access import NoAccounts
from controller.table.people.accounts import AccountDirectory
from controller.table.people.supervisor_socket import socket_path, supervisor_socket
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import LoopTable, loop_table
from tests.fixtures.roster import Roster

DEVICES = {name: f"{name}-1" for name in ("shoe", "sensors", "console")}
METER = {"meter": "blazing-7s", "cents": 1_200_000, "why": "recount"}
SPOT = 2
"""The index of the jackpot's spot."""
CYRILLIC = "\u0410nn Lee"
PEOPLE = Roster({"Ann Lee": "supervisor", "Bob": "supervisor", "Dee": "dealer"})


async def say(path: Path, at: LoopTable, directory: AccountDirectory, **words: Any) -> str:
    """Preview and decision over the socket; returns the reason of a refusal, empty when it is done."""
    running = asyncio.create_task(at.table.run())
    socket = socket_path(path / "journal")
    async with supervisor_socket(socket, at.table, directory):
        reader, writer = await asyncio.open_unix_connection(str(socket))
        answer: dict[str, Any] = {}
        for more in ({"preview": True}, {}):
            carried = {"token": answer["token"]} if answer else {}
            writer.write(json.dumps({**words, **more, **carried}).encode() + b"\n")
            answer = json.loads(await reader.readline())
            if "error" in answer:
                break
        writer.close()
        await writer.wait_closed()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return str(answer.get("error", ""))


@pytest.mark.parametrize(
    ("who", "second", "why"),
    [
        ("Ghost One", "Ghost Two", "'Ghost One' has no account, and this moves a jackpot"),
        ("Ann Lee", "Ghost Two", "'Ghost Two' has no account"),
        ("Ann Lee", CYRILLIC, f"{CYRILLIC!r} has no account"),
        ("Ann Lee", "Dee", "Dee is dealer; allowed: a supervisor with an account"),
        ("Ann Lee", "\uff21nn  LEE", "allowed: another person than"),
        ("Ann Lee", "ann lee", "allowed: another person than"),
        ("Ann\u202e Lee", "Bob", "who: not allowed: U+202E (RIGHT-TO-LEFT OVERRIDE) is a format character"),
        ("Ann Lee", "Bob", ""),
    ],
)
async def test_a_meter_is_moved_by_two_accounts_only(tmp_path: Path, who: str, second: str, why: str) -> None:
    with loop_table(tmp_path / "journal", Script("blackjack-x", devices=DEVICES).started()) as at:
        said = await say(tmp_path, at, PEOPLE, **METER, who=who, second=second)
        assert (why in said) if why else said == ""
        moved = at.table.state.meters["blazing-7s"].cents == 1_200_000
        assert moved == (not why)


@pytest.mark.parametrize(
    ("step", "who", "why"),
    [
        ("confirm", "Ghost One", "tableside users add NAME --role dealer"),
        ("confirm", "Bob", "Bob is supervisor; allowed: a dealer with an account"),
        ("void", "Ghost One", "tableside users add NAME --role supervisor"),
        ("confirm", "dee", ""),
    ],
)
async def test_a_claim_is_taken_on_by_accounts_only(tmp_path: Path, step: str, who: str, why: str) -> None:
    script = Script("blackjack-x", devices=DEVICES)
    with loop_table(tmp_path / "journal", script.started()) as at:
        hit(at, script)
        said = await say(tmp_path, at, PEOPLE, step=step, claim=1, who=who, why="seen")
        assert (why in said) if why else said == ""
        assert at.table.state.register.by_number(1).dealer == ("" if why else "Dee")


async def test_a_void_that_moves_a_jackpot_takes_two_accounts(tmp_path: Path) -> None:
    script = Script("blackjack-x", devices=DEVICES)
    with loop_table(tmp_path / "journal", script.started()) as at:
        hit(at, script)
        void = {"choice": "void", "who": "Ann Lee", "why": "exposed"}
        assert "has no account" in await say(tmp_path, at, PEOPLE, **void, second="Ghost Two")
        assert await say(tmp_path, at, PEOPLE, **void, second="bob") == ""
        assert (at.table.state.number, at.table.state.register.open) == (2, ())


async def test_what_moves_no_jackpot_takes_no_account(tmp_path: Path) -> None:
    script = Script("blackjack-x", devices=DEVICES)
    with loop_table(tmp_path / "journal", script.started()) as at:
        at.apply(*list(script.opening())[1:], script.loaded(), script.bet(1), script.key("close"))
        assert await say(tmp_path, at, Roster(), choice="void", who="Ghost One", why="exposed") == ""


async def test_accounts_of_the_file_are_looked_up(tmp_path: Path) -> None:
    path = tmp_path / "access.db"
    with (
        AccessDesk(path, lambda: 1000.0, lambda: 0.0) as desk,
        loop_table(tmp_path / "journal", Script("blackjack-x", devices=DEVICES).started()) as at,
    ):
        words = {**METER, "who": "Ann Lee", "second": "Bob"}
        assert "tableside users add NAME --role supervisor" in await say(tmp_path, at, desk, **words)
        for name in ("Ann Lee", "Bob"):
            desk.accounts.add(name, "supervisor", "test")
        desk.accounts.lock("Bob", "test")
        assert "'Bob' has no account" in await say(tmp_path, at, desk, **words)
        desk.accounts.unlock("Bob", "test")
        assert await say(tmp_path, at, desk, **words) == ""


async def test_an_unreadable_file_of_accounts_is_named(tmp_path: Path) -> None:
    closed = NoAccounts(AccountsUnusable(tmp_path / "access.db", "it is damaged"))
    with loop_table(tmp_path / "journal", Script("blackjack-x", devices=DEVICES).started()) as at:
        said = await say(tmp_path, at, closed, **METER, who="Ann", second="Bob")
        assert said.endswith("cannot be used: it is damaged")
        assert said.startswith("this takes persons with accounts, and they cannot be looked up")


def hit(at: LoopTable, script: Script) -> None:
    """Seat 1 has three suited sevens: claim 1 is open, the round in play."""
    at.apply(*list(script.opening())[1:], script.loaded(), script.bet(1), script.bet(1, SPOT, 100))
    at.apply(script.key("close"), *script.cards_out("7h 7h 7h 9c"))
