"""The loop: write to disk first, then acknowledge and show; one transaction for a batch."""

import asyncio
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from controller.journal.errors import JournalError
from controller.journal.journal import LOG_BYTES
from controller.table.errors import NotAllowed
from controller.table.inbox import Clocks
from controller.table.loop import PULSE
from controller.table.record.codec import read_input
from controller.table.record.events import Action, ActionEnded, DeviceEvent, DeviceRunning, Supervisor
from drivers.link.limits import Timing
from drivers.messages import Cover, DeckCheck, Eject, ShufflerState, Start, Wager
from drivers.protocol.codes import ShufflerPhase, Status
from tests.fixtures.device_inputs import DEVICES, Script
from tests.fixtures.loop_table import LoopTable, loop_table, received

ALL = {**DEVICES, "shuffler": "SHUFFLER-1", "display": "DISPLAY-1"}


def opened(table: LoopTable, script: Script) -> None:
    table.apply(*list(script.opening())[1:], script.loaded())
    table.calls.clear()


def test_a_card_is_committed_and_shown_after_it_is_on_disk(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        opened(table, script)
        table.apply(script.bet(1), script.key("close"))
        assert table.calls_of("shoe", "permit") == [(2,)]
        table.calls.clear()
        table.apply(script.card("5h"))
        assert ("shoe", "commit", 2) in table.calls
        assert table.calls_of("console", "prompt") == [("Deal 1 card", 0)]
        assert table.kinds()[-2:] == ["permit", "event"]


def test_nothing_is_acknowledged_when_the_disk_fails(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        opened(table, script)
        table.apply(script.bet(1), script.key("close"))
        table.calls.clear()
        table.journal._stores[0]._writer.execute("PRAGMA query_only = ON")
        with pytest.raises(JournalError, match="cannot be written"):
            table.apply(script.card("5h"))
        assert table.calls == []
        assert table.table.failed is not None


def test_what_comes_together_is_one_transaction(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        opened(table, script)
        statements: list[str] = []
        table.journal._stores[0]._writer.set_trace_callback(statements.append)
        table.table.process([received(script.bet(seat)) for seat in range(1, 8)])
        assert statements.count("COMMIT") == 1
        assert table.kinds()[-7:] == ["event"] * 7
        assert table.calls_of("sensors", "commit") == [(7,)]
        assert table.calls_of("console", "prompt") == [("Place your bets: 7 wagers", 0)]


def test_a_repeat_is_committed_again_and_not_written_again(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        opened(table, script)
        bet = script.bet(1)
        table.apply(bet)
        rows = table.kinds()
        table.calls.clear()
        table.apply(bet)
        assert table.calls == [("sensors", "commit", 1)]
        assert table.kinds() == rows


def test_a_permit_is_on_disk_before_it_is_given(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        opened(table, script)
        table.apply(script.bet(1), script.key("close"))
        *_, last = table.journal.since(0)
        assert (last.content.kind, last.content.body) == ("permit", '{"up_to":2}')


def test_an_action_is_on_disk_before_it_is_asked_for(tmp_path: Path) -> None:
    script = Script(devices=ALL)
    with loop_table(tmp_path / "j", script.started()) as table:
        opened(table, script)
        rows = [entry.content for entry in table.journal.since(0) if entry.content.kind == "action"]
        assert [read_input(row) for row in rows] == [Action("shuffler", 1, Start(8))]
        assert table.table.state.devices["shuffler"].open_actions == [1]


def test_the_shuffler_is_asked_through_its_whole_cycle(tmp_path: Path) -> None:
    script = Script(devices=ALL)
    with loop_table(tmp_path / "j", script.started()) as table:
        table.apply(*list(script.opening())[1:])
        assert table.calls_of("shuffler", "act") == [(1, Start(8))]
        table.apply(ActionEnded("shuffler", 1, Status.DONE, ""))
        table.apply(script.event("shuffler", DeckCheck(8, bytes([8] * 52), 0)))
        table.apply(script.event("shuffler", ShufflerState(ShufflerPhase.DONE, 100)))
        assert table.calls_of("shuffler", "act")[1:] == [(2, Eject())]
        table.apply(ActionEnded("shuffler", 2, Status.DONE, ""))
        assert table.calls_of("console", "prompt")[-1] == ("Load the shoe", 0)


def test_an_action_that_never_came_is_asked_again(tmp_path: Path) -> None:
    """The daemon died between disk and device: the recall burns the key, and a fresh one is used."""
    script = Script(devices=ALL)
    with loop_table(tmp_path / "j", script.started()) as table:
        table.apply(*list(script.opening())[1:])
    with loop_table(tmp_path / "j", script.started()) as table:
        table.table._devices["shuffler"].key = 1  # type: ignore[attr-defined]
        table.apply(
            script.up("shuffler"), ActionEnded("shuffler", 1, Status.NEVER, ""), DeviceRunning("shuffler")
        )
        assert table.calls_of("shuffler", "act") == [(2, Start(8))]


async def test_a_supervisors_word_returns_when_it_is_on_disk(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        opened(table, script)
        table.apply(script.card("9h"))
        running = asyncio.create_task(table.table.run())
        burn = Supervisor("burn", "Ann", "seen", None)
        with pytest.raises(NotAllowed, match="its token is missing"):
            await table.table.decide(burn)
        await table.table.decide(replace(burn, token=table.table.preview(burn).token))
        assert table.kinds()[-3:] == ["refusal", "supervisor", "resumed"]
        assert "alert" not in table.kinds()
        running.cancel()
        await asyncio.wait({running})


async def test_pulses_prove_that_turns_are_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.table.loop.PULSE", 0.001)
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        turns = asyncio.Semaphore(0)
        table.table._on_batch = turns.release
        rows = table.kinds()
        running = asyncio.create_task(table.table.run())
        for _ in range(3):
            await turns.acquire()
        running.cancel()
        await asyncio.wait({running})
        assert table.kinds() == rows


async def test_turns_are_no_further_apart_than_a_pulse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, others_run = [0.0], asyncio.sleep
    turns: list[float] = []

    async def nap(seconds: float) -> None:
        await others_run(0)
        now[0] += seconds

    monkeypatch.setattr(asyncio, "sleep", nap)
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        table.table._clocks = Clocks(lambda: 1000.0, lambda: now[0])
        table.table._on_batch = lambda: turns.append(now[0])
        running = asyncio.create_task(table.table.run())
        while len(turns) < 6:
            await others_run(0)
            if len(turns) == 3:
                table.table.inbox.put(script.event("sensors", Wager(1, 0, True, 500)))
        running.cancel()
        await asyncio.wait({running})
    assert all(0 <= later - turn <= PULSE for turn, later in pairwise(turns))


@pytest.mark.parametrize("early", [0.0, 1e-9])
async def test_pulses_come_with_the_heartbeats_of_the_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, early: float
) -> None:
    now, others_run = [0.3], asyncio.sleep
    turns: list[float] = []

    async def nap(seconds: float) -> None:
        await others_run(0)
        now[0] += seconds - early

    monkeypatch.setattr(asyncio, "sleep", nap)
    with loop_table(tmp_path / "j", Script().started()) as table:
        table.table._clocks = Clocks(lambda: 1000.0, lambda: now[0])
        table.table._on_batch = lambda: turns.append(now[0])
        running = asyncio.create_task(table.table.run())
        while len(turns) < 4:
            await others_run(0)
        running.cancel()
        await asyncio.wait({running})
    heartbeats = [Timing(on_grid=True).next_heartbeat(0.3 + PULSE * number) for number in range(4)]
    assert turns == pytest.approx(heartbeats)


def test_a_turn_in_which_nothing_happened_tidies_the_journal(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        log = tmp_path / "j-wal"
        table.apply(script.up("shoe"))
        assert log.stat().st_size < LOG_BYTES
        table.table.process([])
        assert log.stat().st_size == LOG_BYTES


def test_the_table_is_alive_while_batches_are_finished(tmp_path: Path) -> None:
    with loop_table(tmp_path / "j", Script().started()) as table:
        now = [0.0]
        keepalive = table.table._keepalive
        keepalive._clock = lambda: now[0]
        assert keepalive.alive()
        now[0] = 2.5
        assert not keepalive.alive()
        table.table.process([])
        assert keepalive.alive()


def test_a_cleared_device_gets_a_new_session(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        opened(table, script)
        table.apply(script.event("shoe", b"\xff", critical=True), Supervisor("resume", "Ann", "seen", None))
        assert table.renewed == ["shoe"]


def test_unreadable_event_is_kept_as_bytes(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        opened(table, script)
        table.apply(script.event("shoe", b"\xff\x01"))
        *_, last = table.journal.since(0)
        event = read_input(last.content)
        assert isinstance(event, DeviceEvent)
        assert event.body == b"\xff\x01"


def test_the_console_sounds_on_trouble(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        opened(table, script)
        table.apply(script.key("pay"), script.card("9h"))
        assert table.calls_of("console", "buzz") == [(150,), (1500,)]


def test_what_has_ended_in_the_same_batch_makes_no_sound(tmp_path: Path) -> None:
    script = Script()
    with loop_table(tmp_path / "j", script.started()) as table:
        opened(table, script)
        table.table.process([received(script.event("shoe", Cover(on))) for on in (True, False)])
        assert table.calls_of("console", "buzz") == []
        table.apply(script.event("shoe", Cover(True)))
        assert table.calls_of("console", "buzz") == [(1500,)]


def test_the_players_display_follows_the_round(tmp_path: Path) -> None:
    script = Script(devices=ALL)
    with loop_table(tmp_path / "j", script.started()) as table:
        opened(table, script)
        table.apply(script.bet(1), script.key("close"), *script.cards_out("Ah Tc"))
        assert table.calls_of("display", "text") == [
            (1, "No more bets"),
            (1, "Dealer has 10"),
            (2, "Winners: seat 1"),
        ]
