"""What a crew must know of a game to play it; told from outside, for nothing here knows any rules.

Cards are two characters, amounts cents, chances 0 to 1.

How a crew plays each game: its circles, its deal and its strategy, from the rules themselves.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from controller.cards import Card
from controller.games.game import Forbidden, Game
from controller.games.layout import Hand, Layout, Seat, Turn

DealStep = Literal["seats", "dealer up", "dealer down"]
"""A step of the deal: a card to each seat in order, or one to the dealer."""


@dataclass(frozen=True, slots=True)
class Circle:
    """How players use one betting circle of a seat."""

    name: str
    stakes: Sequence[int]
    chance: float = 1.0
    """That a seat that plays uses it."""
    like_first: bool = False
    """It holds what the first circle holds, and doubles and splits are for both together."""
    at_most_first: bool = False
    late: bool = False
    """Chips come after the deal, while its lamp says that it is open."""
    at_splits: bool = False
    """And once more at each split."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What a player looks at who is to act."""

    hands: tuple[tuple[str, ...], ...]
    """All hands of the seat, in the order of play."""
    turn: int
    """Which one is to act, counted from 0."""
    up: str
    """The dealer's up-card; empty where there is none."""
    plays_on: bool
    """The hand has said `play`."""


@dataclass(frozen=True, slots=True)
class Playbook:
    """How one game is played at the table."""

    circles: tuple[Circle, ...]
    """As the sensors count them; the first one makes a seat active."""
    deal: tuple[DealStep, ...]
    count: Callable[[Sequence[str]], str]
    """What the dealer calls a hand: "17", "soft 17"."""
    advise: Callable[[PlayerView], str]
    """The key for a hand that is to act, by a good strategy."""
    chip: int = 1
    says_play: bool = False
    """There is a key for playing a hand on."""
    insures_for_less: bool = False
    """Insurance may be for less than half."""


MAIN: Final = (500, 1000, 1500, 2500, 5000, 10_000)
SIDE: Final = (100, 200, 500)
CHANCES: Final[Mapping[str, float]] = {
    "ez-bust": 0.5, "blazing-7s": 0.5,
    "hedge-18": 0.15, "hedge-19": 0.15, "hedge-20": 0.15, "hedge-21": 0.15,
}  # fmt: skip
"""That a seat uses a circle for side wagers, where it is not USUAL."""
USUAL: Final = 0.4
ONE_SEAT: Final = 1
LOW: Final = Card("6s")
"""An up-card that every late wager is open for."""


def playbook(game: Game) -> Playbook:
    """What a crew must know to play this game."""
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
    """Those that the table takes; if it takes none of them, the least that it takes."""
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
    """As far as it can be seen: the wagers and the other seats' cards do not matter."""
    choice, split = "play" * held.plays_on, len(held.hands) > 1
    hands = tuple(Hand(tuple(map(Card, cards)), choice, split=int(split)) for cards in held.hands)
    layout = Layout({ONE_SEAT: Seat({}, hands)}, up=Card(held.up) if held.up else None)
    return game.advice(layout, Turn(ONE_SEAT, held.turn))
