"""Simulated players at the table of a person who deals."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from controller.currency import breakdown
from controller.demo.crew.habits import Mood, PlacedBet
from controller.demo.crew.playbook import Playbook, PlayerView
from controller.demo.crew.played_round import UP, HandPosition
from controller.demo.simulator import acts
from controller.demo.simulator.chips import UNKNOWN
from controller.demo.simulator.places import MOST_HANDS
from controller.demo.simulator.table import IS_SPLIT, SimulatedTable, innermost
from controller.round.prompts import DrawCard, FixBets, OfferInsurance, OpenWindow, PlaceBets, PlayHand
from drivers.protocol.codes import SPOTS_PER_SEAT

DOUBLES: Final = "doubles"


class SimulatedPlayers:
    """They lay chips, one at a time, and say what they want. They see the cards on the felt as the dealer has
    laid them: to a hand that is not what the prompt says, they say nothing. The same seed places the same
    wagers."""

    def __init__(self, playbook: Playbook, seed: int) -> None:
        self._playbook = playbook
        self._seed = seed
        self._round = 0
        self._between = False
        self._cleared = False
        self._mood = Mood(seed, 0, playbook)
        self._doubled: set[HandPosition] = set()

    def next(self, table: SimulatedTable) -> acts.Act | None:
        self._begin_round(table)
        if self._between and not self._cleared:
            self._cleared = True
            if any(stake is not None for stake in table.equipment.stakes):
                return acts.ClearChips(do="clear-chips")
        return next((act for bet in self._wanted(table) if (act := _chip_for(table, bet))), None)

    def wishes(self, table: SimulatedTable) -> Mapping[int, str]:
        """What they say now, by seat; as the whole table (0) that all wagers are placed."""
        prompt = table.equipment.indicators.due
        match innermost(prompt):
            case PlaceBets() if self._cleared and not any(_chip_for(table, bet) for bet in self._mood.bets()):
                return {0: "ready"}
            case OfferInsurance(insurance, even_money):
                offered = (("insurance", insurance or ()), ("even-money", even_money or ()))
                return {seat: key for key, seats in offered for seat in seats if self._mood.has(key, seat)}
            case PlayHand() as due:
                return self._decision(table, due)
        return {}

    def _begin_round(self, table: SimulatedTable) -> None:
        between = isinstance(table.equipment.indicators.due, PlaceBets | FixBets)
        if between and not self._between:
            self._round += 1
            self._mood = Mood(self._seed, self._round, self._playbook)
            self._cleared = False
            self._doubled.clear()
        self._between = between

    def _wanted(self, table: SimulatedTable) -> Iterator[PlacedBet]:
        """The stakes that should lie on their spots now."""
        prompt = table.equipment.indicators.due
        if self._between:
            yield from self._mood.bets()
        if isinstance(prompt, OpenWindow):
            yield from self._late(table, prompt)
        due = innermost(prompt)
        if isinstance(due, DrawCard) and due.reason in {DOUBLES, IS_SPLIT}:
            yield from self._extended(table, due)

    def _late(self, table: SimulatedTable, prompt: OpenWindow) -> Iterator[PlacedBet]:
        for seat in prompt.seats:
            for bet in self._mood.late(seat, len(_hands(table, seat))):
                if table.equipment.indicators.open(bet.seat, bet.spot):
                    yield bet

    def _extended(self, table: SimulatedTable, due: DrawCard) -> Iterator[PlacedBet]:
        """The first circle with the chips for doubles and splits, if their value is readable."""
        if due.reason == DOUBLES:
            self._doubled.add(HandPosition(due.seat, (due.hand or 1) - 1))
        bet = next((bet for bet in self._mood.bets() if bet.seat == due.seat), None)
        if bet is None or bet.cents is None:
            return
        as_much = sum(circle.like_first for circle in self._playbook.circles)
        doubled = sum(place.seat == due.seat for place in self._doubled)
        more = max(0, len(_hands(table, due.seat)) - 1) + doubled
        yield PlacedBet(bet.seat, bet.spot, bet.cents * (1 + more * (1 + as_much)))

    def _decision(self, table: SimulatedTable, due: PlayHand) -> Mapping[int, str]:
        hands, turn = _hands(table, due.seat), (due.hand or 1) - 1
        if turn >= len(hands) or self._playbook.count(hands[turn]) != due.total:
            return {}
        up = next(iter(table.felt.cards(UP)), "")
        view = PlayerView(tuple(map(tuple, hands)), turn, up, plays_on=False)
        return {due.seat: self._playbook.advise(view)}


def _hands(table: SimulatedTable, seat: int) -> Sequence[Sequence[str]]:
    hands = (table.felt.cards(HandPosition(seat, hand)) for hand in range(MOST_HANDS))
    return [cards for cards in hands if cards]


def _chip_for(table: SimulatedTable, bet: PlacedBet) -> acts.Act | None:
    """The next chip of a stake that does not lie on its spot yet."""
    spot = table.layout.game.spots[bet.spot]
    lies = table.equipment.stakes[SPOTS_PER_SEAT * (bet.seat - 1) + bet.spot]
    if bet.cents is None:
        return acts.LayUnreadable(do="lay-unreadable", seat=bet.seat, spot=spot) if lies is None else None
    if lies == UNKNOWN:
        return None
    missing = breakdown(table.layout.rack, max(0, bet.cents - (lies or 0))).counts
    if not missing:
        return None
    return acts.LayChip(do="lay-chip", seat=bet.seat, spot=spot, chip=missing[0].chip.value)
