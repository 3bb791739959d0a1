"""Round scripts: a round as text, one JSON object a line, and its tokens as events.

The form is that of docs/notation.md.
"""

import json
import re
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from controller.cards import DECK, Card
from controller.games.game import Game
from controller.games.options import faults
from controller.round.events import CardOut, EventRefused, Key, Wager
from controller.round.keys import ACTIONS

SEATS = 9

SCRIPT_ACTIONS = frozenset(ACTIONS) - {"close", "pay"}

_SEAT_TOKEN = re.compile(r"([1-9]):([a-z0-9-]+)(?:=([0-9]{1,15}))?")
_CARDS = frozenset(DECK)

Seat = Annotated[str, StringConstraints(pattern=r"^[1-9]$")]
Cents = Annotated[int, Field(ge=1, lt=10**1000)]
"""Without a limit, a win could have more digits than Python prints (4300)."""

Spots = Annotated[dict[str, Cents | None], Field(min_length=1)]


class Script(BaseModel):
    """One written round. Wagers and meters are in cents; None is a wager of unknown amount."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: str | int | None = Field(None, description="text or a number")
    game: str = Field(description="a game's id")
    options: dict[str, Any] = Field(default_factory=dict, description="an object")
    wagers: dict[Seat, Spots] = Field(
        description='seats "1" to "9", each with its spots in cents from 1 on, null for an unknown amount'
    )
    script: list[str] = Field(description="a list of tokens")
    meters: dict[str, Cents] = Field(default_factory=dict, description="jackpots by spot, in cents from 1 on")


class ScriptRejected(Exception):
    """Why a script was not settled: the reason, and the token with its index if one caused it."""

    def __init__(self, reason: str, at: int | None = None, token: str | None = None) -> None:
        super().__init__(reason)
        self.error = {"at": at, "token": token, "reason": reason}


def decode(line: str | bytes) -> object:
    """The JSON value of one line; raises ScriptRejected."""
    try:
        return json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise ScriptRejected(f"the line is not JSON: {error}") from None


def _no_number(word: str) -> NoReturn:
    """Refuses NaN and Infinity, which Python would read although they are not JSON."""
    raise ValueError(f"{word} is not a number")


def check(written: object) -> Script:
    """The checked script; raises ScriptRejected with every fault at once."""
    try:
        return Script.model_validate(written)
    except ValidationError as invalid:
        raise ScriptRejected("; ".join(map(str, faults(Script, invalid, written)))) from None


def event(token: str, game: Game) -> CardOut | Key | Wager:
    """The event of a token; raises EventRefused for a token that has none."""
    if token in _CARDS:
        return CardOut(Card(token))
    found = _SEAT_TOKEN.fullmatch(token)
    if not found:
        raise EventRefused(f"{token!r} is neither a card nor SEAT:ACTION nor SEAT:SPOT=CENTS")
    seat, word, cents = int(found[1]), found[2], int(found[3]) if found[3] else None
    if cents == 0:
        raise EventRefused("an amount is at least one cent")
    if word in SCRIPT_ACTIONS:
        return Key(word, seat, cents)
    if word not in game.spots:
        raise EventRefused(f"{word} is neither an action nor a spot of {game.name}")
    if cents is None:
        raise EventRefused(f"a {word} wager needs its amount, as {seat}:{word}=500")
    return Wager(seat, word, True, cents)
