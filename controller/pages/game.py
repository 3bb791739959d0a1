"""The parts of a game's page."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from controller.games.bets.bet import SideBet
from controller.games.bets.blazing_7s import OPTION as BLAZING_7S
from controller.games.bets.blazing_7s import BlazingSevens
from controller.games.bets.buster import COUNTS, SPOT, Buster
from controller.games.bets.ez_bust import EzBust
from controller.games.game import Game
from controller.games.points import UP_RANKS
from controller.money import ratio
from controller.pages.markdown import block, paragraphs, table
from controller.round.machine import diagram

Row = tuple[str, str, str]


def options(game: Game) -> str:
    """Name, default and what is allowed."""
    written = game.options.model_dump(mode="json")
    fields = type(game.options).model_fields
    rows = ((f"`{name}`", _default(written[name]), str(field.description)) for name, field in fields.items())
    return table(("option", "default", "allowed"), rows)


def pays(game: Game) -> str:
    """Every ratio that an option holds or leads to, with the default options."""
    written = game.options.model_dump(mode="json")
    for bet in game.side_bets:
        written |= _resolved(bet)
    flat = [row for name, value in written.items() for row in _rows(name, value)]
    wide = (_by_up_card(name, value) for name, value in written.items() if _nested(value))
    return paragraphs([table(("option", "for", "pays"), flat), *wide])


def states(game: Game) -> str:
    """What `tableside game diagram` draws."""
    return block("mermaid", diagram(game))


def _default(value: Any) -> str:
    if value in (None, {}):
        return "none"
    return "[the table](#pays)" if _nested(value) else f"`{json.dumps(value)}`"


def _nested(value: Any) -> bool:
    return isinstance(value, dict) and any(isinstance(inner, dict) for inner in value.values())


def _resolved(bet: SideBet) -> dict[str, Any]:
    """What stands behind an option's "auto" or the id of a table."""
    match bet:
        case EzBust():
            return {"suited_bust": str(bet.suited)}
        case Buster():
            cards = {count: str(bet.pays(place, natural=False)) for place, count in enumerate(COUNTS, 3)}
            return {SPOT: cards}
        case BlazingSevens():
            return {BLAZING_7S: {event: str(award) for event, award in bet.awards.items()}}
        case _:
            return {}


def _rows(name: str, value: Any) -> Iterator[Row]:
    if isinstance(value, str) and _is_ratio(value):
        yield f"`{name}`", "", value
    elif isinstance(value, dict) and not _nested(value):
        yield from ((f"`{name}`", key, pay) for key, pay in value.items())


def _is_ratio(text: str) -> bool:
    try:
        return bool(ratio(text))
    except ValueError:
        return False


def _by_up_card(name: str, pays: Mapping[str, Mapping[str, str]]) -> str:
    columns = list(pays[UP_RANKS[0]])
    rows = ([up, *(pays[up][column] for column in columns)] for up in UP_RANKS)
    return table((f"`{name}`: up-card", *columns), rows)
