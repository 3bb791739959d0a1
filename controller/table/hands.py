"""Hands, seats and lines as anyone may see them. The dealer's face-down card is not in here."""

from collections.abc import Iterator

from controller.cards import Card
from controller.games.layout import Hand, Settlement
from controller.table.lamps import lamps
from controller.table.state import TableState
from controller.table.view import HandView, LineView, RoundView, SeatView, SpotView
from drivers.protocol.codes import SPOTS_PER_SEAT, Lamp

LAMP_NAMES = {lamp: lamp.name.lower().replace("_", " ") for lamp in Lamp}


def round_view(state: TableState) -> RoundView:
    """The round in play, as it is looked up once it has ended."""
    outcome = "void" if state.round.phase == "void" else "settled"
    return RoundView(state.number, outcome, dealer(state), tuple(seats(state)), lines(state))


def dealer(state: TableState) -> HandView:
    """The dealer's hand; "??" stands for a card that lies face down."""
    hand = state.round.dealer
    if not hand.cards or hand.total is None:
        return HandView(hand.cards, None, "")
    return HandView(hand.cards, hand.total, _label(state, Hand(tuple(map(Card, hand.cards)))))


def seats(state: TableState) -> Iterator[SeatView]:
    """Every seat, with or without a wager."""
    shown, active = lamps(state), state.round.due.seat
    for seat in range(1, state.rules.seats + 1):
        laid = state.round.seats.get(seat)
        hands = laid.hands if laid else ()
        yield SeatView(
            seat=seat,
            active=seat == active,
            spots=tuple(_spots(state, seat, shown)),
            hands=tuple(HandView(hand.cards, _total(state, hand), _label(state, hand)) for hand in hands),
            net=state.round.net.get(seat),
        )


def lines(state: TableState) -> tuple[LineView, ...]:
    """The settled wagers."""
    return tuple(map(_line, state.round.settlements))


def _spots(state: TableState, seat: int, shown: bytes) -> Iterator[SpotView]:
    """What is wagered on each spot: as latched, or while betting is open as the sensors see it."""
    laid = state.round.seats.get(seat)
    for place, spot in enumerate(state.game.spots):
        present = laid is not None and spot in laid.wagers
        cents = laid.wagers[spot] if laid is not None and present else None
        lamp = LAMP_NAMES[Lamp(shown[SPOTS_PER_SEAT * (seat - 1) + place])]
        yield SpotView(spot, present, cents, lamp)


def _total(state: TableState, hand: Hand) -> int | None:
    return state.game.total(hand.cards) if hand.cards else None


def _label(state: TableState, hand: Hand) -> str:
    if not hand.cards:
        return ""
    if state.game.natural(hand.cards):
        return "natural"
    if state.game.bust(hand.cards):
        return "bust"
    return "stands" if hand.choice == "stand" else ""


def _line(line: Settlement) -> LineView:
    return LineView(
        line.seat, line.hand, line.wager, line.amount, line.outcome, line.pays, line.paid, line.reason
    )  # fmt: skip
