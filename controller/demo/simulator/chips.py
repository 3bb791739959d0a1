"""The chips of the simulated table. A stake is an amount in cents: 0 for chips that no sensor can value, None
for a spot without chips."""

from collections.abc import Sequence
from typing import Final

from controller.currency import Chip
from controller.currency.formatting import amount_text
from controller.demo.simulator.errors import BadAct, Impossible

Stake = int | None
UNKNOWN: Final = 0


def with_chip(stake: Stake, value: int, rack: Sequence[Chip]) -> int:
    """The stake with one more chip. Raises BadAct if no chip of the rack has this value."""
    _check_value(value, rack)
    return UNKNOWN if stake == UNKNOWN else (stake or 0) + value


def without_chip(stake: Stake, value: int, rack: Sequence[Chip]) -> Stake:
    """The stake without one chip, which may be change of a larger one. Raises BadAct or Impossible."""
    _check_value(value, rack)
    if stake is None:
        raise Impossible("no chips lie there")
    if stake == UNKNOWN:
        raise Impossible("the value of these chips is unknown: take all of them")
    if value > stake:
        raise Impossible(f"{amount_text(stake)} lies there; allowed: a chip of at most that value")
    return stake - value or None


def _check_value(value: int, rack: Sequence[Chip]) -> None:
    if value not in {chip.value for chip in rack}:
        allowed = ", ".join(amount_text(chip.value) for chip in rack)
        raise BadAct(f"chip {amount_text(value)}: not in the rack; allowed: {allowed}")
