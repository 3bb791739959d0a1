"""What is wrong with a configuration's jackpots beyond a single key, each as a sentence."""

from collections.abc import Iterator, Mapping
from typing import Any

from controller.money import percent
from controller.table.rules import Progressive

Section = Mapping[str, Any]

AMOUNTS = ("seed", "reset")
"""What a limit may not be under."""


def faults(jackpots: Section) -> Iterator[str]:
    """Of the sections of all jackpots, as they were written."""
    for spot, section in jackpots.items():
        fed = section if isinstance(section, dict) else {}
        yield from _share_faults(spot, fed)
        yield from _limit_faults(spot, fed)


def _share_faults(spot: str, fed: Section) -> Iterator[str]:
    """More of a stake for a jackpot than there is."""
    plain = Progressive()
    contribution = fed.get("contribution", plain.contribution)
    reserve = fed.get("reserve", plain.reserve)
    try:
        together = percent(contribution) + percent(reserve)
    except (TypeError, ValueError):
        return  # told of the one that is none
    if together > 1:
        yield (
            f'jackpot.{spot}.contribution = "{contribution}": not allowed with '
            f'reserve = "{reserve}"; allowed: together at most 100%'
        )


def _limit_faults(spot: str, fed: Section) -> Iterator[str]:
    """A limit that the jackpot begins above."""
    limit = fed.get("limit")
    for name in AMOUNTS:
        cents = fed.get(name, Progressive().seed if name == "seed" else None)
        if isinstance(limit, int) and isinstance(cents, int) and limit < cents:
            yield (
                f"jackpot.{spot}.limit = {limit}: not allowed with {name} = {cents}; "
                f"allowed: {cents} or more, or no limit"
            )
