"""Two tables with the same play but for one card, and everything that distinguishes one from the other."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from math import inf
from pathlib import Path
from unittest.mock import patch

import structlog

from controller.journal import store
from controller.table.record.events import Input
from controller.telemetry.logs import set_up
from tests.secrets.clockwork import VirtualLoop
from tests.secrets.outlets import FACES, OUTLETS, TOOLS, Outlet, shot
from tests.secrets.story import HOLE, Restart, Said, Story
from tests.secrets.watched_table import Glass, behind_glass

OFTEN = 20
"""One of this many acts is followed by a look at what the commands print."""


@dataclass(frozen=True, slots=True)
class Shot:
    """The outputs after a step. `turned`: whether a card was turned in it."""

    word: str
    seen: dict[str, str]
    turned: bool


@dataclass(slots=True)
class _Card:
    """Where the card in question is; `only`: the name of the single outlet to look at."""

    only: str
    dealt: bool = False
    turned: bool = False

    def stepped(self, word: str, *, turned: bool) -> None:
        self.dealt |= HOLE in word
        self.turned |= self.dealt and turned

    def looks(self, *, often: bool) -> Mapping[str, Outlet]:
        """Nothing before the plays differ, everything while it lies face down, then whether it shows."""
        if not self.dealt:
            return {}
        if self.turned:
            return {name: OUTLETS[name] for name in FACES}
        there = {**OUTLETS, **TOOLS} if often else OUTLETS
        return {name: outlet for name, outlet in there.items() if self.only in name}


def watched(folder: Path, story: Story, only: str = "") -> tuple[Shot, ...]:
    """Plays a story to its end. `only`: looks only at outlets whose names contain this.

    No commit counts as slow: the time that the disk takes is not part of the play, but
    it moves checkpoints.
    """
    folder.mkdir(parents=True)
    with (
        written() as log,
        patch.object(store, "SLOW", inf),
        asyncio.Runner(loop_factory=VirtualLoop) as runner,
    ):
        return tuple(runner.run(_watch(folder, story, log, only)))


def told_apart(one: tuple[Shot, ...], other: tuple[Shot, ...]) -> list[str]:
    """Where two plays differ before the card is turned; empty: nowhere."""
    turned = _turned(one)
    apart = [] if turned == _turned(other) else [f"turned at {turned}, {_turned(other)}"]
    pairs = zip(one[:turned], other[:turned], strict=False)
    return [*apart, *(f"{mine.word}: {name}" for mine, yours in pairs for name in _differ(mine, yours))]


def told_later(one: tuple[Shot, ...], other: tuple[Shot, ...]) -> set[str]:
    """The outlets that differ once the card is turned."""
    pairs = zip(one[_turned(one) :], other[_turned(one) :], strict=True)
    return {name for mine, yours in pairs for name in _differ(mine, yours)}


def _turned(shots: tuple[Shot, ...]) -> int:
    """The step in which the card in question is turned."""
    dealt = next(number for number, each in enumerate(shots) if HOLE in each.word)
    return next((number for number, each in enumerate(shots) if each.turned and number >= dealt), len(shots))


def _differ(one: Shot, other: Shot) -> Iterator[str]:
    return (name for name in one.seen if name in other.seen and one.seen[name] != other.seen[name])


async def _watch(folder: Path, story: Story, log: io.StringIO, only: str) -> list[Shot]:
    shots: list[Shot] = []
    card = _Card(only)
    for inputs, acts in _lives(story):
        async with behind_glass(folder, story.started, log) as glass:
            for event in inputs:
                await glass.take(event)
            shots += [Shot("start", await shot(glass, card.looks(often=True)), turned=False)]
            for number, (word, act) in enumerate(acts, 1):
                often = HOLE in word or number == len(acts) or number % OFTEN == 0
                shots += [await _step(glass, card, word, act, often=often)]
    return shots


def _lives(story: Story) -> Iterator[tuple[tuple[Input, ...], list[tuple[str, Input | Said]]]]:
    """Each daemon's devices as they come, and what happens until it ends."""
    inputs, acts = story.opening, list[tuple[str, Input | Said]]()
    for word, act in story.acts:
        if isinstance(act, Restart):
            yield inputs, acts
            inputs, acts = act.inputs, []
        else:
            acts.append((word, act))
    yield inputs, acts


async def _step(glass: Glass, card: _Card, word: str, act: Input | Said, *, often: bool) -> Shot:
    glass.seen.turned = False
    answer = ""
    if isinstance(act, Said):
        answer = await _said(glass, act)
        await glass.settled()
    else:
        await glass.take(act)
    turned = glass.seen.turned
    card.stepped(word, turned=turned)
    return Shot(word, {"answer": answer, **await shot(glass, card.looks(often=often))}, turned)


async def _said(glass: Glass, said: Said) -> str:
    """A decision with the token of its preview."""
    words = dict(said.words)
    seen = await glass.people.say({**words, "preview": True})
    token = (json.loads(seen).get("result") or {}).get("token")
    return seen + await glass.people.say({**words, "token": token or None})


@contextmanager
def written() -> Iterator[io.StringIO]:
    """The log as a daemon sets it up, and everything else that would be printed."""
    before = logging.root.handlers[:], logging.root.level
    with io.StringIO() as log, redirect_stderr(log), redirect_stdout(log):
        set_up(logging.DEBUG)
        yield log
    logging.root.handlers[:], logging.root.level = before
    structlog.reset_defaults()
