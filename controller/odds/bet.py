"""What a bet is worth: its outcomes and their exact probabilities."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from controller.money import Ratio

ANY = "any"
"""All up-cards that allow a bet, weighted by their probabilities."""


@dataclass(frozen=True, slots=True)
class BetOutcome:
    event: str
    probability: Fraction
    pays: str | None
    """As in a settlement line: "3:1" or "10%". None for a loss or push."""
    gain: Fraction
    """The player's gain per unit staked; -1 for a loss."""


@dataclass(frozen=True, slots=True)
class Choice:
    cards: str
    """Ranks, sorted."""
    total: int
    key: str
    gains: Mapping[str, Fraction]
    """What each key gains per unit staked, with best play afterwards."""


@dataclass(frozen=True, slots=True)
class Bet:
    """One bet under one condition. Raises ValueError unless the probabilities of its outcomes add up to 1."""

    bet: str
    outcomes: tuple[BetOutcome, ...]
    given: Mapping[str, str] = field(default_factory=dict)
    """Empty for a bet made before the deal, `{"up_card": RANK}` for one made after it."""
    meter: Fraction | None = None
    """The jackpot of a progressive bet that the figures are for, in stakes."""
    break_even_meter: Fraction | None = None
    """The jackpot at which neither side has an edge, in stakes; None if no award grows with it."""
    best_play: tuple[Choice, ...] = ()
    """The decisions that the outcomes assume."""

    def __post_init__(self) -> None:
        whole = sum(outcome.probability for outcome in self.outcomes)
        if whole != 1:
            raise ValueError(f"the outcomes of {self.bet} have probability {whole}; allowed: exactly 1")

    @property
    def house_edge(self) -> Fraction:
        """The player's expected loss per unit staked."""
        return -sum((outcome.probability * outcome.gain for outcome in self.outcomes), Fraction(0))


def win(event: str, probability: Fraction, pays: Ratio) -> BetOutcome:
    """Paid at the ratio, before rounding to the chip."""
    return BetOutcome(event, probability, str(pays), Fraction(pays.win, pays.stake))


def lose(event: str, probability: Fraction) -> BetOutcome:
    return BetOutcome(event, probability, None, Fraction(-1))


def push(event: str, probability: Fraction) -> BetOutcome:
    return BetOutcome(event, probability, None, Fraction(0))


def possible(outcomes: Iterable[BetOutcome]) -> tuple[BetOutcome, ...]:
    return tuple(outcome for outcome in outcomes if outcome.probability)


def against(up_card: str) -> dict[str, str]:
    """The condition of a bet that is made when the up-card is known."""
    return {"up_card": up_card}


def weighted(bets: Iterable[tuple[Bet, Fraction]]) -> Bet:
    """The same bet over all up-cards. The weights are proportional to the up-cards' probabilities."""
    shares: dict[tuple[str, str | None, Fraction], Fraction] = defaultdict(Fraction)
    whole, name = Fraction(0), ""
    for bet, weight in bets:
        whole, name = whole + weight, bet.bet
        for outcome in bet.outcomes:
            shares[outcome.event, outcome.pays, outcome.gain] += outcome.probability * weight
    outcomes = (BetOutcome(event, share / whole, pays, gain) for (event, pays, gain), share in shares.items())
    return Bet(name, tuple(outcomes), against(ANY))
