"""The meters of the jackpots: when wagers are latched they advance, shares are taken from them, and what a
void round moved is put back. Every step is noted with the amounts before and after, in cents."""

from controller.games.layout import Settlement
from controller.jackpot import Meter
from controller.round import Jackpot
from controller.table.notes import MeterMoved, Moved
from controller.table.state import TableState

ALL = "100%"
"""Pays all of a jackpot, which then begins with its seed."""


def advance(state: TableState) -> None:
    """Betting has closed: every wager contributes, then the round is told what the jackpot shows."""
    state.unmoved = dict(state.meters)
    for spot in state.round.unknown_jackpots:
        meter, stakes = state.meters[spot], _stakes(state, spot)
        for stake in stakes:
            meter = meter.contribute(stake)
        why = f"{len(stakes)} wager{'s' * (len(stakes) != 1)} of round {state.number}"
        _move(state, spot, "contribution", meter, why)
        state.tell(Jackpot(spot, meter.cents, meter.parameters.seed))


def pay(state: TableState) -> None:
    """The wagers are settled: each share, in the order of the lines, leaves its jackpot."""
    for line in state.round.settlements:
        if line.wager in state.meters and (share := won(line)):
            why = f"Seat {line.seat}: {line.reason}"
            _move(state, line.wager, "win", state.meters[line.wager].lock(share).pay(share), why)
            if line.pays == ALL:
                _move(state, line.wager, "seed", state.meters[line.wager].reseed()[0], why)


def put_back(state: TableState, why: str) -> None:
    """The round is void: its contributions and its shares never were."""
    for spot, meter in state.unmoved.items():
        if state.meters[spot] != meter:
            _move(state, spot, "correction", meter, why)


def won(line: Settlement) -> int:
    """The share of a jackpot that a line pays, in cents; the stake is part of it. 0: it pays none."""
    shared = line.pays is not None and line.pays.endswith("%")
    return (line.paid or 0) + (line.amount or 0) if shared else 0


def _stakes(state: TableState, spot: str) -> list[int]:
    """A wager that no sensor could value is the fixed stake."""
    fixed = state.game.fixed_stake(spot)
    stakes = (seat.wagers[spot] or fixed for seat in state.round.seats.values() if spot in seat.wagers)
    return [stake for stake in stakes if stake]


def _move(state: TableState, spot: str, kind: Moved, meter: Meter, why: str) -> None:
    before, state.meters[spot] = state.meters[spot], meter
    state.notes.append(MeterMoved(spot, kind, before.cents, meter.cents, why))
