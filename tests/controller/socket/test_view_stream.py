"""The table's view as subscribers get it, against the view itself."""

import asyncio
import json
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from controller.socket import publisher, view_stream
from controller.socket.lines import MOST_LINE
from controller.socket.replica import NoView, PushError, TableReplica
from controller.table.record.events import Input
from controller.table.record.notes import Note
from controller.table.record.views import AlarmView, TableView
from controller.table.view.build import build_view
from tests.fixtures.core_table import open_core, request
from tests.fixtures.played_views import PLAYED
from tests.fixtures.random_nights import RandomNight
from tests.fixtures.table_views import DEVICES
from tests.fixtures.waiting import come_true

ROUNDS = 120
"""Of each game; thousands are played by hand when the stream changes."""


class Subscriber:
    """Gets what differs from the view that it has; takes pushes through JSON."""

    def __init__(self) -> None:
        self.sent: TableView | None = None
        self.replica = TableReplica()

    def follow(self, number: int, view: TableView) -> list[bytes]:
        lines = view_stream.lines(number, self.sent, view)
        for line in lines:
            self.replica.apply(json.loads(line)["params"])
        self.sent = view
        return lines


class WatchedNight(RandomNight):
    """A night with three subscribers: one gets every view, the others miss some."""

    def __init__(self, game: str, seed: int) -> None:
        self.subscribers = [Subscriber() for _ in range(3)]
        self.views, self.watching = 0, Random(seed)
        super().__init__(game, seed)

    def apply(self, *events: Input) -> list[Note]:
        notes: list[Note] = []
        for event in events:
            notes += super().apply(event)
            self._watch()
        return notes

    def _watch(self) -> None:
        if self.watching.random() < 0.6:
            return
        self.views += 1
        view = build_view("Table 7", self.state, DEVICES)
        for chance, subscriber in zip((1.0, 0.3, 0.01), self.subscribers, strict=True):
            if self.watching.random() < chance:
                lines = subscriber.follow(self.views, view)
                assert all(len(line) <= MOST_LINE for line in lines)
                assert subscriber.replica.view() == view


@pytest.mark.parametrize("game", ["blackjack-x", "quick-pay", "ez-bust"])
def test_every_subscriber_has_the_view_after_any_number_of_random_rounds(game: str) -> None:
    night = WatchedNight(game, seed=7)
    for _ in range(ROUNDS):
        night.play_random_round()
    assert night.views > 4 * ROUNDS
    assert all(subscriber.replica.number > 0 for subscriber in night.subscribers)


@pytest.mark.parametrize("name", PLAYED)
def test_a_view_of_each_kind_arrives_whole(name: str) -> None:
    subscriber = Subscriber()
    subscriber.follow(1, PLAYED[name])
    assert subscriber.replica.view() == PLAYED[name]


def test_a_view_that_has_not_changed_is_not_sent_again() -> None:
    view = PLAYED["jackpot"]
    assert view_stream.lines(2, view, replace(view)) == []


def test_only_what_has_changed_is_sent() -> None:
    view = PLAYED["jackpot"]
    (line,) = view_stream.lines(2, view, replace(view, prompt="Take a break"))
    assert json.loads(line)["params"] == {"n": 2, "set": {"prompt": "Take a break"}}


def test_the_end_of_a_round_sends_one_round() -> None:
    night = RandomNight("ez-bust", 3)
    views = []
    for _ in range(60):
        night.play_random_round()
        views.append(build_view("T", night.state, DEVICES))
    line = view_stream.lines(2, views[-2], views[-1])[0]
    rounds = json.loads(line)["params"]["rounds"]
    assert (rounds["drop"], len(rounds["add"])) == (len(views[-1].rounds) - 49, 1)


def test_fifty_rounds_of_nine_seats_go_in_lines_of_the_allowed_length() -> None:
    view = _big(PLAYED["four hands"])
    subscriber = Subscriber()
    lines = subscriber.follow(1, view)
    assert len(view.rounds) == 50
    assert min(len(past.seats) for past in view.rounds) == 9
    assert len(lines) > 3
    assert max(map(len, lines)) <= MOST_LINE
    assert subscriber.replica.view() == view


