"""Blazing 7s: sevens among a seat's first two cards, with the dealer's up-card."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from controller.cards import Card
from controller.games.bets.awards import Award, Event
from controller.games.bets.bet import SideBet, any_on, placed
from controller.games.layout import Layout, Settlement
from controller.games.lines import Wagered, lose, win
from controller.money import part, text

SPOT = "blazing-7s"

REASONS: dict[Event, str] = {
    "777 diamonds": "three 7s of diamonds",
    "777 suited": "three suited 7s",
    "777 one colour": "three 7s of one colour",
    "777": "three 7s",
    "two 7s": "two 7s in the first two cards",
    "one 7": "one 7 in the first two cards",
}
NO_SEVEN = "no 7 in the first two cards"

BY_SEVENS: tuple[Event | None, ...] = (None, "one 7", "two 7s")
"""By the number of 7s among a seat's first two cards, unless the up-card makes three."""

ALL = 100
"""Per cent, after which the seed is put in."""

SEED = 1_000_000
"""Cents, of docs/games/side-bets.md."""

COLOURS = (frozenset("hd"), frozenset("sc"))


def event(first: Sequence[Card], up: Card) -> Event | None:
    """What a seat's first two cards are with the up-card; None without a 7 among the two."""
    sevens = [card for card in first if card[0] == "7"]
    if len(sevens) == 2 and up[0] == "7":
        return _three({card[1] for card in (*sevens, up)})
    return BY_SEVENS[len(sevens)]


@dataclass(frozen=True, slots=True)
class BlazingSevens(SideBet):
    """Blazing 7s with its awards; one stake for each wager, in cents."""

    spots: ClassVar[tuple[str, ...]] = (SPOT,)
    for_jackpot: ClassVar[bool] = True

    awards: Mapping[Event, Award]
    stake: int
    chip: int
    seed: int = SEED
    """What is put into the jackpot again once all of it is won, in cents, where the layout names nothing."""

    @property
    def fixed_stake(self) -> int:
        """Cents that each wager must be of."""
        return self.stake

    def faults(self, wagers: Mapping[str, int | None]) -> Iterator[str]:
        """Exactly the stake; a wager of unknown amount is taken for it."""
        cents = wagers.get(SPOT)
        if cents is not None and cents != self.stake:
            yield f"{SPOT} of {text(cents)} is not the stake; allowed: exactly {text(self.stake)}"

    def settle(self, layout: Layout) -> Iterator[Settlement]:
        """Counter-clockwise: each share is of what the winners before it left in the jackpot."""
        if not any_on(layout, SPOT):
            return
        jackpot, seed = layout.meters[SPOT], layout.seeds.get(SPOT, self.seed)
        for wager in reversed([*placed(layout, SPOT)]):
            happened = _happened(layout, wager.seat)
            line, jackpot = self._line(replace(wager, amount=self.stake), happened, jackpot, seed)
            yield line

    def _line(self, what: Wagered, happened: Event | None, jackpot: int, seed: int) -> tuple[Settlement, int]:
        """With what it leaves in the jackpot."""
        if happened is None:
            return lose(what, NO_SEVEN), jackpot
        won = self.awards[happened]
        if not won.percent:
            return win(what, won.odds, self.chip, REASONS[happened]), jackpot
        share, _ = part(Fraction(won.percent, 100), jackpot, self.chip)
        left = jackpot - share + (seed if won.percent == ALL else 0)
        return self._share(what, won, share, REASONS[happened]), left

    def _share(self, what: Wagered, won: Award, share: int, reason: str) -> Settlement:
        """The stake is not returned; what the chip rounds off stays in the jackpot."""
        return Settlement(
            what.seat, what.hand, what.wager, what.amount, "win", str(won), share - self.stake,
            f"{reason}: {won} of the jackpot",
        )  # fmt: skip


def _happened(layout: Layout, seat: int) -> Event | None:
    if layout.up is None:
        raise AssertionError(f"{SPOT} needs an up-card")
    return event(layout.seats[seat].first_two, layout.up)


def _three(suits: set[str]) -> Event:
    if len(suits) == 1:
        return "777 diamonds" if suits == {"d"} else "777 suited"
    return "777 one colour" if any(suits <= colour for colour in COLOURS) else "777"
