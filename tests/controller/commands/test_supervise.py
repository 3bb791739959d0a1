"""`tableside supervise`: its preview, its confirmation, and what it sends."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from controller.table.people.consequences import consequences
from controller.table.people.supervisor_socket import socket_path, supervisor_socket
from controller.table.record.events import Decision
from controller.table.record.preview import Preview
from drivers.messages import CardUnpermitted
from tests.fixtures.roster import staffed
from tests.fixtures.state_table import StateTable
from tests.fixtures.waiting import PATIENCE

CONFIG = """
[table]
name = "T"
game = "ez-bust"
[journal]
path = "j"
[devices]
shoe = { port = "/dev/a", serial = "A" }
sensors = { port = "/dev/b", serial = "B" }
console = { port = "/dev/c", serial = "C" }
"""
WHO = ("--who", "Ann", "--why", "seen")
CORRECT = ("correct", "--round", "1", "--seat", "1", "--number", "1", "--old", "8h", "--card", "7h")


class Desk(StateTable):
    """A table that a supervisor uses, without devices and journal."""

    def __init__(self) -> None:
        super().__init__("ez-bust")
        self.play("1:main=1000 close 8h 6d 8s Qh 1:hit 5c")

    async def decide(self, decision: Decision) -> None:
        self.apply(decision)

    def preview(self, decision: Decision) -> Preview:
        return consequences(self.state, decision)


@contextmanager
def open_desk(path: Path, desk: Desk) -> Iterator[None]:
    """It listens on another thread, because the command blocks this one."""
    opened, loop = Event(), asyncio.new_event_loop()
    stop = asyncio.Event()

    async def listen() -> None:
        async with supervisor_socket(path, desk, staffed()):
            opened.set()
            await stop.wait()

    thread = Thread(target=lambda: loop.run_until_complete(listen()))
    thread.start()
    assert opened.wait(PATIENCE)
    try:
        yield
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text(CONFIG)
    return path


def say(config: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["supervise", *words, "--config", str(config), *WHO])


def hand(desk: Desk) -> tuple[str, ...]:
    return desk.state.round.seats[1].hands[0].cards


def test_what_changes_is_shown_and_accepted_with_its_token(config: Path) -> None:
    desk = Desk()
    with open_desk(socket_path(config.with_name("j")), desk):
        shown = say(config, *CORRECT, "--preview")
        assert shown.exit_code == 0
        assert "Card 7h of seat 1 was read as 8h" in shown.stdout
        assert "8h 8s 5c: 21" in shown.stdout
        assert "7h 8s 5c: 20" in shown.stdout
        assert hand(desk) == ("8h", "8s", "5c")
        token = shown.stdout.rsplit("Token: ", 1)[1].strip()
        unasked = say(config, *CORRECT)
        assert unasked.exit_code == 1
        assert f"To accept this, give the same command with --token {token}" in unasked.stdout
        assert hand(desk) == ("8h", "8s", "5c")
        done = say(config, *CORRECT, "--token", token)
        assert (done.exit_code, done.stdout) == (0, "")
        assert hand(desk) == ("7h", "8s", "5c")
        late = say(config, *CORRECT, "--token", token)
        assert (late.exit_code, "not as 8h" in late.stderr) == (1, True)


def test_a_decision_and_its_preview_are_printed_as_json(config: Path) -> None:
    desk = Desk()
    with open_desk(socket_path(config.with_name("j")), desk):
        previewed = say(config, *CORRECT, "--preview", "--json")
        unaccepted = say(config, *CORRECT, "--json")
        assert hand(desk) == ("8h", "8s", "5c")
        shown = json.loads(previewed.stdout)
        done = say(config, *CORRECT, "--token", shown["preview"]["token"], "--json")
        refused = say(config, *CORRECT, "--token", shown["preview"]["token"], "--json")
        resumed = say(config, "entry", "--device", "shoe", "--licence", "L-7", "--json")
    assert (previewed.exit_code, shown["done"]) == (0, False)
    assert "Card 7h of seat 1 was read as 8h" in " ".join(shown["preview"]["sentences"])
    changed = {"about": "Seat 1, hand 1", "before": "8h 8s 5c: 21", "after": "7h 8s 5c: 20"}
    assert changed in shown["preview"]["changes"]
    assert (unaccepted.exit_code, json.loads(unaccepted.stdout)) == (1, shown)
    assert unaccepted.stderr == "tableside: nothing is changed\n"
    assert (done.exit_code, json.loads(done.stdout)) == (0, {"done": True, "preview": None})
    assert (refused.exit_code, refused.stdout, "not as 8h" in refused.stderr) == (1, "", True)
    assert json.loads(resumed.stdout) == {"done": True, "preview": None}
    assert hand(desk) == ("7h", "8s", "5c")


def test_a_card_that_is_due_there_is_accepted_with_its_token(config: Path) -> None:
    desk = Desk()
    desk.play("1:stand")
    desk.script.cards += 1
    desk.shoe(CardUnpermitted(desk.script.cards, "2d"))
    with open_desk(socket_path(config.with_name("j")), desk):
        shown = say(config, "assign", "--round", "1", "--seat", "0")
        assert (shown.exit_code, shown.stdout.startswith("Card 6 is due there\n")) == (1, True)
        token = shown.stdout.rsplit("--token ", 1)[1].strip()
        done = say(config, "assign", "--round", "1", "--seat", "0", "--token", token)
        assert (done.exit_code, done.stdout) == (0, "")
        again = say(config, "assign", "--round", "1", "--seat", "0")
    assert desk.state.round.dealer.cards == ("6d", "Qh", "2d")
    assert again.stderr == "tableside: no card waits for a decision\n"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("assign", "--round", "1"), "seat = None: not allowed; allowed: 0 to 9"),
        (("correct", "--round", "1", "--seat", "1", "--number", "1"), "old is missing"),
        (("void",), "--round is missing; needed: the number of the round that you mean"),
        (("entry",), "device = None"),
        (("entry", "--device", "shoe"), "licence = None"),
        (("burn", "--round", "1", "--seat", "1"), "seat: not allowed; allowed: choice, who, why"),
    ],
)
def test_what_is_missing_is_named_before_anybody_is_asked(
    config: Path, words: tuple[str, ...], named: str
) -> None:
    done = say(config, *words)
    assert (done.exit_code, named in done.stderr) == (2, True)


def test_words_that_have_no_preview_say_so(config: Path) -> None:
    desk = Desk()
    with open_desk(socket_path(config.with_name("j")), desk):
        done = say(config, "entry", "--device", "shoe", "--licence", "L-7", "--preview")
    assert done.stderr.startswith("tableside: entry has no preview; allowed: burn, card,")
