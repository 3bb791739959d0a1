"""The public views of hands, seats and settled lines. They do not contain the dealer's face-down card."""

from collections.abc import Iterator

from controller.cards import Card
from controller.games.bets.insurance import SPOT as INSURANCE
from controller.games.layout import Hand, Seat, Settlement, Turn
from controller.round import Round
from controller.round.state import seat_wagers
from controller.table.record.views import (
    HandView,
    JackpotView,
    LineView,
    PlayedHandView,
    RoundView,
    SeatView,
    SpotView,
)
from controller.table.state.table_state import TableState
from controller.table.view.lamps import lamps
from drivers.protocol.codes import SPOTS_PER_SEAT, Lamp

LAMP_NAMES = {lamp: lamp.name.lower().replace("_", " ") for lamp in Lamp}
NOBODY = Seat({})


def round_view(state: TableState) -> RoundView:
    """The view of the round in play, to be stored when it ends."""
    outcome = "void" if state.round.phase == "void" else "settled"
    meters = state.script_writer.meters
    return RoundView(
        state.number,
        outcome,
        dealer(state.round),
        tuple(seats(state)),
        lines(state.round),
        state.round.bank,
        tuple(JackpotView(spot, cents) for spot, cents in meters.items()),
        state.round_log.corrections,
    )


def dealer(played: Round) -> HandView:
    """The dealer's hand; "??" stands for a card that lies face down."""
    hand = played.dealer
    if not hand.cards or hand.total is None:
        return HandView(hand.cards, None, "")
    return HandView(hand.cards, hand.total, _label(played, Hand(tuple(map(Card, hand.cards)))))


def seats(state: TableState) -> Iterator[SeatView]:
    """Every seat, with or without a wager."""
    lamp_pattern, due = lamps(state), state.round.due.seat
    for number in range(1, state.rules.seats + 1):
        seat = state.round.seats.get(number, NOBODY)
        yield SeatView(
            seat=number,
            active=number == due,
            spots=tuple(_spots(state, number, lamp_pattern)),
            hands=hands(state.round, number),
            net=state.round.net.get(number),
            insurance=seat.wagers.get(INSURANCE, 0),
        )


def hands(played: Round, number: int) -> tuple[PlayedHandView, ...]:
    """The hands of seat `number`, in the order of play."""
    seat = played.seats.get(number, NOBODY)
    return tuple(_hand(played, Turn(number, place), hand) for place, hand in enumerate(seat.hands))


def lines(played: Round) -> tuple[LineView, ...]:
    """The settled wagers."""
    return tuple(map(_line, played.settlements))


def _spots(state: TableState, number: int, lamp_pattern: bytes) -> Iterator[SpotView]:
    """The wager on each spot: the latched one, or while betting is open the chips that the sensors detect."""
    seat = state.round.seats.get(number, NOBODY)
    for place, spot in enumerate(state.game.spots):
        present = any(spot in on for on in seat_wagers(seat))
        cents = state.round.standing(number, spot) if present else None
        yield SpotView(
            spot, present, cents, LAMP_NAMES[Lamp(lamp_pattern[SPOTS_PER_SEAT * (number - 1) + place])]
        )


def _hand(played: Round, at: Turn, hand: Hand) -> PlayedHandView:
    total = played.game.total(hand.cards) if hand.cards else None
    return PlayedHandView(hand.cards, total, _label(played, hand), hand.bet, at == played.turn)


def _label(played: Round, hand: Hand) -> str:
    return played.game.label(hand) if hand.cards else ""


def _line(line: Settlement) -> LineView:
    return LineView(
        line.seat, line.hand, line.wager, line.amount, line.outcome, line.pays, line.paid, line.reason
    )
