"""Nothing distinguishes one face-down card from another until it is turned, in written plays of every
game."""

from pathlib import Path

import pytest

from controller.games import GAMES
from controller.monitor import openapi
from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.web import build
from tests.fixtures.core_socket import no_core
from tests.secrets.asking import asked
from tests.secrets.courses import COURSES
from tests.secrets.story import story
from tests.secrets.twins import told_apart, told_later, watched


@pytest.mark.parametrize("name", COURSES)
def test_nothing_tells_the_face_down_card_in_written_plays(tmp_path: Path, name: str) -> None:
    course = COURSES[name]
    first, *others = (watched(tmp_path / card, story(course, card)) for card in course.holes)
    for other in others:
        assert told_apart(first, other) == []
        assert {"page /", "page /api/v1/table", "stream"} <= told_later(first, other)


async def test_what_the_api_says_of_itself_is_told_without_a_look_at_the_table() -> None:
    app = build(WebContext(no_core(), lambda: pytest.fail("it looks"), ChangeNotifier()))
    assert (await asked(app, openapi.PATH)).startswith("200\n")


def test_every_game_has_a_course() -> None:
    assert {course.game for course in COURSES.values()} == set(GAMES)
