"""What clients may take from the table: time, metrics, and the head of the journal."""

from pathlib import Path

from controller.daemon.core_socket import CoreSocket
from controller.socket.budget import BURST, SHARE, Budget
from controller.socket.core import Cached, Core
from controller.socket.listening import SocketPlace
from controller.socket.peers import PeerUsers
from controller.socket.results import Head
from controller.telemetry.host import HostStatus
from tests.fixtures.access_desk import Clock
from tests.fixtures.core_table import open_core, request
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import LoopTable, loop_table
from tests.fixtures.state_table import StateTable

DEVICES = ("shoe", "sensors", "console")
IN_PLAY = ("close", "9h", "7d", "9s", "9c", "1:stand", "9d")


def test_requests_take_a_tenth_of_the_time_in_the_long_run() -> None:
    clock, taken = Clock(0.0), 0.0
    budget = Budget(clock)
    while clock.now < 100.0:
        if wait := budget.wait():
            clock.now += wait
            continue
        budget.take(0.002)
        clock.now += 0.002
        taken += 0.002
    assert abs(taken - (BURST + SHARE * clock.now)) < 0.01


def test_time_that_nobody_used_is_saved_up_to_a_limit() -> None:
    clock = Clock(0.0)
    budget = Budget(clock)
    clock.now = 3600.0
    budget.take(BURST + 0.01)
    assert 0.0 < budget.wait() <= 0.01 / SHARE + 1e-9


def test_metrics_are_made_at_most_once_a_second() -> None:
    clock, made = Clock(0.0), list[float]()

    def make() -> str:
        made.append(clock.now)
        return str(len(made))

    cached = Cached(make, clock)
    texts = []
    for clock.now in (0.0, 0.5, 0.99, 1.0, 1.5, 2.1):
        texts.append(cached())
    assert texts == ["1", "1", "1", "2", "2", "3"]
    assert made == [0.0, 1.0, 2.1]


async def test_a_flood_of_one_client_does_not_keep_another_from_its_answer(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.wire() as flood, core.wire() as other:
        flood.writer.write(b"".join(request(number, "health") for number in range(5_000)))
        await flood.message()
        answer = await other.call("hello")
        behind = flood.reader._buffer.count(b"\n")  # type: ignore[attr-defined]
    assert answer["result"]["table"] == "T"
    assert behind < 2_500


def test_the_head_stays_before_the_round_in_play(tmp_path: Path) -> None:
    script = Script("ez-bust", devices={name: f"{name}-1" for name in DEVICES})
    with loop_table(tmp_path / "journal", script.started()) as at:
        at.apply(*script.opening(), script.loaded(at.table.state.game.options.decks))
        watched = _socket(tmp_path, at)
        between = _played(watched, at, script, "1:main=500")
        in_play = [
            _played(watched, at, script, token)
            for token in ["close", "9h", "7d", "9s", "9c", "1:stand", "9d"]
        ]
        after = _played(watched, at, script, "pay")
        head = at.journal.head
    assert head is not None
    assert in_play == [between] * len(IN_PLAY)
    assert after == Head(head.row, head.hash.hex())
    assert after.row > between.row > 0


def test_a_start_in_the_middle_of_a_round_has_the_head_of_the_last_rounds_end(tmp_path: Path) -> None:
    script = Script("ez-bust", devices={name: f"{name}-1" for name in DEVICES})
    with loop_table(tmp_path / "journal", script.started()) as at:
        at.apply(*script.opening(), script.loaded(at.table.state.game.options.decks))
        assert _socket(tmp_path, at).head == Head(0, "")
        for token in ["1:main=500", "close", "9h", "7d", "9s", "9c", "1:stand", "9d", "pay", "close", "9h"]:
            at.apply(StateTable.of(at.table.state, script).event(token))
        watched = _socket(tmp_path, at)
        watched.changed()
        (snapshot,) = at.journal.latest("snapshot")
    assert watched.head == Head(snapshot.row, snapshot.hash.hex())


def _socket(folder: Path, at: LoopTable) -> CoreSocket:
    none = Head(0, "")
    core = Core(
        "1", "T", "G", at.table, None, str, lambda: None, HostStatus, lambda: none, str, lambda *_: None
    )
    place = SocketPlace(folder / "s", "nobody", PeerUsers())
    return CoreSocket(place, core, at.table, at.journal, lambda _why: None)


def _played(watched: CoreSocket, at: LoopTable, script: Script, token: str) -> Head:
    at.apply(StateTable.of(at.table.state, script).event(token))
    watched.changed()
    return watched.head