def test_more_alerts_than_a_line_holds_go_in_several() -> None:
    alarms = tuple(AlarmView(number, "x" * 200, 1.0, 2.0, 1, 1) for number in range(1000))
    view = replace(PLAYED["jackpot"], alarms=alarms)
    subscriber = Subscriber()
    lines = subscriber.follow(1, view)
    assert max(map(len, lines)) <= MOST_LINE
    assert subscriber.replica.view() == view


def test_a_view_is_not_shown_before_its_last_line() -> None:
    lines = view_stream.lines(1, None, _big(PLAYED["four hands"]))
    replica = TableReplica()
    whole = [replica.apply(json.loads(line)["params"]) for line in lines[:-1]]
    assert whole == [False] * (len(lines) - 1)
    with pytest.raises(NoView):
        replica.view()
    assert replica.apply(json.loads(lines[-1])["params"])
    assert replica.current


def test_a_replica_that_is_reset_has_no_view() -> None:
    subscriber = Subscriber()
    subscriber.follow(1, PLAYED["jackpot"])
    subscriber.replica.reset()
    assert not subscriber.replica.current


@pytest.mark.parametrize(
    "push", [{"n": 1}, {"n": 1, "set": {"devices": 7}}, {"set": {}}, {"n": 1, "rounds": {"drop": 1}}]
)
def test_what_is_not_a_push_of_a_view_is_refused(push: dict[str, object]) -> None:
    with pytest.raises(PushError):
        TableReplica().apply(push)


def test_a_field_of_a_newer_core_is_ignored() -> None:
    subscriber = Subscriber()
    subscriber.follow(1, PLAYED["jackpot"])
    assert subscriber.replica.apply({"n": 2, "set": {"weather": "rain", "phase": "betting"}})
    assert subscriber.replica.view() == replace(PLAYED["jackpot"], phase="betting")


async def test_a_client_follows_a_table_that_plays(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.client("web", "view") as client:
        await come_true(lambda: client.replica.current)
        for tokens in ("1:main=500 close", "9h 7d 9s 9c", "1:stand", "9d pay", "1:main= 2:main=700 close"):
            core.play(tokens)
            await come_true(lambda: client.replica.view() == core.view())
        assert client.replica.view().rounds


async def test_quick_changes_are_put_together_and_the_last_one_arrives(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.client("web", "view") as client:
        await come_true(lambda: client.replica.current)
        first, begun = client.replica.number, time.monotonic()
        for number in range(300):
            core.play(f"1:main={500 + number % 7 * 100}")
            await asyncio.sleep(0)
        await come_true(lambda: client.replica.view() == core.view())
        gaps = (time.monotonic() - begun) / publisher.GAP
        assert first < client.replica.number <= first + gaps + 2


async def test_a_client_that_reads_nothing_is_dropped_and_others_go_on(tmp_path: Path) -> None:
    async with (
        open_core(tmp_path, patience=0.2) as core,
        core.wire() as deaf,
        core.client("web", "view") as client,
    ):
        await come_true(lambda: len(core.server.links) == 2)
        deaf.writer.write(request(1, "subscribe", topics=["view"]))
        for number in range(20_000):
            deaf.writer.write(request(number, "fly"))
        await come_true(lambda: len(core.server.links) == 1)
        core.play("1:main=900")
        await come_true(lambda: client.replica.view() == core.view())
        assert client.connected


async def test_a_subscriber_to_the_head_gets_it(tmp_path: Path) -> None:
    heads: list[tuple[str, object]] = []

    def take(topic: str, value: object) -> None:
        heads.append((topic, value))

    async with open_core(tmp_path) as core, core.client("uplink", "head", on_push=take):
        await come_true(lambda: heads)
        head = core.at.journal.head
    assert head is not None
    assert heads == [("head", {"row": head.row, "hash": head.hash.hex()})]


def _big(view: TableView) -> TableView:
    night = RandomNight("ez-bust", 1)
    night.play_random_round()
    past = build_view("T", night.state, DEVICES).rounds[0]
    seats = tuple(replace(view.seats[1], seat=seat) for seat in range(1, 10))
    wide = replace(past, seats=seats, lines=past.lines * 3)
    return replace(view, rounds=tuple(replace(wide, number=1000 - number) for number in range(50)))
