"""A table at which a jackpot was hit, and the slip of its claim."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.jackpot import Step
from controller.past.slips.slip import Slip, slip
from controller.table.record.events import ClaimStep
from controller.table.record.rules import Progressive
from tests.fixtures.played_journal import House, house, journal

HIT = "1:main=1000 1:blazing-7s=100 close 7d 7d 7d Ts"
SPOT = "blazing-7s"
STEPS: tuple[tuple[Step, str], ...] = (
    ("confirm", "Maria"), ("verify", "A. Smith"), ("second", "B. Jones"), ("pay", "C. Young"),
)  # fmt: skip


@contextmanager
def hit(folder: Path, seed: int = 1_000_000) -> Iterator[House]:
    """The jackpot is hit in round 1, which goes on."""
    with house(folder, "blackjack-x", {SPOT: Progressive(seed, "15%", "5%")}) as at:
        at.play(HIT)
        yield at


def end(at: House) -> None:
    at.play("1:stand pay")
    at.clear()


def say(at: House, *steps: tuple[Step, str], claim: int = 1) -> None:
    for step, who in steps:
        at.tell(ClaimStep(claim, step, who, f"{step}: seen"))


def found(folder: Path, number: int = 1) -> Slip:
    return slip(journal(folder), number)
