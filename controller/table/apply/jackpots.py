"""The meters of the jackpots during a round.

Wagers feed them when betting closes, won shares are locked after the first deal, and a void round takes back
what it moved. A note records each step with the amounts before and after, in cents, and the books.
"""

from collections.abc import Iterable
from dataclasses import replace

from controller.games.layout import Settlement
from controller.jackpot import BINDING, UNITS, Claim, JackpotReset, Meter, Unbalanced, void_claim
from controller.money import text
from controller.round import Jackpot
from controller.table.apply import linked_levels
from controller.table.errors import NeedsSecondPerson, NotAllowed
from controller.table.record.causes import cause
from controller.table.record.notes import ClaimMoved, MeterMoved, MeterMoveKind
from controller.table.state.table_state import TableState
from controller.text.characters import same_name

ALL = "100%"
"""Pays all of a jackpot, which then begins anew."""
TAXED = 300
"""A share that pays at least 300 for 1, and is over an amount, needs a tax form."""


def feed_meters(state: TableState) -> None:
    """Betting has closed: every wager contributes, then the round learns what the jackpot shows."""
    state.meters_before = dict(state.meters)
    for spot in state.round.unknown_jackpots:
        if spot in state.rules.linked:
            linked_levels.count_wagers(state, spot, _stakes(state, spot))
            continue
        _feed(state, spot)
        meter = state.meters[spot]
        state.apply_to_round(Jackpot(spot, meter.cents, meter.next.again))


def lock_shares(state: TableState) -> None:
    """After each card: once the first deal is complete, lock and claim each share that it wins, in the
    order of the winners."""
    if state.rules.claims and state.round.dealt and state.locked_shares is None:
        _lock_all(state)


def settle_shares(state: TableState) -> None:
    """After settlement: the settled shares must be the locked ones. Raises Unbalanced."""
    if not state.rules.claims:
        _pay_at_once(state)
        return
    lines = _shares(state.round.settlements)
    every = [claim for claim in state.register.claims if claim.round == state.number]
    if any(_line_of(claim) not in lines for claim in every if claim.state != "void"):
        raise Unbalanced(f"round {state.number} locked other shares than it settles: {every}, {lines}")
    if any(line not in map(_line_of, every) for line in lines):
        raise Unbalanced(f"round {state.number} settles shares that are not locked: {lines}, {every}")


def check_movable(state: TableState, who: str, second: str) -> None:
    """Before the round in play is voided or corrected. Raises NotAllowed if a claim holds it, or if a meter
    would go back and there is no second person."""
    if why := claim_hold(state):
        raise NotAllowed(why)
    spots = moved_spots(state)
    if spots and state.rules.claims and (not second.strip() or same_name(who, second)):
        raise NeedsSecondPerson(
            f"round {state.number} moved the jackpot of {', '.join(spots)}: second = {second!r}; "
            f"allowed: another person than {who}"
        )


def claim_hold(state: TableState) -> str:
    """Why the round in play cannot be voided or corrected; empty if no claim holds it."""
    for claim in state.register.of_round(state.number):
        if claim.state in BINDING:
            return f"claim {claim.number} of this round is {claim.state}: {UNDO[claim.state]}"
    return ""


def needs_two(state: TableState) -> bool:
    """Whether voiding the round or correcting its shares needs a second person. Raises NotAllowed if a claim
    holds it."""
    try:
        check_movable(state, "", "")
    except NeedsSecondPerson:
        return True
    return False


def moved_spots(state: TableState) -> tuple[str, ...]:
    """The spots whose jackpot the round in play has moved, linked ones too."""
    return (*moved_meters(state), *linked_levels.moved_spots(state))


def moved_meters(state: TableState) -> tuple[str, ...]:
    """The spots whose own jackpot the round in play has moved."""
    return tuple(spot for spot, meter in state.meters_before.items() if meter != state.meters[spot])


def take_back_moves(state: TableState, why: str, who: str = "", second: str = "") -> None:
    """The round is void: its claims become void, and its contributions and shares are taken back."""
    for claim in state.register.of_round(state.number):
        note_claim(state, void_claim(claim, who, why))
    _take_back_meters(state, why, who, second)
    linked_levels.take_back_wagers(state)


