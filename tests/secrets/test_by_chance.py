"""Nothing distinguishes one face-down card from another in random plays."""

from pathlib import Path

import pytest

from controller.games import GAMES
from tests.secrets.by_chance import stories
from tests.secrets.twins import told_apart, told_later, watched

SEEDS = range(1)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_nothing_tells_the_face_down_card_in_random_plays(tmp_path: Path, game: str, seed: int) -> None:
    plays = enumerate(stories(game, seed, 3))
    first, *others = (watched(tmp_path / str(number), story) for number, story in plays)
    for other in others:
        assert told_apart(first, other) == []
        assert told_later(first, other)
