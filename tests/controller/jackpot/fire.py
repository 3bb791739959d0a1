"""A table under stress: its meter compared with the ledger through claims, corrections, new parameters and
crashes.

The inputs are kept as a journal keeps them. After a crash the table is rebuilt from its last snapshot and the
inputs since then, both read back from text.
"""

from collections import Counter
from random import Random
from typing import get_args

from controller.jackpot import Books, Step
from controller.journal.chain import RowContent
from controller.table.errors import NotAllowed
from controller.table.record.codec import read_input, to_row
from controller.table.record.events import ClaimStep, DeviceRunning, Input, MeterCorrection
from controller.table.record.rules import Progressive
from controller.table.state.snapshot import read_snapshot, restore_snapshot, snapshot_row
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply
from tests.controller.jackpot.ledger import CENT, Fed, Figures, Ledger
from tests.fixtures.device_inputs import Script
from tests.fixtures.state_table import StateTable

SPOT = "blazing-7s"
STAKE = 100
SECOND_OVER = 120_000
CREW = ("Ann", "Bob", "Cat", "Dan", "Eve")
STEPS: tuple[Step, ...] = get_args(Step)
LIKELY = (6, 6, 6, 6, 1)
FEDS = (
    Fed(1_000_000, 1_500, 500, 1_000_000),
    Fed(500_000, 1_250, 25, 600_000, limit=600_000),
    Fed(900_000, 3_333, 667, 20_000, limit=900_100),
    Fed(100_000, 9_000, 1_000, 100_000, threshold=250),
    Fed(100_000, 1, 0, 100_000, limit=2_000_000, threshold=15),
    Fed(700_000, 1_500, 500, 650_000),
)


class Differs(AssertionError):
    """The table and the ledger differ."""


class Fire:
    """The table, the ledger, and how often each thing happened."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.script = Script("blackjack-x", jackpots={SPOT: progressive(FEDS[0])})
        self.table = StateTable("blackjack-x")
        self.table.script = self.script
        self.table.begin()
        self.ledger = Ledger.new(FEDS[0], SECOND_OVER)
        self.count: Counter[str] = Counter()
        self.stepped: list[tuple[int, Step, str]] = []
        """Steps of claims since the round in play began."""
        self.keep()

    @property
    def state(self) -> TableState:
        return self.table.state

    def feed(self, wagers: int) -> None:
        """Wagers that win nothing, one after the other, each compared."""
        meter, ledger = self.state.meters[SPOT], self.ledger
        for _ in range(wagers):
            meter, _refused = meter.take((STAKE,))
            ledger.wager(STAKE)
            if figures(meter.books) != ledger.figures:
                raise Differs(f"{meter.books}, {ledger}")
        self.state.meters[SPOT] = meter
        self.count["wagers"] += wagers
        self.keep()

    def step(self) -> None:
        """A step of a claim by somebody, right or wrong."""
        chance, ledger = self.chance, self.ledger
        number = chance.choice([*self.open(), chance.randint(1, ledger.opened + 1)])
        (step,), who = chance.choices(STEPS, LIKELY), chance.choice(CREW)
        claim = ledger.claims.get(number)
        allowed = claim is not None and claim.allows(step, who)
        try:
            self.apply(ClaimStep(number, step, chance.choice((who, f" {who.upper()} ")), "seen"))
        except NotAllowed as refused:
            if allowed:
                raise Differs(f"{step} of {claim} by {who}: {refused}") from refused
            self.count["steps refused"] += 1
            return
        if not allowed:
            raise Differs(f"{step} of {claim} by {who} is taken")
        ledger.step(number, step, who)
        self.stepped.append((number, step, who))
        self.count[f"claims: {step}"] += 1
        self.check()

    def finish(self) -> None:
        """Takes every claim to its end."""
        while self.open():
            self.step()

    def open(self) -> list[int]:
        """The claims that are neither paid nor void."""
        return [claim.number for claim in self.state.register.open]

    def correct(self) -> None:
        """Two persons correct the meter."""
        fed, shown = self.ledger.fed, self.ledger.display // CENT
        cents = self.chance.randint(fed.reset, fed.limit or max(shown, fed.reset) + 10_000)
        self.apply(MeterCorrection(SPOT, cents, "Ann", "Bob", "counted"))
        self.ledger.correct(cents)
        self.count["corrections"] += 1
        self.check()

    def change(self) -> None:
        """The daemon restarts with other parameters."""
        fed = self.chance.choice(FEDS)
        self.script.jackpots = {SPOT: progressive(fed)}
        self.apply(self.script.started())
        for device in self.script.devices:
            self.apply(self.script.up(device))
            self.apply(DeviceRunning(device))
        self.ledger.change(fed)
        self.count["changes"] += 1
        self.check()

    def crash(self) -> None:
        """Rebuilds the table from what a journal has; half of the times without the last input, which is then
        applied again."""
        meters, register = dict(self.state.meters), self.state.register
        rows = self._rows[: len(self._rows) - self.chance.randint(0, 1)]
        state = restore_snapshot(read_snapshot(self._snapshot))
        for kept in (*rows, *self._rows[len(rows) :]):
            apply(state, read_input(kept))
        if (state.meters, state.register) != (meters, register):
            raise Differs(f"after a crash: {state.meters}, {meters}")
        self.table.state = state
        self.count["crashes"] += 1
        self.check()

    def keep(self) -> None:
        """Takes a snapshot, as after each round."""
        self._snapshot = snapshot_row(0.0, self.state)
        self._rows: list[RowContent] = []

    def apply(self, event: Input) -> None:
        """Applies one input, and keeps it once the table has taken it."""
        apply(self.state, event)
        self._rows.append(to_row(0.0, event))

    def play(self, tokens: str) -> None:
        for token in tokens.split():
            self.apply(self.table.event(token))

    def check(self) -> None:
        """Compares everything to the last unit, claim by claim."""
        books, ledger = self.state.meters[SPOT].books, self.ledger
        if figures(books) != ledger.figures or not ledger.balanced():
            raise Differs(f"{books}, {ledger}")
        for claim in self.state.register.claims:
            won = ledger.claims[claim.number]
            if (claim.state, claim.cents) != (won.state, won.cents):
                raise Differs(f"{claim}, {won}")


def progressive(fed: Fed) -> Progressive:
    """The parameters as the table's rules have them."""
    share, kept = (f"{units // 100}.{units % 100:02}%" for units in (fed.share, fed.kept))
    return Progressive(fed.seed, share, kept, fed.reset, fed.limit, fed.threshold, SECOND_OVER)


def figures(books: Books) -> Figures:
    """Counts of the run, with those of the ledger."""
    return (
        books.display,
        books.locked,
        books.reserve,
        books.overflow,
        books.paid,
        books.contributions,
        books.seeds,
        books.wagers,
        books.wagered,
        books.hits,
    )
