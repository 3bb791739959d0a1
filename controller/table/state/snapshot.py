"""The snapshot: the state between two rounds as one record, and its rows in the journal.

The journal contains the field names. A field that an older version did not write needs a default, with which
`restore_snapshot` restores the state as that version would have.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from controller.jackpot import Books, Meter, Register
from controller.journal.chain import RowContent
from controller.table.record.codec import from_json, to_json
from controller.table.record.events import ActTaken, CommandTaken
from controller.table.record.kinds import SNAPSHOT
from controller.table.record.notes import RoundEnded
from controller.table.record.rules import Progressive, Rules
from controller.table.record.sealed import OpenSeal
from controller.table.state.alarms import Alarms
from controller.table.state.card_ledger import CardLedger
from controller.table.state.device_record import DeviceRecord
from controller.table.state.linked import LevelAccount
from controller.table.state.requests import RequestRegister
from controller.table.state.shuffler_cycle import ShufflerCycle
from controller.table.state.suspension import Suspension
from controller.table.state.table_state import TableState, UnplacedCard


@dataclass(frozen=True, slots=True)
class Chips:
    """The chips that the sensors detect on a spot; `cents` is 0 if they cannot determine the amount."""

    seat: int
    spot: int
    cents: int


@dataclass(frozen=True, slots=True)
class FaultySpot:
    """One betting circle, with the sensors' numbers of the seat and of the spot."""

    seat: int
    spot: int


