"""Claims of one round whose steps come in any order, twice, and from the wrong persons.

Whatever the order, the claims follow their hits counter-clockwise; each ends paid or void, and the meter
accounts for both.
"""

from collections import Counter
from random import Random

from controller.jackpot import UNITS
from controller.table.errors import NotAllowed
from controller.table.record.events import ClaimStep
from controller.table.state.snapshot import read_snapshot, restore_snapshot, snapshot_row
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply
from tests.controller.jackpot.fire import CREW, LIKELY, SECOND_OVER, SPOT, STEPS, Differs, progressive
from tests.controller.jackpot.ledger import CENT, Fed, Ledger
from tests.fixtures.device_inputs import Script
from tests.fixtures.state_table import StateTable

FED = Fed(500_000, 1_500, 500, 400_000, limit=600_000)


def interleave(many: int, seed: int) -> Counter[str]:
    """This many tables with three open claims; returns how the claims ended. Raises Differs."""
    chance, count = Random(seed), Counter[str]()
    for suit in "ds":
        table = won(suit)
        kept = snapshot_row(0.0, table.state)
        for _ in range(many // 2):
            count += _one(restore_snapshot(read_snapshot(kept)), suit, chance)
    return count


def won(suit: str) -> StateTable:
    """A table at which three seats won in one round: of diamonds, the whole jackpot each."""
    table = StateTable("blackjack-x")
    table.script = Script("blackjack-x", jackpots={SPOT: progressive(FED)})
    table.begin()
    table.play(" ".join(f"{seat}:main=500 {seat}:{SPOT}=100" for seat in (1, 3, 4, 7)))
    seven = f"7{suit}"
    table.play(f"close {seven} {seven} 9c {seven} {seven} {seven} {seven} 8h {seven} Ts")
    table.play("1:stand 3:stand 4:stand 7:stand pay")
    return table


def _one(state: TableState, suit: str, chance: Random) -> Counter[str]:
    ledger = _expected(suit)
    order = [(claim.number, claim.seat, claim.cents) for claim in state.register.claims]
    if order != [(number, seat, ledger.claims[number].cents) for number, seat in enumerate((7, 3, 1), 1)]:
        raise Differs(f"order of claims: {order}, {ledger.claims}")
    count = Counter[str]({"orders": 1})
    while state.register.open:
        count += _step(state, ledger, chance)
    _ended(state, ledger, order)
    return count + Counter(claim.state for claim in state.register.claims)


def _expected(suit: str) -> Ledger:
    ledger = Ledger.new(FED, SECOND_OVER)
    for _ in range(4):
        ledger.wager(100)
    ledger.close()
    for _ in range(3):
        ledger.hit(1, 100 if suit == "d" else 10)
    ledger.dealt(all_won=suit == "d")
    return ledger


def _step(state: TableState, ledger: Ledger, chance: Random) -> Counter[str]:
    """A person's step, perhaps repeated."""
    count = Counter[str]()
    (step,) = chance.choices(STEPS, LIKELY)
    said = ClaimStep(chance.randint(0, 4), step, chance.choice(CREW), "seen")
    for _ in range(chance.choice((1, 1, 2))):
        won = ledger.claims.get(said.claim)
        allowed = won is not None and won.allows(said.step, said.who)
        try:
            apply(state, said)
        except NotAllowed:
            if allowed:
                raise Differs(f"{said} is refused: {won}") from None
            count["refused"] += 1
            continue
        if not allowed:
            raise Differs(f"{said} is taken: {won}")
        ledger.step(said.claim, said.step, said.who)
        count["taken"] += 1
        books = state.meters[SPOT].books
        if (books.display, books.locked, books.paid) != (ledger.display, ledger.locked, ledger.paid):
            raise Differs(f"{books}, {ledger}")
    return count


def _ended(state: TableState, ledger: Ledger, order: list[tuple[int, int, int]]) -> None:
    books, claims = state.meters[SPOT].books, state.register.claims
    paid = sum(claim.cents for claim in claims if claim.state == "paid")
    if books.locked or books.paid != paid * UNITS or not ledger.balanced():
        raise Differs(f"paid {paid * CENT}: {books}")
    if [(claim.number, claim.seat, claim.cents) for claim in claims] != order:
        raise Differs(f"order of claims: {claims}, {order}")
    if {claim.state for claim in claims} - {"paid", "void"}:
        raise Differs(f"claims that have no end: {claims}")
