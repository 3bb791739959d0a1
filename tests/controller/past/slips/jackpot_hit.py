"""A table at which a jackpot was hit, and the slip of its claim."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.jackpot import Step
from controller.past.slips.slip import JackpotSlip, read_slip
from controller.table.record.events import ClaimStep
from controller.table.record.rules import Progressive
from tests.fixtures.played_journal import PlayedTable, journal, played_table

HIT = "1:main=1000 1:blazing-7s=100 close 7d 7d 7d Ts"
SPOT = "blazing-7s"
STEPS: tuple[tuple[Step, str], ...] = (
    ("confirm", "Maria"),
    ("verify", "A. Smith"),
    ("second", "B. Jones"),
    ("pay", "C. Young"),
)


@contextmanager
def jackpot_hit(folder: Path, seed: int = 1_000_000) -> Iterator[PlayedTable]:
    """The jackpot is hit in round 1, which goes on."""
    with played_table(folder, "blackjack-x", {SPOT: Progressive(seed, "15%", "5%")}) as at:
        at.play(HIT)
        yield at


def end(at: PlayedTable) -> None:
    at.play("1:stand pay")
    at.clear()


def take_steps(at: PlayedTable, *steps: tuple[Step, str], claim: int = 1) -> None:
    for step, who in steps:
        at.apply(ClaimStep(claim, step, who, f"{step}: seen"))


def slip_of(folder: Path, number: int = 1) -> JackpotSlip:
    return read_slip(journal(folder), number)
