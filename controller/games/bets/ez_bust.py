"""EZ Bust: the dealer busts. It is placed when the up-card is low."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from controller.cards import Card
from controller.games import points
from controller.games.bets.bet import NO_SPOTS, SideBet
from controller.games.layout import Hand, Layout, Outcome, Seat, Settlement
from controller.games.settlement import HandWager, line
from controller.money import EVEN, Ratio

SPOT = "ez-bust"
UP_RANKS = frozenset("23456")
OPEN = frozenset({SPOT})

RESULTS: dict[str, tuple[Outcome, str]] = {
    "suited bust": ("win", "dealer busts, the first three cards of one suit"),
    "bust": ("win", "dealer busts"),
    "two cards": ("push", "dealer stands on two cards"),
    "drew": ("lose", "dealer drew and did not bust"),
    "not drawn": ("push", "dealer need not draw: no hand is left"),
}


@dataclass(frozen=True, slots=True)
class EzBust(SideBet):
    spots: ClassVar[tuple[str, ...]] = (SPOT,)
    late: ClassVar[bool] = True

    suited: Ratio
    with_natural: bool
    draw_out: bool
    split_wager: bool
    chip: int
    has_natural: Callable[[Hand], bool]
    hands_left: Callable[[Layout], bool]
    """Whether a hand waits for the dealer's."""

    def invites(self, layout: Layout, seat: Seat) -> frozenset[str]:
        """Opens when the up-card is 2 to 6, for a seat with a natural only if the option says so."""
        low = self._low(layout) and (self.with_natural or not self.has_natural(seat.hands[0]))
        return OPEN if low else NO_SPOTS

    def invites_after_split(self, layout: Layout) -> frozenset[str]:
        """One more wager at each split, also for a seat without one."""
        return OPEN if self.split_wager and self._low(layout) else NO_SPOTS

    def draws_out(self, layout: Layout) -> bool:
        """As long as a wager is in play, unless the option turns it off."""
        return self.draw_out and next(_wagers(layout), None) is not None

    def settle(self, layout: Layout) -> Iterator[Settlement]:
        """All EZ Bust wagers win, push or lose together, by the dealer's hand alone."""
        result = self.result(layout)
        outcome, reason = RESULTS[result]
        pays = self.suited if result == "suited bust" else EVEN
        for what in _wagers(layout):
            yield line(what, outcome, reason, self.chip, pays)

    def result(self, layout: Layout) -> str:
        """The result of the dealer's hand, a key of RESULTS."""
        if not self.draw_out and not self.hands_left(layout):
            return "not drawn"
        return dealt_out(layout.dealer)

    def _low(self, layout: Layout) -> bool:
        return layout.up is not None and layout.up[0] in UP_RANKS


def dealt_out(dealer: tuple[Card, ...]) -> str:
    """The result of a complete dealer's hand, a key of RESULTS."""
    if points.hard(dealer) > points.TARGET:
        return "suited bust" if len({card[1] for card in dealer[:3]}) == 1 else "bust"
    return "two cards" if len(dealer) == 2 else "drew"


def _wagers(layout: Layout) -> Iterator[HandWager]:
    """Seat by seat in the order of placement: after the deal, then at each split."""
    for number, seat in layout.seats.items():
        if SPOT in seat.wagers:
            yield HandWager(number, 1, SPOT, seat.wagers[SPOT])
        for place, hand in sorted(enumerate(seat.hands, 1), key=_split):
            if SPOT in hand.wagers:
                yield HandWager(number, place, SPOT, hand.wagers[SPOT])


def _split(hand: tuple[int, Hand]) -> int:
    return hand[1].split
