"""How a crew plays each game: its circles, its deal and its strategy, from the rules themselves.

Cards are two characters, amounts cents, chances 0 to 1.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from controller.cards import Card
from controller.games.bets.insurance import Forbidden
from controller.games.game import Game
from controller.games.layout import Hand, Layout, Seat, Turn

DealStep = Literal["seats", "dealer up", "dealer down"]
"""A step of the deal: a card to each seat in order, or one to the dealer."""


@dataclass(frozen=True, slots=True)
class Circle:
    """How players use one betting circle of a seat."""

    name: str
    stakes: Sequence[int]
    chance: float = 1.0
    """Chance that a seat in the round uses it."""
    like_first: bool = False
    """It holds as much as the first circle, and doubles and splits are for both together."""
    at_most_first: bool = False
    late: bool = False
    """It takes chips after the deal, while its lamp says that it is open."""
    at_splits: bool = False
    """It takes chips once more at each split."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What a player sees whose hand is to act."""

    hands: tuple[tuple[str, ...], ...]
    """All hands of the seat, in the order of play."""
    turn: int
    """The hand that is to act, counted from 0."""
    up: str
    """The dealer's up-card; empty if there is none."""
    plays_on: bool
    """The `play` key was pressed for the hand."""


@dataclass(frozen=True, slots=True)
class Playbook:
    circles: tuple[Circle, ...]
    """In the order of the sensors. A wager on the first makes a seat active."""
    deal: tuple[DealStep, ...]
    count: Callable[[Sequence[str]], str]
    """The dealer's words for a hand: "17", "soft 17"."""
    advise: Callable[[PlayerView], str]
    """The key that a good strategy presses for a hand."""
    chip: int = 1
    says_play: bool = False
    """There is a key for playing a hand on."""
    insures_for_less: bool = False
    """Insurance may be for less than half."""


MAIN: Final = (500, 1000, 1500, 2500, 5000, 10_000)
SIDE: Final = (100, 200, 500)
CHANCES: Final[Mapping[str, float]] = {
    "ez-bust": 0.5,
    "blazing-7s": 0.5,
    "hedge-18": 0.15,
    "hedge-19": 0.15,
    "hedge-20": 0.15,
    "hedge-21": 0.15,
}
"""Chance that a seat uses a circle for side wagers. The others have the chance USUAL."""
USUAL: Final = 0.4
ONE_SEAT: Final = 1
LOW: Final = Card("6s")
"""An up-card for which every late wager is open."""


def playbook(game: Game) -> Playbook:
    """What the crew must know to play `game`, from the rules themselves."""
    return Playbook(
        circles=tuple(_circle(game, spot) for spot in game.spots),
        deal=game.deal,
        count=lambda cards: game.count(tuple(map(Card, cards))),
        advise=lambda held: _advice(game, held),
        chip=game.options.chip,
        says_play=len(game.hand_spots) > 1,
        insures_for_less=_insures_for_less(game),
    )


def _circle(game: Game, spot: str) -> Circle:
    on_hand = spot in game.hand_spots
    at_split = game.invites_after_split(Layout({ONE_SEAT: Seat({}, (Hand(),))}, up=LOW), Turn(ONE_SEAT, 0))
    return Circle(
        name=spot,
        stakes=_stakes(game, spot, MAIN if on_hand else SIDE),
        chance=1.0 if on_hand else CHANCES.get(spot, USUAL),
        like_first=spot in game.hand_spots[1:],
        at_most_first=not on_hand and _at_most_first(game, spot),
        late=spot in game.late,
        at_splits=any(spot in spots for spots in at_split.values()),
    )


def _at_most_first(game: Game, spot: str) -> bool:
    first = dict.fromkeys(game.hand_spots, game.options.chip)
    as_much, more = first | {spot: game.options.chip}, first | {spot: 2 * game.options.chip}
    return any(game.faults(more)) and not any(game.faults(as_much))


def _stakes(game: Game, spot: str, wished: Sequence[int]) -> Sequence[int]:
    """The wished stakes that the limits allow, or the smallest possible one."""
    chip, (least, most) = game.options.chip, game.options.limit(spot)
    if fixed := game.fixed_stake(spot):
        return (fixed,)
    fitting = [cents for cents in wished if least <= cents <= (most or cents) and cents % chip == 0]
    return fitting or (-(-least // chip) * chip,)


def _insures_for_less(game: Game) -> bool:
    chip = game.options.chip
    wagers = dict.fromkeys(game.hand_spots, 10 * chip)
    try:
        game.insurance(Layout({ONE_SEAT: Seat(wagers)}), ONE_SEAT, chip)
    except Forbidden:
        return False
    return True


def _advice(game: Game, held: PlayerView) -> str:
    """Wagers and the cards of other seats make no difference to the advice."""
    choice, split = "play" * held.plays_on, len(held.hands) > 1
    hands = tuple(Hand(tuple(map(Card, cards)), choice, split=int(split)) for cards in held.hands)
    layout = Layout({ONE_SEAT: Seat({}, hands)}, up=Card(held.up) if held.up else None)
    return game.advice(layout, Turn(ONE_SEAT, held.turn))
