"""What every game has: wagers on a hand beside side bets, and a dealer who draws where a wager needs it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from controller.cards import Card
from controller.games.bets import insurance
from controller.games.bets.bet import SideBet
from controller.games.bets.insurance import Insurance
from controller.games.game import Dealt, Invitation
from controller.games.layout import Hand, Layout, Seat, Settlement, Turn
from controller.games.options import TableOptions
from controller.games.settlement import HandWager, surrender
from controller.money import sum_cents

NO_KEYS: frozenset[str] = frozenset()
NO_INSURANCE = Insurance(offered=False)


class TableGame(ABC):
    """A game with its options; what it does not say itself is as here."""

    name: str
    title: str
    spots: tuple[str, ...]
    hand_spots: tuple[str, ...] = ("main",)
    main: str = "main"
    """The name of a hand's settlement line."""
    window: str = ""
    waits: bool = False
    player_banked: bool = False
    by_seat: bool = False
    """Wagers are settled seat by seat; else all hands first, then one kind of side bet after the other."""
    late: frozenset[str]
    meters: tuple[str, ...]
    options: TableOptions

    def __init__(
        self, options: TableOptions, side_bets: tuple[SideBet, ...], insured: Insurance = NO_INSURANCE
    ) -> None:
        self.options = options
        self.side_bets = side_bets
        self.insured = insured
        self.late = frozenset(spot for bet in side_bets if bet.late for spot in bet.spots)
        self.meters = tuple(spot for bet in side_bets if bet.for_jackpot for spot in bet.spots)

    @property
    def windows(self) -> frozenset[str]:
        """Phases of a round that only some games have: insuring, offering."""
        insuring = self.insured.offered or self.insured.even_money
        return frozenset(phase for phase, has in (("insuring", insuring), ("offering", self.late)) if has)

    def faults(self, wagers: Mapping[str, int | None]) -> Iterator[str]:
        """A wager without the one that it needs, and what the side bets say."""
        if missing := [spot for spot in self.hand_spots if spot not in wagers]:
            yield f"{', '.join(wagers)} needs a {missing[0]} wager"
            return
        for bet in self.side_bets:
            yield from bet.faults(wagers)

    def stake(self, wagers: Mapping[str, int | None]) -> int | None:
        """The sum of the wagers on the hand."""
        return sum_cents(wagers[spot] for spot in self.hand_spots)

    @property
    @abstractmethod
    def deal(self) -> tuple[Dealt, ...]:
        """How the cards first dealt go round."""

    def fixed_stake(self, spot: str) -> int | None:
        """What its side bet says."""
        return next((bet.fixed_stake for bet in self.side_bets if spot in bet.spots), None)

    @abstractmethod
    def total(self, cards: Sequence[Card]) -> int:
        """A hand's value by its cards alone."""

    def count(self, cards: Sequence[Card]) -> str:
        """A hand's value as a dealer says it."""
        return str(self.total(cards))

    @abstractmethod
    def bust(self, cards: Sequence[Card]) -> bool:
        """Whether a hand is over the target."""

    @abstractmethod
    def natural(self, cards: Sequence[Card]) -> bool:
        """Whether the cards first dealt are a natural."""

    def has_natural(self, hand: Hand) -> bool:
        """Whether the hand is a natural: those of a split are none."""
        return not hand.split and self.natural(hand.cards)

    def label(self, hand: Hand) -> str:
        """Natural, bust, or what the hand's last key made of it."""
        if self.has_natural(hand):
            return self.natural_label(hand)
        return "bust" if self.bust(hand.cards) else LABELS.get(hand.choice, "")

    def natural_label(self, _hand: Hand) -> str:
        """What players call a natural."""
        return "natural"

    def insures(self, layout: Layout) -> Invitation:
        """Insurance and even money."""
        keys = {
            number: self.insured.keys(layout, number, natural=self.has_natural(seat.hands[0]))
            for number, seat in layout.seats.items()
        }
        return {number: offered for number, offered in keys.items() if offered}

    def insurance(self, layout: Layout, seat: int, cents: int | None) -> int | None:
        """As much as the rules have it, or `cents`; raises Forbidden."""
        return self.insured.amount(self.stake(layout.seats[seat].wagers), self.options.chip, cents)

    @abstractmethod
    def peeks(self, layout: Layout) -> bool:
        """Whether the dealer checks for a natural before the players act."""

    def invites(self, layout: Layout) -> Invitation:
        """The spots that side bets open after the deal."""
        spots = {
            number: NO_KEYS.union(*(bet.invites(layout, seat) for bet in self.side_bets))
            for number, seat in layout.seats.items()
        }
        return {number: opened for number, opened in spots.items() if opened}

    def invites_after_split(self, layout: Layout, turn: Turn) -> Invitation:
        """The spots that side bets open at a split."""
        opened = NO_KEYS.union(*(bet.invites_after_split(layout) for bet in self.side_bets))
        return {turn.seat: opened} if opened else {}

    @abstractmethod
    def choices(self, layout: Layout, turn: Turn) -> frozenset[str]:
        """The keys that are the player's to choose from; none: the hand is passed over."""

    @abstractmethod
    def dealer_takes(self, cards: Sequence[Card]) -> bool:
        """Whether a dealer who must complete the hand draws on these cards."""

    def dealer_draws(self, layout: Layout) -> bool:
        """Whether a wager depends on the dealer's hand, and the hand is not complete."""
        return self.dealer_takes(layout.dealer) and (
            self.hands_left(layout) or any(bet.draws_out(layout) for bet in self.side_bets)
        )

    def hands_left(self, layout: Layout) -> bool:
        """Whether a hand still waits for the dealer's."""
        return any(self.live(hand) for seat in layout.seats.values() for hand in seat.hands)

    def live(self, hand: Hand) -> bool:
        """Whether the hand waits for the dealer's: not decided, no natural, no bust."""
        return hand.choice not in DECIDED and not self.has_natural(hand) and not self.bust(hand.cards)

    def wagered(self, layout: Layout) -> Iterator[HandWager]:
        """Every wager that stands, as settlement lines name them."""
        for number, seat in layout.seats.items():
            yield from self.on_hands(number, seat)
            for spot, cents in seat.wagers.items():
                if spot not in self.hand_spots:
                    yield HandWager(number, 1, spot, cents)
            for place, hand in enumerate(seat.hands, 1):
                for spot, cents in hand.wagers.items():
                    yield HandWager(number, place, spot, cents)

    def on_hands(self, number: int, seat: Seat) -> Iterator[HandWager]:
        """The wagers on a seat's hands; before the deal those on its spots."""
        if not seat.hands:
            yield from self.on_spots(number, seat)
        for place, hand in enumerate(seat.hands, 1):
            yield HandWager(number, place, self.main, hand.bet)

    def on_spots(self, number: int, seat: Seat) -> Iterator[HandWager]:
        """A seat's wagers on the spots that make up its hand."""
        return (
            HandWager(number, 1, spot, seat.wagers[spot]) for spot in self.hand_spots if spot in seat.wagers
        )

    def settle(self, layout: Layout) -> tuple[Settlement, ...]:
        """Hands, insurance, side bets."""
        lines = [*self.hand_lines(layout)]
        lines += insurance.settle(layout, self.options.chip, natural=self.natural(layout.dealer))
        for bet in self.side_bets:
            lines += bet.settle(layout)
        return tuple(sorted(lines, key=_seat) if self.by_seat else lines)

    def shares(self, layout: Layout) -> Iterator[Settlement]:
        """In the order in which the side bets take them from their jackpots."""
        lines = (line for bet in self.side_bets if bet.for_jackpot for line in bet.settle(layout))
        return (line for line in lines if line.pays and line.pays.endswith("%"))

    def hand_lines(self, layout: Layout) -> Iterator[Settlement]:
        """A line for each hand."""
        for number, seat in layout.seats.items():
            for place, hand in enumerate(seat.hands, 1):
                what = HandWager(number, place, self.main, hand.bet)
                if hand.choice == "surrender":
                    yield surrender(what, self.options.chip, "surrendered")
                else:
                    yield self.decide(layout, seat, hand, what)

    @abstractmethod
    def decide(self, layout: Layout, seat: Seat, hand: Hand, what: HandWager) -> Settlement:
        """The line of one hand that was not surrendered."""

    @abstractmethod
    def advice(self, layout: Layout, turn: Turn) -> str:
        """The key that a good player asks for, one of `choices`."""


LABELS = {"stand": "stands", "double": "doubled", "surrender": "surrendered", "even-money": "even money",
          "quick-pay": "quick pay"}  # fmt: skip
"""By a hand's last key."""

DECIDED = frozenset({"surrender", "even-money", "quick-pay"})
"""Choices that decide the hand at once."""


def _seat(line: Settlement) -> int:
    return line.seat
