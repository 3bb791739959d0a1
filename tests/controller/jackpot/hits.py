"""Rounds with jackpot shares, dealt card by card, some of them voided."""

from collections.abc import Mapping

from controller.table.errors import NotAllowed
from controller.table.record.events import Supervisor
from tests.controller.jackpot.fire import SPOT, STAKE, Differs, Fire
from tests.controller.jackpot.ledger import Ledger

VOID = Supervisor("void", "Ann", "cards fell down", None, "Bob")
MOMENTS = ("", "", "", "", "deal", "hit")
"""When a round is voided."""
LONG = 60
"""Moments of a round at which people take their time."""

Pairs = Mapping[int, str]
"""The suits of two 7s, by seat."""


def play(fire: Fire, seats: list[int], pairs: Pairs, up: str) -> None:
    """A round of these seats, unless a claim freezes them; the up-card is a 7 of a suit."""
    frozen = {claim.seat for claim in fire.state.register.open}
    seats = sorted(set(seats) - frozen)
    if not seats:
        return
    before, called_off = _bet(fire, seats), fire.chance.choice(MOMENTS)
    *cards, hole = _dealt(seats, pairs, up)
    for card in cards[: 1 if called_off == "deal" else None]:
        _meanwhile(fire)
        fire.play(card)
    if called_off != "deal":
        _hit(fire, seats, pairs, up)
        fire.play(hole)
        for _ in range(fire.chance.choice((1, 1, 1, LONG))):
            _meanwhile(fire)
    if not (called_off and _void(fire, before)):
        fire.play(f"{' '.join(f'{seat}:stand' for seat in seats)} pay")
    fire.play(" ".join(f"{seat}:main= {seat}:{SPOT}=" for seat in seats))
    fire.check()


def percent(suits: str, up: str) -> int:
    """The share of the jackpot for two 7s and a third one: all of it for diamonds, a tenth for another
    suit."""
    return (100 if up == "d" else 10) if {*suits} == {up} else 0


def _bet(fire: Fire, seats: list[int]) -> Ledger:
    """Wagers until betting is closed; returns the ledger as it was before."""
    fire.apply(fire.script.loaded(8))
    fire.keep()
    fire.stepped = []
    before, ledger = fire.ledger.copy(), fire.ledger
    fire.play(" ".join(f"{seat}:main=500 {seat}:{SPOT}={STAKE}" for seat in seats))
    fire.play("close")
    units = 0
    for _ in seats:
        units += ledger.wager(STAKE, units)
    ledger.close()
    fire.count["wagers"] += len(seats)
    fire.count["rounds at the table"] += 1
    fire.check()
    return before


def _dealt(seats: list[int], pairs: Pairs, up: str) -> list[str]:
    """One card for each seat, the up-card, one more for each seat, and the hole card."""
    none = "  "
    first = [f"7{pairs[seat][0]}" if pairs.get(seat, none) != none else "9c" for seat in seats]
    second = [f"7{pairs[seat][1]}" if pairs.get(seat, none) != none else "8h" for seat in seats]
    return [*first, f"7{up}", *second, "Ts"]


def _hit(fire: Fire, seats: list[int], pairs: Pairs, up: str) -> None:
    """The shares, counter-clockwise."""
    ledger = fire.ledger
    shares = [percent(pairs[seat], up) for seat in reversed(seats) if seat in pairs]
    for share in filter(None, shares):
        ledger.hit(fire.state.number, share)
        fire.count[f"hits of {share} %"] += 1
    ledger.dealt(all_won=100 in shares)
    fire.check()


def _void(fire: Fire, before: Ledger) -> bool:
    """Whether the round is void: it stays when somebody verified one of its claims."""
    ledger, number = fire.ledger, fire.state.number
    ours = [won for won in ledger.claims.values() if won.round == number]
    held = any(won.state in ("verified", "paid") for won in ours)
    try:
        fire.apply(VOID)
    except NotAllowed as refused:
        if not held:
            raise Differs(f"void of round {number}: {refused}") from refused
        fire.count["voids refused"] += 1
        return False
    if held:
        raise Differs(f"round {number} is void, and has {ours}")
    _undone(fire, before, number)
    fire.count["voids"] += 1
    fire.check()
    return True


def _undone(fire: Fire, before: Ledger, number: int) -> None:
    """The ledger from before the round, with the steps on older claims since then."""
    ended = fire.ledger
    for claim, step, who in fire.stepped:
        if claim in before.claims:
            before.step(claim, step, who)
    for claim, won in ended.claims.items():
        if won.round == number:
            won.state = "void"
            before.claims[claim] = won
    before.opened = ended.opened
    fire.ledger = before


def _meanwhile(fire: Fire) -> None:
    """Persons and plugs act in the middle of a round, too."""
    if fire.chance.random() < 0.2:
        fire.step()
    if fire.chance.random() < 0.03:
        fire.crash()