def recompute_shares(state: TableState, why: str, who: str, second: str) -> None:
    """Cards of the round in play were corrected: if its shares change, take its steps back and make them
    again. A share of a linked jackpot that stays keeps its claim. Raises NotAllowed before anything has
    changed: as `check_movable` does, and if a linked share would have to be claimed for the second time."""
    shares = _shares(state.round.shares)
    if shares == state.locked_shares:
        return
    check_movable(state, who, second)
    _check_claimable(state, shares)
    for claim in state.register.of_round(state.number):
        if not claim.level or _line_of(claim) not in shares:
            note_claim(state, void_claim(claim, who, why))
    _take_back_meters(state, why, who, second)
    for spot in state.meters_before.keys() - state.rules.linked.keys():
        _feed(state, spot)
    _lock_all(state)


def audit(state: TableState) -> None:
    """Raises Unbalanced if the locked amounts are not those of the open claims."""
    for spot, meter in state.meters.items():
        asked = state.register.locked(spot) * UNITS
        if meter.books.locked != asked:
            raise Unbalanced(f"{spot}: {meter.books.locked} units are locked, open claims are for {asked}")


def share_cents(line: Settlement) -> int:
    """The share of a jackpot that a line pays, in cents; the stake is part of it. 0: it pays none."""
    shared = line.pays is not None and line.pays.endswith("%") and line.paid is not None
    return (line.paid or 0) + (line.amount or 0) if shared else 0


def claim_alert(number: int, seat: int, hit: str, cents: int | None) -> str:
    """The alert that a claim raises. `cents` None: the linked progressive has not decided them yet."""
    locked = "the amount is PENDING" if cents is None else f"{text(cents)} locked"
    return f"Jackpot: seat {seat}, {hit}: {locked}, claim {number}"


def move_meter(
    state: TableState, spot: str, kind: MeterMoveKind, meter: Meter, why: str, who: str = "", second: str = ""
) -> None:
    """Change a jackpot's meter, and note it."""
    before, state.meters[spot] = state.meters[spot], meter
    state.notes.append(MeterMoved(spot, kind, before.cents, meter.cents, why, who, second, meter.books))


def note_claim(state: TableState, claim: Claim) -> None:
    """Store a claim, and note it."""
    state.register = state.register.put(claim)
    state.notes.append(ClaimMoved(claim))


UNDO = {"verified": "make the claim void first", "paid": "the round stays as it is"}


def _feed(state: TableState, spot: str) -> None:
    stakes = _stakes(state, spot)
    meter, refused = state.meters[spot].take(stakes)
    for stake in refused:
        contribution = meter.worth(stake) // UNITS
        state.alert(
            cause("contribution", spot),
            f"{spot}: a contribution of {text(contribution)} goes over the threshold of a round: "
            "it is not counted",
        )
    if count := len(stakes) - len(refused):
        move_meter(
            state, spot, "contribution", meter, f"{count} wager{'s' * (count > 1)} of round {state.number}"
        )


def _stakes(state: TableState, spot: str) -> list[int]:
    """A wager that no sensor could value is the fixed stake."""
    fixed = state.game.fixed_stake(spot)
    stakes = (seat.wagers[spot] or fixed for seat in state.round.seats.values() if spot in seat.wagers)
    return [stake for stake in stakes if stake]


def _lock_all(state: TableState) -> None:
    lines, first = state.round.shares, state.register.opened
    state.locked_shares = _shares(lines)
    for line in lines:
        if line.wager in state.rules.linked:
            _claim_linked(state, line)
        else:
            _share(state, line)
    for spot in dict.fromkeys(
        line.wager for line in lines if line.pays == ALL and line.wager not in state.rules.linked
    ):
        meter = state.meters[spot].level()
        if meter != state.meters[spot]:
            move_meter(state, spot, "seed", meter, "The overflow comes in, up to the limit")
    for claim in state.register.claims:
        if claim.number > first:
            base = claim.shown if claim.level else state.meters[claim.spot].cents
            note_claim(state, replace(claim, base=base))
            state.alert(
                cause("claim", claim.number), claim_alert(claim.number, claim.seat, claim.hit, claim.amount)
            )


