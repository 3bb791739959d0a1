"""One bet under each value of an option."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from controller.games import open_game
from controller.games.game import Game
from controller.odds.bet import Bet
from controller.odds.exact import bets


class SweepError(ValueError):
    """An option or a bet that cannot be compared."""


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """A value and the bets under it; none if it does not offer the bet."""

    value: Any
    bets: tuple[Bet, ...]


def sweep(game: Game, option: str, bet: str, meter: int | None = None) -> tuple[SweepPoint, ...]:
    """`bet` for each value of `option`, with the other options as they are; raises SweepError."""
    named = game.options.model_dump(mode="json", exclude_unset=True)
    points = []
    for value in values(game, option):
        found = bets(open_game(game.name, {**named, option: value}), meter)
        points.append(SweepPoint(value, tuple(one for one in found if one.bet == bet)))
    if not any(one.bets for one in points):
        offered = ", ".join(bet_names(bets(game, meter)))
        raise SweepError(f"{game.name} has no bet {bet!r}; allowed: {offered}")
    return tuple(points)


def values(game: Game, option: str) -> tuple[Any, ...]:
    """All values of the option, or all that have a name; raises SweepError."""
    allowed = {name: found for name in type(game.options).model_fields if (found := _values(game, name))}
    if option not in allowed:
        raise SweepError(
            f"option {option!r} has no list of values to go through; allowed: {', '.join(allowed)}"
        )
    return allowed[option]


def bet_names(found: Sequence[Bet]) -> tuple[str, ...]:
    """Each name once, in order."""
    return tuple(dict.fromkeys(bet.bet for bet in found))


def _values(game: Game, option: str) -> tuple[Any, ...]:
    field = type(game.options).model_fields[option]
    return _named(field.annotation) or _listed(str(field.description))


def _named(annotation: Any) -> tuple[Any, ...]:
    """The literal values of a type and of its alternatives."""
    if annotation is bool:
        return (False, True)
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    parts = get_args(annotation) if get_origin(annotation) is not dict else ()
    return tuple(value for part in parts for value in _named(part))


def _listed(description: str) -> tuple[Any, ...]:
    """The values in a description that is nothing but a list, such as "1, 2, 4, 6, 8"."""
    try:
        return tuple(json.loads(f"[{description}]"))
    except ValueError:
        return ()
