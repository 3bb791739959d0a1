"""The game that was played in a round, with its options."""

import json
from collections.abc import Mapping
from typing import NamedTuple


class PlayedRules(NamedTuple):
    """The id of a game, and its options as JSON, ordered by name."""

    game: str
    options: str


UNKNOWN = PlayedRules("", "{}")


def rules_of(game: str, options: Mapping[str, object]) -> PlayedRules:
    return PlayedRules(game, json.dumps(options, sort_keys=True))
