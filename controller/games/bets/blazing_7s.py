"""Blazing 7s: sevens among a seat's first two cards and the dealer's up-card.

It pays by event: the tables of docs/games/side-bets.md, or an operator's own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import PlainValidator

from controller.cards import Card
from controller.games.bets.bet import SideBet, any_on, wagers_on
from controller.games.layout import Layout, Settlement
from controller.games.option_faults import BadOptions, OptionFault
from controller.games.settlement import HandWager, lose, win
from controller.money import Ratio, part, text

OPTION = "blazing_7s"

Event = Literal["777 diamonds", "777 suited", "777 one colour", "777", "two 7s", "one 7"]
"""Best first. Only the best one pays."""
EVENTS: tuple[Event, ...] = get_args(Event)
TableId = Literal[1, 2]

TABLES: dict[TableId, dict[Event, str]] = {
    1: {
        "777 diamonds": "100%",
        "777 suited": "100%",
        "777 one colour": "10%",
        "777": "200 for 1",
        "two 7s": "25 for 1",
        "one 7": "2 for 1",
    },
    2: {
        "777 diamonds": "100%",
        "777 suited": "10%",
        "777 one colour": "500 for 1",
        "777": "200 for 1",
        "two 7s": "25 for 1",
        "one 7": "2 for 1",
    },
}

AWARD_ALLOWED = '"N for 1", N from 1 to 999999, or "P%", P from 1 to 100'
BLAZING_7S_ALLOWED = f"1, 2, or a table with every event of {', '.join(EVENTS)} to {AWARD_ALLOWED}"

_AWARD = re.compile(r"([1-9][0-9]{0,5}) for 1|(100|[1-9][0-9]?)%")


@dataclass(frozen=True, slots=True)
class Award:
    """A multiple of the stake, stake included, or a share of the jackpot. The other field is 0."""

    for_one: int = 0
    percent: int = 0

    def __str__(self) -> str:
        """What a settlement line has in `pays`: "24:1" or "10%"."""
        return f"{self.percent}%" if self.percent else str(self.odds)

    @property
    def odds(self) -> Ratio:
        """The gain as a ratio to the stake, which is returned."""
        return Ratio(self.for_one - 1, 1)


def award(written: str) -> Award:
    """The award that "25 for 1" or "10%" names; raises ValueError."""
    found = _AWARD.fullmatch(written)
    if not found:
        raise ValueError(f"{written!r} is not an award; allowed: {AWARD_ALLOWED}")
    return Award(for_one=int(found[1] or 0), percent=int(found[2] or 0))


def awards(option: TableId | Mapping[Event, str]) -> dict[Event, Award]:
    """The awards of a checked option, best first."""
    table = option if isinstance(option, Mapping) else TABLES[option]
    return {event: award(table[event]) for event in EVENTS}


def _checked(option: object) -> object:
    """The option unchanged; raises BadOptions with every fault of a table."""
    if isinstance(option, Mapping):
        if faults := tuple(_faults(option)):
            raise BadOptions(faults)
        return dict(option)
    if type(option) is not int or option not in TABLES:
        raise BadOptions((OptionFault(OPTION, option, BLAZING_7S_ALLOWED),))
    return option


BlazingOption = Annotated[TableId | dict[Event, str], PlainValidator(_checked)]
"""The number of a table, or a table with every event."""


def _faults(table: Mapping[Any, Any]) -> Iterator[OptionFault]:
    for event in dict.fromkeys((*EVENTS, *table)):
        written = table.get(event)
        if event not in EVENTS:
            yield OptionFault(f"{OPTION}.{event}", written, f"only {', '.join(EVENTS)}")
        elif not isinstance(written, str) or not _AWARD.fullmatch(written):
            yield OptionFault(f"{OPTION}.{event}", written, AWARD_ALLOWED)


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
"""By the number of 7s among a seat's first two cards, unless the up-card makes it three."""

SHARE = "%"
"""How `pays` of a share of the jackpot ends."""
ALL = 100
"""Per cent. The jackpot begins again after this share."""

SEED = 1_000_000
"""Cents, from docs/games/side-bets.md."""

COLOURS = (frozenset("hd"), frozenset("sc"))


def event(first: Sequence[Card], up: Card) -> Event | None:
    """The event of a seat's first two cards with the up-card; None without a 7 among the two."""
    sevens = [card for card in first if card[0] == "7"]
    if len(sevens) == 2 and up[0] == "7":
        return _three({card[1] for card in (*sevens, up)})
    return BY_SEVENS[len(sevens)]


@dataclass(frozen=True, slots=True)
class BlazingSevens(SideBet):
    """Blazing 7s with its awards. Every wager has the same stake, in cents."""

    spots: ClassVar[tuple[str, ...]] = (SPOT,)
    for_jackpot: ClassVar[bool] = True

    awards: Mapping[Event, Award]
    stake: int
    chip: int
    seed: int = SEED
    """What begins the jackpot again once all of it is won, in cents, unless the layout says otherwise."""

    @property
    def fixed_stake(self) -> int:
        return self.stake

    def faults(self, wagers: Mapping[str, int | None]) -> Iterator[str]:
        """A wager other than the stake. An unknown amount counts as the stake."""
        cents = wagers.get(SPOT)
        if cents is not None and cents != self.stake:
            yield f"{SPOT} of {text(cents)} is not the stake; allowed: exactly {text(self.stake)}"

    def settle(self, layout: Layout) -> Iterator[Settlement]:
        """Counter-clockwise. Each share is taken from what the winners before left in the jackpot. What a
        share of a linked jackpot pays is unknown here."""
        if not any_on(layout, SPOT):
            return
        jackpot, seed = layout.meters[SPOT], layout.seeds.get(SPOT, self.seed)
        linked = SPOT in layout.linked
        for wager in reversed([*wagers_on(layout, SPOT)]):
            happened = _happened(layout, wager.seat)
            line, jackpot = self._line(replace(wager, amount=self.stake), happened, jackpot, seed)
            is_share = line.pays is not None and line.pays.endswith(SHARE)
            yield replace(line, paid=None) if linked and is_share else line

    def _line(
        self, what: HandWager, happened: Event | None, jackpot: int, seed: int
    ) -> tuple[Settlement, int]:
        """The line, and what it leaves in the jackpot."""
        if happened is None:
            return lose(what, NO_SEVEN), jackpot
        won = self.awards[happened]
        if not won.percent:
            return win(what, won.odds, self.chip, REASONS[happened]), jackpot
        share, _ = part(Fraction(won.percent, 100), jackpot, self.chip)
        left = jackpot - share + (seed if won.percent == ALL else 0)
        return self._share(what, won, share, REASONS[happened]), left

    def _share(self, what: HandWager, won: Award, share: int, reason: str) -> Settlement:
        """The stake is not returned. What rounding down to the chip takes off stays in the jackpot."""
        share_won = f"{won} of the jackpot"
        return Settlement(
            what.seat,
            what.hand,
            what.wager,
            what.amount,
            "win",
            str(won),
            share - self.stake,
            f"{reason}: {share_won}",
        )


def _happened(layout: Layout, seat: int) -> Event | None:
    if layout.up is None:
        raise AssertionError(f"{SPOT} needs an up-card")
    return event(layout.seats[seat].first_two, layout.up)


def _three(suits: set[str]) -> Event:
    if len(suits) == 1:
        return "777 diamonds" if suits == {"d"} else "777 suited"
    return "777 one colour" if any(suits <= colour for colour in COLOURS) else "777"
