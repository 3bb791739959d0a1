"""`tableside table bridge` as a process between a core that plays and a real broker: each event of a table
arrives once and in order, whichever of the three is killed, hangs or is away."""

import shutil
import signal
from functools import partial
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest

from controller.table.record.events import DeviceLost, DeviceRunning
from tests.controller.bridge.bridged_table import (
    BETTING,
    DEALING,
    ENDING,
    PAYING,
    ROUND,
    ROWS,
    SENDS,
    THREE_SEVENS,
    BridgedTable,
    head,
)
from tests.fixtures.mosquitto import Broker, Listener, broker_in
from tests.fixtures.waiting import come_true

pytestmark = pytest.mark.usefixtures("fork_server")

SECTION = """
[bridge]
table = "bj-7"
[bridge.mqtt]
server = "mqtt://127.0.0.1:{port}"
"""
PREFIX = "tableside/bj-7"


class Stage:
    """A table, a broker, and a listener at it."""

    def __init__(self, folder: Path, broker: Broker) -> None:
        self.broker = broker
        self.table = BridgedTable(folder, SECTION.format(port=broker.port))
        self.listener = Listener(broker.port, PREFIX)

    def heard(self) -> list[str]:
        """The ids of events that are rows."""
        return [message["id"] for message in self.listener.of(*ROWS)]

    def has(self, count: int) -> bool:
        return len(self.heard()) >= count

    async def has_all(self, after: int) -> None:
        """Returns when the listener has each event after a row, once and in order."""
        wanted = self.table.events(after)
        await come_true(lambda: len(self.heard()) >= len(wanted))
        assert self.heard() == wanted


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path, broker_in(tmp_path / "broker"))


async def test_events_of_a_round_arrive_in_order_when_it_has_ended_and_not_before(stage: Stage) -> None:
    async with stage.table.core() as core:
        with stage.broker.running():
            async with stage.listener.listening():
                with stage.table.bridge() as bridge:
                    await bridge.says(SENDS)
                    await come_true(lambda: stage.table.place()["row"])
                    await come_true(lambda: stage.listener.of("state"))
                    begun = stage.table.place()["row"]
                    core.play(BETTING)
                    core.play(DEALING)
                    await come_true(lambda: stage.listener.of("state")[-1]["state"]["phase"] == "playing")
                    assert stage.heard() == []
                    core.play(ENDING)
                    await stage.has_all(begun)
                    assert await bridge.ends() == 0
                [ended] = stage.listener.of("round")
                assert ended["round"]["number"] == 1
                await come_true(lambda: stage.listener.of("bridge")[-1]["online"] is False)


async def test_a_hit_and_a_suspension_arrive_once_and_in_order_under_all_topics(stage: Stage) -> None:
    def state() -> dict[str, Any]:
        found: dict[str, Any] = stage.listener.of("state")[-1]["state"]
        return found

    async with stage.table.core("blackjack-x") as core:
        with stage.broker.running():
            async with stage.listener.listening():
                with stage.table.bridge() as bridge:
                    await bridge.says(SENDS)
                    await come_true(lambda: stage.table.place()["row"])
                    await come_true(lambda: stage.listener.of("state"))
                    begun = stage.table.place()["row"]
                    core.play(THREE_SEVENS)
                    await come_true(lambda: state()["phase"] == "playing")
                    core.put(DeviceLost("console", "unplugged"))
                    await come_true(lambda: state()["status"] == "suspended")
                    core.put(core.script.up("console"), DeviceRunning("console"))
                    await come_true(lambda: state()["status"] == "open")
                    core.play(PAYING)
                    await stage.has_all(begun)
                    await come_true(lambda: state()["phase"] == "betting")
    heard = [(topic.removeprefix(f"{PREFIX}/"), message) for topic, message in stage.listener.messages]
    assert {topic for topic, _ in heard} == {*ROWS, "state", "bridge"}
    rows = [(topic, message[topic]) for topic, message in heard if topic in ROWS]
    hit = {"hit": "three suited 7s: 10% of the jackpot", "share": "10%", "cents": 100_001}
    claim = {"claim": 1, "state": "pending", "round": 1, "seat": 1, "level": "", **hit}
    won = "Jackpot: seat 1, three suited 7s: 10% of the jackpot: 1000.01 locked, claim 1"
    assert rows[:-1] == [
        jackpot("contribution", before=1_000_000, after=1_000_015),
        jackpot("lock", before=1_000_015, after=900_014),
        jackpot("claim", **claim),
        alert("ALERT", won, "warning"),
        alert("LINK_LOST", "the console is lost: unplugged", "info", "console"),
        alert("SUSPENDED", "Missing: the console", "warning"),
        alert("LINK_BACK", "the console is in service", "info", "console"),
        alert("RESUMED", "play goes on", "info"),
    ]
    topic, ended = rows[-1]
    assert (topic, ended["number"], ended["outcome"]) == ("round", 1, "settled")
    assert ended["dealer"]["cards"] == ["7h", "9c", "9d"]
    assert ended["seats"][0]["hands"][0]["cards"] == ["7h", "7h"]
    assert {line["wager"]: line["paid"] for line in ended["lines"]} == {"main": 500, "blazing-7s": 99_901}
    states = [message["state"] for topic, message in heard if topic == "state"]
    assert all(before != after for before, after in pairwise(states))
    statuses = [status for status, _ in groupby(each["status"] for each in states)]
    assert statuses == ["open", "suspended", "open"]
    assert {tuple(each["why"]) for each in states} == {(), ("Missing: the console",)}


