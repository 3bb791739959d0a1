"""Tables of outcomes: the settlement lines of hands and of other wagers, interned."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from operator import attrgetter

from controller.cards import DECK
from controller.games.bets.bet import SideBet
from controller.games.layout import Hand, Layout, Seat, Settlement
from controller.games.points import UP_RANKS
from controller.odds.kernel.dealer_hands import DealerHands
from controller.odds.kernel.hand_states import Cards
from controller.odds.kernel.openings import Opening, Openings
from controller.odds.kernel.player_hands import PlayerHands
from controller.odds.playthrough import SEAT
from controller.round.settle import SETTLEMENT_FIELDS


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to some wagers of a round: their settlement lines, all as hand 1.

    `up_card`: the rank that bets made after the deal are counted under.
    """

    lines: tuple[Settlement, ...] = ()
    up_card: str = ""


NOTHING = Outcome()
RESULT = attrgetter(*(name for name in SETTLEMENT_FIELDS if name not in ("seat", "hand")))
"""What a settlement line says besides where it is."""


class Outcomes:
    """Asks the game to settle, and numbers the outcomes."""

    def __init__(self, hands: PlayerHands, dealer: DealerHands, openings: Openings) -> None:
        self.hands, self.dealer, self.openings = hands, dealer, openings
        self.player, self.game = hands.player, hands.game
        self.found = [NOTHING]
        self._numbers: dict[Hashable, int] = {("",): 0}

    def of_hands(self) -> list[int]:
        """[hand end, dealer's end]"""
        columns: dict[Hashable, list[int]] = {}
        alike = [self.dealer.against_hands(cards) for cards in self.dealer.ends[1]]
        for key, cards in zip(alike, self.dealer.ends[1], strict=True):
            if key not in columns:
                columns[key] = self._against(cards)
        return [number for row in zip(*map(columns.__getitem__, alike), strict=True) for number in row]

    def of_sides(self) -> list[int]:
        """[opening, live, dealer's end]"""
        table: list[int] = []
        ends = range(len(self.dealer.ends[1]))
        for opening, live in product(self.openings.found[1], (0, 1)):
            seat = self.openings.seat(opening, live)
            dealers = [self.dealer.by_up_card.get((opening.up, end)) for end in ends]
            table += [
                self._side(opening, seat, dealer) if seat and dealer else self._number(())
                for dealer in dealers
            ]
        return table

    def of_first_cards(self) -> tuple[list[int], list[int]]:
        """[card] -> kind, with NO_CARD; and [kind, kind, kind of the up-card] -> outcome."""
        bets = [bet for bet in self.game.side_bets if bet.for_jackpot]
        if not bets:
            return [0] * (len(DECK) + 1), [0]
        table = self._by_first_cards(bets)
        kinds: dict[tuple[int, ...], int] = {}
        found = [kinds.setdefault(_seen(table, card), len(kinds)) for card in range(len(DECK))]
        examples = [found.index(kind) for kind in range(len(kinds))]
        return [*found, 0], [table[cards] for cards in product(examples, repeat=3)]

    def _number(self, lines: Sequence[Settlement], up_card: str = "") -> int:
        key = (up_card, *map(RESULT, lines))
        number = self._numbers.setdefault(key, len(self.found))
        if number == len(self.found):
            as_hand_1 = tuple(replace(line, seat=SEAT, hand=1) for line in lines)
            self.found.append(Outcome(as_hand_1, up_card))
        return number

    def _against(self, dealer: Cards) -> list[int]:
        """The outcome of every end of a hand, each at a seat of its own, against one dealer's hand."""
        ends, shows = self.hands.ends[1], self.dealer.shows(dealer)
        seats = {
            number: Seat(self.player.hand_wagers, (end.hand,) * (end.later + 1))
            for number, end in enumerate(ends)
            if shows or not end.cut_off
        }
        lines: list[list[Settlement]] = [[] for _ in ends]
        for line in self.game.settle(self.dealer.layout(dealer, seats)):
            if line.hand == len(seats[line.seat].hands):
                lines[line.seat].append(line)
        return list(map(self._number, lines))

    def _side(self, opening: Opening, seat: Seat, dealer: Cards) -> int:
        """Of all wagers that are neither on hands nor decided by the first cards."""
        for spot in self.game.meters:
            seat = seat.without(spot)
        settled = self.game.settle(self.dealer.layout(dealer, {SEAT: seat}))
        lines = [line for line in settled if not self.player.on_hand(line.wager)]
        late = any(line.wager in self.player.after_the_deal for line in lines)
        return self._number(lines, UP_RANKS[opening.up] if late else "")

    def _by_first_cards(self, bets: list[SideBet]) -> dict[tuple[int, ...], int]:
        """By the numbers of a seat's two cards, in any order, and of the up-card."""
        wagers = {spot: cents for spot, cents in self.player.wagers.items() if spot in self.game.meters}
        table: dict[tuple[int, ...], int] = {}
        for one, two, up in product(range(len(DECK)), repeat=3):
            if one <= two:
                seat = Seat(wagers, (Hand((DECK[one], DECK[two])),))
                layout = Layout({SEAT: seat}, DECK[up], meters=dict(self.player.meters))
                lines = [line for bet in bets for line in bet.settle(layout)]
                table[one, two, up] = table[two, one, up] = self._number(lines)
        return table


def _seen(table: dict[tuple[int, ...], int], card: int) -> tuple[int, ...]:
    """Everything that a card can bring about, in each place."""
    others = product(range(len(DECK)), repeat=2)
    return tuple(
        table[cards]
        for one, two in others
        for cards in ((card, one, two), (one, card, two), (one, two, card))
    )
