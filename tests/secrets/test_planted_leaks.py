"""Each planted leak is noticed, so the comparison can fail."""

from pathlib import Path

import pytest

from tests.secrets.courses import COURSES
from tests.secrets.leaks import LEAKS, TENS
from tests.secrets.story import story
from tests.secrets.twins import told_apart, watched


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    leak = LEAKS[name]
    leak.put(monkeypatch)
    course = COURSES[leak.course]
    first, *rest = course.holes
    other = next((card for card in rest if card[0] in TENS), rest[0])
    plays = [watched(tmp_path / card, story(course, card), leak.outlet) for card in (first, other)]
    assert [where for where in told_apart(*plays) if leak.outlet in where]