@dataclass(frozen=True, slots=True)
class JackpotFeed:
    """How a jackpot is fed, and how it will be fed once it is won, if a change is pending."""

    now: Progressive
    coming: Progressive | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table between two rounds. Ended rounds have their own rows in the journal; `ended` holds them only if
    a file begins with this snapshot."""

    rules: Rules
    coming: Rules
    number: int
    devices: dict[str, DeviceRecord]
    decks: int
    seen: dict[str, int]
    unseen: int
    cycle: ShufflerCycle
    suspension: Suspension
    chips: tuple[Chips, ...]
    faults: tuple[FaultySpot, ...]
    unread: tuple[str, ...]
    shoe_wanted: bool
    cut_out: bool
    burn: int
    alerts: tuple[str, ...]
    strays: tuple[UnplacedCard, ...]
    bank: int = 0
    meters: dict[str, Books] = field(default_factory=dict)
    """The books of each jackpot, by spot."""
    standing: dict[str, str] = field(default_factory=dict)
    shoe_since: int = 1
    fates: dict[str, int] = field(default_factory=dict)
    shoe_before: int | None = None
    last_shoe: str = ""
    corrected: tuple[RoundEnded, ...] = ()
    """Those of the last rounds that were corrected, the latest first."""
    fed: dict[str, JackpotFeed] = field(default_factory=dict)
    """How each jackpot is fed, by spot. A jackpot that is not in here is fed as the rules say, as in older
    versions."""
    register: Register = field(default_factory=Register)
    ended: tuple[RoundEnded, ...] = ()
    """The last rounds, the latest first, if a file of the journal begins with this snapshot; else empty."""
    table: str = ""
    version: str = ""
    """The version of the daemon that played."""
    alarms: Alarms = field(default_factory=Alarms)
    ends: tuple[float, ...] = ()
    croupier: str = ""
    requests: RequestRegister = field(default_factory=RequestRegister)
    presses: tuple[str, ...] = ()
    acts: tuple[ActTaken, ...] = ()
    commands: tuple[CommandTaken, ...] = ()
    nonce: str = ""
    seals: tuple[OpenSeal, ...] = ()
    """The boxes of all cards that are still secret (controller/table/sealer.py)."""
    sealed_strays: tuple[int, ...] = ()
    """For each of `strays` the row in which its card is sealed, 0 if it is in the clear."""
    epoch: str = ""
    """The epoch of the journal; empty in journals of older versions."""
    linked: dict[str, LevelAccount] = field(default_factory=dict)
    """Linked progressives, by level."""


Cover = Callable[[Snapshot], Snapshot]
"""Takes secret cards out of a snapshot."""


def take_snapshot(state: TableState) -> Snapshot:
    """The snapshot of this state, whose round must have just begun."""
    return Snapshot(
        rules=state.rules,
        coming=state.coming,
        number=state.number,
        table=state.table,
        version=state.version,
        epoch=state.epoch,
        devices=state.devices,
        decks=state.ledger.decks,
        seen=_sorted_counts(state.ledger.seen),
        unseen=state.ledger.unseen,
        cycle=state.cycle,
        suspension=state.suspension,
        chips=tuple(Chips(seat, spot, cents) for (seat, spot), cents in sorted(state.chips.items())),
        faults=tuple(FaultySpot(seat, spot) for seat, spot in sorted(state.faulty_spots)),
        unread=tuple(sorted(state.unread_devices)),
        shoe_wanted=state.shoe_wanted,
        cut_out=state.cut_out,
        burn=state.burn,
        alerts=tuple(state.alerts),
        strays=tuple(state.unplaced),
        bank=state.bank,
        meters={spot: meter.books for spot, meter in state.meters.items()},
        standing=state.standing,
        shoe_since=state.ledger.first_round,
        fates=_sorted_counts(state.ledger.fates),
        shoe_before=state.ledger.count_at_load,
        last_shoe=state.ledger.last_shoe,
        corrected=tuple(ended for ended in state.ended_rounds if ended.round.corrections),
        fed={spot: _feed(meter) for spot, meter in state.meters.items()},
        register=state.register,
        alarms=replace(state.shift.alarms),
        ends=tuple(state.shift.round_ends),
        croupier=state.shift.croupier,
        requests=replace(state.shift.requests),
        presses=tuple(state.shift.presses),
        acts=tuple(state.shift.acts),
        commands=tuple(state.shift.commands),
        nonce=state.shift.nonce,
        linked=state.linked,
    )


def take_opening_snapshot(state: TableState) -> Snapshot:
    """The snapshot of this state with its ended rounds, for the beginning of a journal file."""
    return replace(take_snapshot(state), ended=tuple(state.ended_rounds))


def restore_snapshot(snapshot: Snapshot) -> TableState:
    """The state that `take_snapshot` was called with, without the ended rounds."""
    state = TableState(snapshot.rules)
    state.set_coming_rules(snapshot.coming)
    state.number = snapshot.number
    state.table, state.version, state.epoch = snapshot.table, snapshot.version, snapshot.epoch
    state.devices = snapshot.devices
    state.ledger = _ledger(snapshot)
    state.cycle, state.suspension = snapshot.cycle, snapshot.suspension
    state.chips = {(chips.seat, chips.spot): chips.cents for chips in snapshot.chips}
    state.faulty_spots = {(spot.seat, spot.spot) for spot in snapshot.faults}
    state.unread_devices = set(snapshot.unread)
    state.shoe_wanted, state.cut_out = snapshot.shoe_wanted, snapshot.cut_out
    state.burn = snapshot.burn
    state.alerts.extend(snapshot.alerts)
    state.unplaced.extend(snapshot.strays)
    state.bank = snapshot.bank
    state.standing = snapshot.standing
    state.meters |= {spot: _meter(snapshot, spot, books) for spot, books in snapshot.meters.items()}
    state.register = snapshot.register
    state.linked |= snapshot.linked
    state.shift.alarms, state.shift.croupier = snapshot.alarms, snapshot.croupier
    state.shift.round_ends.extend(snapshot.ends)
    state.shift.requests = snapshot.requests
    state.shift.presses.extend(snapshot.presses)
    state.shift.acts.extend(snapshot.acts)
    state.shift.commands.extend(snapshot.commands)
    state.shift.nonce = snapshot.nonce
    state.lay_out_round()
    return state


def _as_it_is(snapshot: Snapshot) -> Snapshot:
    return snapshot


def snapshot_row(at: float, state: TableState, cover: Cover = _as_it_is) -> RowContent:
    """The row from which a later start can restore the state."""
    return RowContent(at, SNAPSHOT, to_json(cover(take_snapshot(state))))


def opening_row(at: float, state: TableState, cover: Cover = _as_it_is) -> RowContent:
    """The first row of a journal file. With it a start needs no earlier file."""
    return RowContent(at, SNAPSHOT, to_json(cover(take_opening_snapshot(state))))


def read_snapshot(row: RowContent) -> Snapshot:
    """Raises as `from_json` does."""
    return cast("Snapshot", from_json(Snapshot, json.loads(row.body)))


def _feed(meter: Meter) -> JackpotFeed:
    coming = Progressive.from_parameters(meter.pending) if meter.pending else None
    return JackpotFeed(Progressive.from_parameters(meter.parameters), coming)


def _meter(snapshot: Snapshot, spot: str, books: Books) -> Meter:
    fed = snapshot.fed.get(spot)
    if fed is None:
        return Meter(snapshot.rules.parameters_of(spot), books)
    return Meter(fed.now.parameters(), books, fed.coming.parameters() if fed.coming else None)


def _sorted_counts(counts: Mapping[str, int]) -> dict[str, int]:
    """The counts above zero, sorted by name, so that their order does not reveal the order of the cards."""
    return {what: count for what, count in sorted(counts.items()) if count}


def _ledger(snapshot: Snapshot) -> CardLedger:
    """The ledger of the snapshot. Older versions did not record what happened to the cards, so all that left
    the shoe count as dealt."""
    seen, fates = (
        Counter(snapshot.seen),
        snapshot.fates or {"dealt": sum(snapshot.seen.values()) + snapshot.unseen},
    )
    return CardLedger(
        snapshot.decks,
        seen,
        snapshot.unseen,
        Counter(fates),
        snapshot.shoe_since,
        snapshot.shoe_before,
        snapshot.last_shoe,
    )
