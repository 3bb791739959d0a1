"""The host's end of the link follows its scripts."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from drivers.link.facts import Bookmark, Expected
from drivers.link.host import HostLink
from drivers.link.key_schedule import KEY
from drivers.link.reports import (
    ActionEnded,
    BlockSent,
    CardsMissing,
    CommandRefused,
    DeviceEvent,
    DeviceRefused,
    DeviceRunning,
    DeviceUp,
    Down,
    EventsMissing,
    HeartbeatLate,
    HeartbeatSeen,
    LinkEvent,
    Unarmed,
)
from drivers.messages import COMMANDS, UpdateBegin
from drivers.protocol.codes import DeviceClass

from .bench import StepResult, play
from .vectors import Vector, load, name_of

WORDS: dict[type, Callable[[Any], Vector]] = {
    DeviceUp: lambda up: {"up": {"relation": up.relation}},
    DeviceEvent: lambda event: {"event": _event(event)},
    EventsMissing: lambda lost: {"events_lost": {"first": lost.first, "last": lost.last}},
    ActionEnded: lambda action: {"action": {"key": action.key, "status": int(action.status)}},
    CommandRefused: lambda refused: {"command_refused": {"status": int(refused.status)}},
    DeviceRunning: lambda _: {"running": {}},
    CardsMissing: lambda cards: {"cards_missing": {"shoe_cards": cards.shoe_cards, "ours": cards.ours}},
    DeviceRefused: lambda refused: {"refused": {"reason": refused.reason.upper()}},
    Down: lambda down: {"down": {"reason": down.reason}},
}


UNLISTED = (HeartbeatLate, Unarmed, BlockSent, HeartbeatSeen)


@pytest.mark.parametrize(
    "vector", load("host-handshake", "host-log", "host-update", "sealed-host"), ids=name_of
)
def test_the_host_follows_each_script_of_the_vectors(vector: Vector) -> None:
    play(vector, Host(vector))


class Host:
    """A HostLink with the journal, the configuration and the nonces of a script."""

    def __init__(self, vector: Vector) -> None:
        nonces, secrets = iter(vector["nonces"]), iter(vector.get("secrets", ()))
        self._link = HostLink(
            _expected(vector["expected"]),
            _bookmark(vector["journal"]),
            lambda size: bytes.fromhex(next(secrets if size == KEY else nonces)),
            0.0,
            lambda: True,
            key=bytes.fromhex(vector.get("key", "")),
            image=bytes.fromhex(vector["image"]) if "image" in vector else None,
        )
        self.take = self._link.take
        self.deadline = self._link.deadline

    def do(self, wish: Vector, _now: float) -> None:
        if "commit" in wish:
            self._link.commit(wish["commit"])
        for name, fields in wish.get("want", {}).items():
            self._link.want(COMMANDS[name](**fields))
        if "act" in wish:
            self._act(**wish["act"])

    def feed(self, data: bytes, now: float, happened: StepResult) -> None:
        happened.reports.extend(_words(self._link.feed(data, now)))

    def tick(self, now: float, happened: StepResult) -> None:
        happened.reports.extend(_words(self._link.tick(now)))

    def _act(self, key: int, update_begin: Vector) -> None:
        fields: Vector = {
            name: bytes.fromhex(value) if isinstance(value, str) else value
            for name, value in update_begin.items()
        }
        self._link.act(key, UpdateBegin(**fields))


def _words(news: list[LinkEvent]) -> Iterator[Vector]:
    return (WORDS[type(event)](event) for event in news if not isinstance(event, UNLISTED))


def _event(event: DeviceEvent) -> Vector:
    body = {"body": event.body.hex()} if isinstance(event.body, bytes) else {}
    return {"number": event.number, "history": event.history, **body}


def _expected(stated: Vector) -> Expected:
    return Expected(DeviceClass(stated["device_class"]), stated["id"])


def _bookmark(stated: Vector) -> Bookmark:
    return Bookmark(
        log=bytes.fromhex(stated["log"]),
        newest=stated["newest"],
        last_key=stated["last_key"],
        cards=stated["cards"],
        open_actions=tuple(stated["open_actions"]),
    )