def jackpot(change: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    return "jackpot", {"change": change, "spot": "blazing-7s", **fields}


def alert(code: str, text: str, level: str, device: str = "") -> tuple[str, dict[str, Any]]:
    return "alert", {"code": code, "device": device, "text": text, "level": level}


async def test_a_killed_bridge_goes_on_without_a_gap_or_a_repeat(stage: Stage) -> None:
    async with stage.table.core() as core:
        begun = head(core)
        with stage.broker.running():
            async with stage.listener.listening():
                for kills in range(4):
                    with stage.table.bridge() as bridge:
                        await come_true(lambda: stage.table.place()["row"] >= begun)
                        core.play(ROUND)
                        await come_true(partial(stage.has, kills))
                        bridge.process.send_signal(signal.SIGKILL)
                with stage.table.bridge():
                    await stage.has_all(begun)


async def test_a_broker_that_was_restarted_gets_each_event_once(stage: Stage) -> None:
    async with stage.table.core() as core:
        begun = head(core)
        with stage.table.bridge() as bridge:
            with stage.broker.running():
                async with stage.listener.listening():
                    await bridge.says(SENDS)
                    await come_true(lambda: stage.table.place()["row"])
                    core.play(ROUND)
                    await stage.has_all(begun)
            await bridge.says("mqtt: broker mqtt://127.0.0.1")
            core.play(f"{ROUND} {ROUND}")
            with stage.broker.running():
                async with stage.listener.listening():
                    await stage.has_all(begun)
                    core.play(ROUND)
                    await stage.has_all(begun)


async def test_a_broker_that_hangs_gets_each_event_once_when_it_goes_on(stage: Stage) -> None:
    async with stage.table.core() as core:
        begun = head(core)
        with stage.broker.running():
            async with stage.listener.listening():
                with stage.table.bridge() as bridge:
                    await bridge.says(SENDS)
                    await come_true(lambda: stage.table.place()["row"])
                    stage.broker.stall()
                    core.play(f"{ROUND} {ROUND}")
                    await bridge.says("timed out")
                    core.play(ROUND)
                    stage.broker.go_on()
                    await stage.has_all(begun)


async def test_the_broker_knows_what_it_has_when_the_bridge_has_lost_its_file(stage: Stage) -> None:
    async with stage.table.core() as core:
        begun = head(core)
        with stage.broker.running():
            async with stage.listener.listening():
                with stage.table.bridge():
                    await come_true(lambda: stage.table.place()["row"])
                    core.play(ROUND)
                    await stage.has_all(begun)
                shutil.rmtree(stage.table.folder / "bridge")
                core.play(ROUND)
                with stage.table.bridge():
                    await stage.has_all(begun)


async def test_the_bridge_knows_what_a_broker_has_lost(tmp_path: Path) -> None:
    stage = Stage(tmp_path, broker_in(tmp_path / "broker", persistence=False))
    async with stage.table.core() as core:
        begun = head(core)
        with stage.table.bridge() as bridge:
            with stage.broker.running():
                async with stage.listener.listening():
                    await come_true(lambda: stage.table.place()["row"])
                    core.play(ROUND)
                    await stage.has_all(begun)
            await bridge.says("mqtt: broker")
            stage.listener.messages.clear()
            after = head(core)
            with stage.broker.running():
                async with stage.listener.listening():
                    core.play(ROUND)
                    await stage.has_all(after)


async def test_a_journal_that_was_put_back_stops_the_bridge(stage: Stage) -> None:
    with stage.broker.running():
        async with stage.table.core():
            pass
        old = stage.table.folder / "old"
        old.mkdir()
        for file in stage.table.folder.glob("journal*"):
            shutil.copy(file, old)
        async with stage.table.core() as core:
            with stage.table.bridge():
                await come_true(lambda: stage.table.place()["row"])
                core.play(ROUND)
                await come_true(lambda: stage.table.place()["row"] == head(core))
        for file in old.iterdir():
            shutil.copy(file, stage.table.folder)
        async with stage.table.core():
            with stage.table.bridge() as bridge:
                await bridge.says("mqtt: the receiver has row")


async def test_the_state_says_whether_the_table_plays(stage: Stage) -> None:
    def states() -> list[str]:
        return [message["state"]["status"] for message in stage.listener.of("state")]

    with stage.broker.running():
        async with stage.listener.listening():
            with stage.table.bridge():
                async with stage.table.core():
                    await come_true(lambda: states()[-1:] == ["open"])
                await come_true(lambda: states()[-1:] == ["away"])
            assert stage.listener.of("state")[-1]["journal"] == stage.table.epoch
