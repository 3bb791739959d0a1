"""What a bet is worth: its outcomes with their probabilities, all exact."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from controller.money import Ratio

ANY = "any"
"""Stands for all up-cards that allow a bet, weighted by their probabilities."""


@dataclass(frozen=True, slots=True)
class BetOutcome:
    """One way in which a bet is settled."""

    event: str
    probability: Fraction
    pays: str | None
    """As on a settlement line: "3:1" or "10%"; None for those that lose or push."""
    gain: Fraction
    """What the player gains per unit staked; -1 for a loss."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The better key for a hand."""

    cards: str
    """By rank, in no order of time."""
    total: int
    key: str
    gains: Mapping[str, Fraction]
    """What each key gains per unit staked, best play from there on."""


@dataclass(frozen=True, slots=True)
class Bet:
    """One bet under one condition; raises ValueError if its outcomes are not everything that can happen."""

    bet: str
    outcomes: tuple[BetOutcome, ...]
    given: Mapping[str, str] = field(default_factory=dict)
    """Empty for a bet made before the deal; "up_card" for one made after it."""
    meter: Fraction | None = None
    """Of a progressive bet: the jackpot that it was worked out for, in stakes."""
    break_even_meter: Fraction | None = None
    """The jackpot at which neither side has an edge, in stakes; None where no award grows with it."""
    best_play: tuple[Choice, ...] = ()
    """The decisions that the outcomes rest on."""

    def __post_init__(self) -> None:
        whole = sum(outcome.probability for outcome in self.outcomes)
        if whole != 1:
            raise ValueError(f"the outcomes of {self.bet} have probability {whole}; allowed: exactly 1")

    @property
    def house_edge(self) -> Fraction:
        """The player's expected loss per unit staked."""
        return -sum((outcome.probability * outcome.gain for outcome in self.outcomes), Fraction(0))


def win(event: str, probability: Fraction, pays: Ratio) -> BetOutcome:
    """Paid at the ratio, before any rounding to the chip."""
    return BetOutcome(event, probability, str(pays), Fraction(pays.win, pays.stake))


def lose(event: str, probability: Fraction) -> BetOutcome:
    """The stake is taken."""
    return BetOutcome(event, probability, None, Fraction(-1))


def push(event: str, probability: Fraction) -> BetOutcome:
    """The stake stays the player's."""
    return BetOutcome(event, probability, None, Fraction(0))


def possible(outcomes: Iterable[BetOutcome]) -> tuple[BetOutcome, ...]:
    """Those that can happen."""
    return tuple(outcome for outcome in outcomes if outcome.probability)


def against(up_card: str) -> dict[str, str]:
    """What is given once the up-card is seen."""
    return {"up_card": up_card}


def weighted(bets: Iterable[tuple[Bet, Fraction]]) -> Bet:
    """The same bet whatever the up-card is; the weights are what the up-cards' probabilities are like."""
    shares: dict[tuple[str, str | None, Fraction], Fraction] = defaultdict(Fraction)
    whole, name = Fraction(0), ""
    for bet, weight in bets:
        whole, name = whole + weight, bet.bet
        for outcome in bet.outcomes:
            shares[outcome.event, outcome.pays, outcome.gain] += outcome.probability * weight
    outcomes = (BetOutcome(event, share / whole, pays, gain) for (event, pays, gain), share in shares.items())
    return Bet(name, tuple(outcomes), against(ANY))
