"""What the round asks of a game."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, Protocol

from controller.cards import Card
from controller.games.layout import Hand, Layout, Settlement, Turn
from controller.games.options import TableOptions
from controller.games.settlement import HandWager

Dealt = Literal["seats", "dealer up", "dealer down"]
"""A step of the deal: a card to each active seat in order, or one to the dealer."""

Invitation = Mapping[int, frozenset[str]]
"""By seat what may be chosen or wagered there; a seat that may do nothing is left out."""


class Forbidden(Exception):
    """What the rules of a game do not allow, and what they would."""


class Game(Protocol):
    """The rules of one game with its options: literal tables and pure functions."""

    name: str
    title: str
    spots: tuple[str, ...]
    """The betting circles of a seat, as the sensors count them; the first one makes a seat active."""
    hand_spots: tuple[str, ...]
    """Those whose wagers are on the hand: they are doubled and split."""
    main: str
    """The name of a hand's settlement line."""
    late: frozenset[str]
    """Spots that no wager may stand on before the deal."""
    meters: tuple[str, ...]
    """Spots whose wagers play for a jackpot."""
    window: str
    """What the window for late wagers is called."""
    waits: bool
    """Whether that window stays open while hands are played, until the dealer closes it."""

    player_banked: bool
    """Whether a player at the table banks the rounds, or a third party in the house's name."""

    @property
    def options(self) -> TableOptions:
        """The checked options."""

    @property
    def windows(self) -> frozenset[str]:
        """Phases of a round that only some games have: insuring, offering."""

    @property
    def deal(self) -> tuple[Dealt, ...]:
        """How the cards first dealt go round."""

    def faults(self, wagers: Mapping[str, int | None]) -> Iterator[str]:
        """Why betting cannot close with these wagers of one seat, each in words that follow "seat 3: "."""

    def stake(self, wagers: Mapping[str, int | None]) -> int | None:
        """What is wagered on a seat's first hand, and on each one that is split off."""

    def fixed_stake(self, spot: str) -> int | None:
        """Cents that a wager on a spot must be of; None: the player chooses."""

    def total(self, cards: Sequence[Card]) -> int:
        """A hand's value by its cards alone."""

    def bust(self, cards: Sequence[Card]) -> bool:
        """Whether a hand is over the target."""

    def count(self, cards: Sequence[Card]) -> str:
        """A hand's value as a dealer says it: "17" or "soft 17"."""

    def natural(self, cards: Sequence[Card]) -> bool:
        """Whether the cards first dealt are a natural."""

    def label(self, hand: Hand) -> str:
        """What a hand is, in a word or two, for people; empty where its total says all."""

    def insures(self, layout: Layout) -> Invitation:
        """Keys for insurance and even money that seats may still choose before the peek."""

    def peeks(self, layout: Layout, /) -> bool:
        """Whether the dealer checks for a natural before the players act."""

    def invites(self, layout: Layout) -> Invitation:
        """Spots that open for wagers after the deal."""

    def invites_after_split(self, layout: Layout, turn: Turn) -> Invitation:
        """Spots that open right after the hand at `turn` was split, for the hand after it."""

    def choices(self, layout: Layout, turn: Turn) -> frozenset[str]:
        """The keys that are the player's to choose from; none: the hand is passed over."""

    def insurance(self, layout: Layout, seat: int, cents: int | None) -> int | None:
        """What a seat's insurance is for, of `cents` or, without them, as the rules have it.

        None is an unknown amount. Raises Forbidden.
        """

    def dealer_draws(self, layout: Layout) -> bool:
        """Whether the dealer, whose cards are all turned, takes one more."""

    def wagered(self, layout: Layout) -> Iterator[HandWager]:
        """Every wager that stands, as settlement lines name them."""

    def shares(self, layout: Layout) -> Iterator[Settlement]:
        """The lines of won shares of jackpots, which follow from the cards first dealt and the up-card."""

    def settle(self, layout: Layout) -> tuple[Settlement, ...]:
        """One line for each wager and hand, in the order in which they are taken and paid."""

    def advice(self, layout: Layout, turn: Turn) -> str:
        """The key that a good player asks for, one of `choices`."""
