"""Dealer Bust: the dealer busts, paid by the number of cards."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from controller.cards import Card
from controller.games.bets.bet import SideBet, any_on, wagers_on
from controller.games.layout import Layout, Settlement
from controller.games.settlement import lose, win
from controller.money import Ratio

SPOT = "dealer-bust"


@dataclass(frozen=True, slots=True)
class DealerBust(SideBet):
    """Dealer Bust with its pay table by cards in the busted hand. A count that is missing loses."""

    spots: ClassVar[tuple[str, ...]] = (SPOT,)

    pays: Mapping[int, Ratio]
    chip: int
    total: Callable[[Sequence[Card]], int]
    bust: Callable[[Sequence[Card]], bool]
    natural: Callable[[Sequence[Card]], bool]

    def draws_out(self, layout: Layout) -> bool:
        """As long as a wager is in play, even if no hand is left."""
        return any_on(layout, SPOT)

    def settle(self, layout: Layout) -> Iterator[Settlement]:
        dealer = layout.dealer
        pays, reason = self._result(dealer)
        for what in wagers_on(layout, SPOT):
            yield win(what, pays, self.chip, reason) if pays else lose(what, reason)

    def _result(self, dealer: Sequence[Card]) -> tuple[Ratio | None, str]:
        if self.natural(dealer):
            return None, "dealer has a natural"
        if not self.bust(dealer):
            return None, f"dealer stands on {self.total(dealer)}"
        pays = self.pays.get(len(dealer))
        if pays is None:
            return None, f"a dealer bust with {len(dealer)} cards pays nothing"
        return pays, f"dealer busts with {len(dealer)} cards"
