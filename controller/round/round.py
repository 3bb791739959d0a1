"""One round of a game: pure, without clock or I/O, behind one door."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from controller.cards import FACE_DOWN
from controller.games.game import Game
from controller.games.layout import Seat, Settlement
from controller.round.commands import Command
from controller.round.course import MOVES_BY_ITSELF, triggers
from controller.round.events import CardOut, Event, Key, Refused, Void, Wager
from controller.round.phases import PHASES
from controller.round.state import Due, State, hole

TAKES_AMOUNT: frozenset[str] = frozenset()
"""Keys that may come with an amount."""


@dataclass(frozen=True, slots=True)
class DealerHand:
    """The dealer's cards as anyone may see them; while one lies face down there is no total and no bust."""

    cards: tuple[str, ...]
    total: int | None
    bust: bool


class Round:
    """From the first wager to the last payment; `seats` count from 1, `burn` cards go before the deal."""

    def __init__(self, game: Game, *, seats: int = 7, burn: int = 0) -> None:
        self.game = game
        self._state = State(game, seats, burn)

    def handle(self, event: Event) -> tuple[Command, ...]:
        """What follows from `event`; raises Refused, and has then changed nothing."""
        state = self._state
        state.commands = []
        match event:
            case CardOut():
                PHASES[state.phase].card(state, event.card)
            case Key():
                _key(state, event)
            case Wager():
                _wager(state, event)
            case Void():
                _void(state, event)
        while state.phase in MOVES_BY_ITSELF and triggers()["advance"](state, state):
            pass
        return tuple(state.commands)

    @property
    def phase(self) -> str:
        """One of `PHASES`."""
        return self._state.phase

    @property
    def cards_due(self) -> int:
        """Exactly how many cards may leave the shoe now."""
        return PHASES[self.phase].cards(self._state)

    @property
    def due(self) -> Due:
        """The one thing that is due now."""
        return PHASES[self.phase].due(self._state)

    @property
    def keys(self) -> frozenset[str]:
        """The dealer's legal keys."""
        return PHASES[self.phase].keys(self._state)

    @property
    def seats(self) -> Mapping[int, Seat]:
        """Seats with a wager."""
        return MappingProxyType(self._state.layout.seats)

    @property
    def hidden(self) -> int:
        """How many of the dealer's cards lie face down."""
        turned = PHASES[self.phase].turned
        return int(not turned and len(self._state.layout.dealer) > hole(self.game))

    @property
    def dealer(self) -> DealerHand:
        """The dealer's hand without what lies face down."""
        cards = self._state.layout.dealer
        if not cards or not PHASES[self.phase].turned:
            down = hole(self.game)
            seen = tuple(FACE_DOWN if at == down else card for at, card in enumerate(cards))
            return DealerHand(seen, None, bust=False)
        return DealerHand(cards, self.game.total(cards), self.game.bust(cards))

    @property
    def settlements(self) -> tuple[Settlement, ...]:
        """One line for each wager and hand, once they are decided."""
        return self._state.lines

    @property
    def net(self) -> Mapping[int, int | None]:
        """Each seat's gain in cents once it is decided; None where a part of it is unknown."""
        net: dict[int, int | None] = {}
        for line in self.settlements:
            before = net.get(line.seat, 0)
            net[line.seat] = None if before is None or line.paid is None else before + line.paid
        return net


def _wager(state: State, wager: Wager) -> None:
    if wager.spot not in state.game.spots:
        raise Refused(f"{state.game.name} has no spot {wager.spot}; it has {', '.join(state.game.spots)}")
    if not 1 <= wager.seat <= state.places:
        raise Refused(f"there is no seat {wager.seat}; seats are 1 to {state.places}")
    PHASES[state.phase].wager(state, wager)


def _key(state: State, key: Key) -> None:
    phase = PHASES[state.phase]
    if key.cents is not None and key.action in phase.keys(state) - TAKES_AMOUNT:
        raise Refused(f"{key.action} takes no amount")
    phase.key(state, key)
    if key.action in triggers():
        triggers()[key.action](state, state)


def _void(state: State, void: Void) -> None:
    paid = {line.seat for line in state.lines} - set(state.unpaid)
    if state.phase in ("over", "void") or paid:
        raise Refused(f"it is too late to void: {PHASES[state.phase].due(state).text}")
    state.void = void.why
    triggers()["void"](state, state)
