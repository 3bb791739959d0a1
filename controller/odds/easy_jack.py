"""Easy Jack's main wager with the best play for a player who sees only the own hand."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from controller.money import EVEN, Ratio
from controller.odds.bet import Bet, BetOutcome, Choice, lose, possible, push, win
from controller.odds.dealer import ELEVEN, Eleven, dealer_ends
from controller.odds.shoe import ACE, NONE, RANKS, Counts, fresh, one_more, orders, without

RULE = Eleven()

GAINS = {
    "dealer busts": 1,
    "higher total": 1,
    "equal totals": 0,
    "lower total": -1,
    "dealer natural": -1,
    "bust": -1,
}
"""Events that end a hand other than a natural, and what they gain."""

Shares = dict[str, Fraction]
"""Probability by event, or gain by key."""


@lru_cache(maxsize=16)
def main_bet(decks: int, natural: Ratio, *, push_both: bool, peek: bool) -> Bet:
    """`push_both`: two naturals push. Otherwise the player's natural is paid whatever the dealer has.

    The peek moves no money: losing to a natural costs one wager either way. But with a peek, nobody busts
    before.
    """
    shoe = fresh(decks)
    aces, size = shoe[ACE], sum(shoe)
    both = Fraction(aces * (aces - 1), orders(size, 2))
    paid = Fraction(aces, size) - (both if push_both else 0)
    play = BestPlay(shoe)
    outcomes = (
        win("natural", paid, natural),
        push("both natural", Fraction(aces, size) - paid),
        *(_settled(event, share) for event, share in play.shares(peek=peek).items()),
    )
    return Bet("main", possible(outcomes), best_play=tuple(play.choices()))


class BestPlay:
    """Hit or stand for each hand whose first card is not an ace, by the cards that it leaves in the shoe."""

    def __init__(self, shoe: Counts) -> None:
        self._shoe = shoe
        self._worths: dict[Counts, Shares] = {}

    def shares(self, *, peek: bool) -> Shares:
        """How often each event ends the player's hand."""
        shares = dict.fromkeys(GAINS, Fraction(0))
        for cards, reached in self._reached():
            if self._key(cards) == "stand":
                for event, share in self._ending(cards, peek=peek).items():
                    shares[event] += reached * share
        return shares

    def choices(self) -> Iterator[Choice]:
        """Each hand that needs a decision, if all decisions before were the best."""
        for cards, _ in self._reached():
            if RULE.total(cards) < ELEVEN:
                names = "".join(RANKS[rank] * count for rank, count in enumerate(cards))
                yield Choice(names, RULE.total(cards), self._key(cards), self._worth(cards))

    def _reached(self) -> Iterator[tuple[Counts, Fraction]]:
        """Every hand that best play can reach, and how often, fewer cards first."""
        level = {cards: share for cards, share in self._next(NONE) if not RULE.natural(cards)}
        while level:
            yield from level.items()
            longer: dict[Counts, Fraction] = defaultdict(Fraction)
            for cards, reached in level.items():
                for more, share in self._next(cards) if self._key(cards) == "hit" else ():
                    longer[more] += reached * share
            level = longer

    def _key(self, cards: Counts) -> str:
        """Stand if both are worth the same."""
        worth = self._worth(cards)
        return max(worth, key=worth.__getitem__)

    def _worth(self, cards: Counts) -> Shares:
        """What each key gains. A hand of 11 or more is passed over as if it stood."""
        if cards not in self._worths:
            ending = self._ending(cards, peek=False).items()
            worth = {"stand": sum((share * GAINS[event] for event, share in ending), Fraction(0))}
            if RULE.total(cards) < ELEVEN:
                best = (share * max(self._worth(more).values()) for more, share in self._next(cards))
                worth["hit"] = sum(best, Fraction(0))
            self._worths[cards] = worth
        return self._worths[cards]

    def _ending(self, cards: Counts, *, peek: bool) -> Shares:
        """What becomes of a hand that takes no more cards."""
        left = without(self._shoe, cards)
        if not RULE.bust(cards):
            return _compared(RULE.total(cards), left)
        natural = Fraction(left[ACE] * peek, sum(left))
        return {"bust": 1 - natural, "dealer natural": natural}

    def _next(self, cards: Counts) -> Iterator[tuple[Counts, Fraction]]:
        left = sum(self._shoe) - sum(cards)
        return ((more, Fraction(ways, left)) for more, ways in one_more(self._shoe, cards))


def _compared(total: int, shoe: Counts) -> Shares:
    """A standing hand against a dealer who draws from this shoe."""
    shares: Shares = defaultdict(Fraction)
    for end, share in dealer_ends(RULE, shoe, NONE).items():
        if end.natural:
            shares["dealer natural"] += share
        elif end.bust:
            shares["dealer busts"] += share
        else:
            shares[_RELATIONS[(total > end.total) - (total < end.total)]] += share
    return shares


_RELATIONS = {1: "higher total", 0: "equal totals", -1: "lower total"}


def _settled(event: str, share: Fraction) -> BetOutcome:
    gain = GAINS[event]
    if gain > 0:
        return win(event, share, EVEN)
    return lose(event, share) if gain else push(event, share)
