"""What is wagered when play begins: by the first cards, as the Round has it."""

from dataclasses import dataclass
from functools import cached_property
from itertools import chain, cycle, product

from controller.cards import Card
from controller.games.layout import Seat
from controller.odds.kernel.dealer_hands import DealerHands
from controller.odds.kernel.loop import UP_CARDS
from controller.odds.kernel.player_hands import PlayerHands
from controller.odds.playthrough import SEAT

ENDING = tuple(map(Card, ("6s", "Th", "5d", "9c")))
"""Cards that end every hand which draws them in turn."""


@dataclass(frozen=True, slots=True)
class Opening:
    """`wagers`: those of the seat, with what it placed in windows after the deal. `natural`: the seat was
    dealt one. `up`: the rank of the up-card."""

    wagers: tuple[tuple[str, int | None], ...]
    natural: bool
    up: int


class Openings:
    """Every opening of a player's rounds."""

    def __init__(self, hands: PlayerHands, dealer: DealerHands) -> None:
        self.hands, self.dealer = hands, dealer
        self.player, self.game = hands.player, hands.game

    @cached_property
    def found(self) -> tuple[list[int], list[Opening]]:
        """[natural, up-card, shown] -> opening; and the openings. `shown`: the dealer shows a natural."""
        openings: dict[Opening, int] = {}
        table = [
            openings.setdefault(self._opening(natural, up, shown), len(openings))
            for natural, up, shown in product((False, True), range(UP_CARDS), (False, True))
        ]
        return table, list(openings)

    @property
    def draws(self) -> list[int]:
        """[opening, live] -> 1 if the dealer completes the hand."""
        return [self._draws(opening, live) for opening in self.found[1] for live in (0, 1)]

    def seat(self, opening: Opening, live: int) -> Seat | None:
        """A seat whose hand ended with this opening; None if it cannot end so."""
        for end in self.hands.ends[1]:
            alike = self.game.live(end.hand) == live and self.game.has_natural(end.hand) == opening.natural
            if alike and not end.later and not end.cut_off:
                return Seat(dict(opening.wagers), (end.hand,))
        return None

    def _opening(self, natural: bool, up: int, shown: bool) -> Opening:
        """What cannot be is like what is not shown."""
        dealer = [cards for cards in self.dealer.dealt(up) if self.dealer.shows(cards) == shown]
        if not dealer:
            return self._opening(natural, up, not shown) if shown else Opening((), natural, up)
        played = self.player.play(chain(self._in_turn(natural, dealer[0]), cycle(ENDING)))
        return Opening(tuple(played.seats[SEAT].wagers.items()), natural, up)

    def _in_turn(self, natural: bool, dealer: tuple[Card, ...]) -> list[Card]:
        """The first cards as they leave the shoe."""
        own = iter(self.hands.example(natural=natural))
        places = {"dealer up": dealer[0], "dealer down": dealer[-1]}
        return [places[step] if step in places else next(own) for step in self.game.deal]

    def _draws(self, opening: Opening, live: int) -> int:
        seat = self.seat(opening, live)
        if seat is None:
            return 0
        taking = (cards for cards in self.dealer.dealt(opening.up) if self.game.dealer_takes(cards))
        return int(any(self.game.dealer_draws(self.dealer.layout(cards, {SEAT: seat})) for cards in taking))