def _share(state: TableState, line: Settlement) -> None:
    spot, cents, why = line.wager, share_cents(line), f"Seat {line.seat}: {line.reason}"
    before, reset = state.meters[spot], JackpotReset()
    if cents:
        move_meter(state, spot, "lock", before.lock(cents), why)
    if line.pays == ALL:
        meter, reset = state.meters[spot].reseed()
        move_meter(state, spot, "seed", meter, why)
    if cents:
        state.register = state.register.add(_claim(state, line, before.cents, reset))


def _claim(state: TableState, line: Settlement, shown: int, reset: JackpotReset) -> Claim:
    fed, cents = state.rules.progressive(line.wager), share_cents(line)
    return Claim(
        number=state.register.opened + 1,
        spot=line.wager,
        round=state.number,
        seat=line.seat,
        cards=(*state.round.seats[line.seat].first_two, *state.round.dealer.cards[:1]),
        hit=line.reason,
        share=line.pays or "",
        cents=cents,
        shown=shown,
        base=0,
        reset=reset,
        by_two=cents > fed.second_over,
        tax=cents > fed.tax_over and cents >= TAXED * (line.amount or 0),
    )


def _pay_at_once(state: TableState) -> None:
    """What versions without claims did: each share leaves its jackpot, in the order of the lines."""
    for line in state.round.settlements:
        if line.wager in state.meters and (share := share_cents(line)):
            why = f"Seat {line.seat}: {line.reason}"
            move_meter(state, line.wager, "win", state.meters[line.wager].lock(share).pay(share), why)
            if line.pays == ALL:
                move_meter(state, line.wager, "seed", state.meters[line.wager].reseed()[0], why)


def _claim_linked(state: TableState, line: Settlement) -> None:
    """Claim a share of a linked jackpot, unless it is claimed already. The progressive decides its cents."""
    if any(_line_of(claim) == _line(line) for claim in state.register.of_round(state.number)):
        return
    level = state.rules.linked[line.wager]
    account = state.linked[level]
    claim = _claim(state, line, account.cents, JackpotReset())
    linked = replace(claim, cents=0, by_two=False, tax=False, level=level, seen=(account.n, account.version))
    state.register = state.register.add(linked)


def _check_claimable(state: TableState, shares: Iterable[tuple[int, str, int]]) -> None:
    """Raises NotAllowed if a seat has claimed a share of a linked jackpot in this round, and would win one
    that the claim is not for: the progressive takes one claim of a seat and a round."""
    claimed = {
        (claim.seat, claim.spot): claim
        for claim in state.register.claims
        if claim.round == state.number and claim.level
    }
    for seat, spot, worth in shares:
        claim = claimed.get((seat, spot))
        if claim and (claim.state == "void" or worth != _worth(claim.share)):
            raise NotAllowed(
                f"seat {seat} would win {worth}% of the linked jackpot {claim.level}; its claim "
                f"{claim.number} for {claim.share} is {claim.state}, and there is one claim of a seat and a "
                "round: void the round"
            )


def _take_back_meters(state: TableState, why: str, who: str, second: str) -> None:
    for spot, meter in state.meters_before.items():
        if state.meters[spot] != meter:
            move_meter(state, spot, "correction", meter, why, who, second)


def _shares(lines: Iterable[Settlement]) -> tuple[tuple[int, str, int], ...]:
    return tuple(filter(_is_share, map(_line, lines)))


def _is_share(line: tuple[int, str, int]) -> bool:
    return line[2] > 0


def _line(line: Settlement) -> tuple[int, str, int]:
    """Seat, spot and cents of a share, 0 cents if it is none. A share of a linked jackpot, whose cents are
    not known to the round, has its percentage in their place."""
    if line.pays is not None and line.pays.endswith("%") and line.paid is None:
        return line.seat, line.wager, _worth(line.pays)
    return line.seat, line.wager, share_cents(line)


def _line_of(claim: Claim) -> tuple[int, str, int]:
    return claim.seat, claim.spot, _worth(claim.share) if claim.level else claim.cents


def _worth(share: str) -> int:
    """The percentage of a share, "10%"."""
    return int(share.removesuffix("%"))
