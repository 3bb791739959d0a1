"""The controller knows no card before it is dealt: a walk over every object that the table holds."""

import asyncio
import gc
import io
from collections.abc import Iterator
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

import pytest

from controller.cards import DECK
from tests.secrets.clockwork import VirtualLoop
from tests.secrets.courses import PLAYS
from tests.secrets.story import HOLE, Restart, Said, Story, story
from tests.secrets.watched_table import behind_glass

LITERAL = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType)
"""Objects of the program, not of a table: its text names all cards."""
FACES = frozenset(DECK)


@pytest.mark.parametrize("name", ["easy jack", "ez-bust, window, splits, doubles", "blackjack x, sevens"])
def test_no_card_is_known_before_it_is_dealt(tmp_path: Path, name: str) -> None:
    course = PLAYS[name]
    hole = course.holes[0]
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        dealt, known = runner.run(_walked(tmp_path, story(course, hole), hole))
    assert known == dealt
    assert hole in known


async def _walked(folder: Path, story: Story, hole: str) -> tuple[set[str], set[str]]:
    """After each act: cards that came, and cards that the table knows; the first act where they differ."""
    dealt = set[str]()
    async with behind_glass(folder, story.started, io.StringIO()) as glass:
        for event in story.opening:
            await glass.take(event)
        for word, act in story.acts:
            assert not isinstance(act, Said | Restart)
            await glass.take(act)
            dealt |= {word.replace(HOLE, hole)} & FACES
            known = {each for each in _reached(glass.table) if isinstance(each, str)} & FACES
            if known != dealt:
                break
    return dealt, known


def _reached(start: object) -> Iterator[object]:
    """Everything reachable from an object, except the program itself."""
    seen, waiting = {id(start)}, [start]
    while waiting:
        here = waiting.pop()
        yield here
        for each in gc.get_referents(here):
            if id(each) not in seen and not isinstance(each, LITERAL):
                seen.add(id(each))
                waiting.append(each)
