"""Nothing tells one face-down card from another until it is turned: literal plays of every game."""

from pathlib import Path

import pytest

from controller.games import GAMES
from tests.secrets.courses import COURSES
from tests.secrets.story import story
from tests.secrets.twins import told_apart, told_later, watched


@pytest.mark.parametrize("name", COURSES)
def test_nothing_tells_it_until_it_is_turned(tmp_path: Path, name: str) -> None:
    course = COURSES[name]
    first, *others = (watched(tmp_path / card, story(course, card)) for card in course.holes)
    for other in others:
        assert told_apart(first, other) == []
        assert {"page /", "page /api/v1/table", "stream"} <= told_later(first, other)


def test_every_game_has_a_course() -> None:
    assert {course.game for course in COURSES.values()} == set(GAMES)
