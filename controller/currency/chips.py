"""The fewest chips of an amount, for any set of chips.

Taking the largest chip that fits is not always best: with chips of 1, 2.50 and 5, an amount of 3 is three
chips of 1. The search rests on two facts.

- A *pivot* is a chip of which all larger ones are multiples. Chips that are smaller than a pivot `q` make a
  sum that leaves the same rest as the amount when it is divided by `q`.
- Fewest chips never have `q/g` chips below `q`, where `g` is the greatest common divisor of `q` and those
  chips: among so many, some have a sum that is a multiple of `q`, and fewer chips from `q` on make that sum.

So between two pivots only few sums have to be tried, and a small table says how many chips each of them
takes. The largest chip is always a pivot. If each chip is a multiple of the next smaller one, all are pivots.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import Final

MOST_SUMS: Final = 100_000
"""A set of chips is usable if no amount needs more."""


@dataclass(frozen=True, slots=True)
class Chip:
    """`value` in minor units."""

    value: int
    colour: str


@dataclass(frozen=True, slots=True)
class ChipCount:
    chip: Chip
    count: int


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The fewest chips of an amount, the largest first; `rest`: minor units that no chips pay."""

    counts: tuple[ChipCount, ...]
    rest: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """Chips that become fewer chips of the same worth."""

    give: tuple[ChipCount, ...]
    take: tuple[ChipCount, ...]


def breakdown(chips: Sequence[Chip], amount: int) -> Breakdown:
    """The fewest chips that pay as much of an amount as any chips can. The values must be distinct."""
    by_value = {chip.value: chip for chip in chips}
    values = tuple(sorted(by_value))
    rest, fewest = _most(values, amount)
    counts = sorted(fewest, reverse=True)
    return Breakdown(tuple(ChipCount(by_value[value], count) for value, count in counts), rest)


def colour_up(chips: Sequence[Chip], held: Mapping[int, int]) -> Exchange | None:
    """What becomes fewer chips, of `held` chips by value; None if there are none fewer. Chips that both sides
    would have stay where they are."""
    by_value = {chip.value: chip for chip in chips}
    worth = sum(value * count for value, count in held.items())
    best = {one.chip.value: one.count for one in breakdown(chips, worth).counts}
    if sum(best.values()) >= sum(held.values()):
        return None
    return Exchange(_more(by_value, held, best), _more(by_value, best, held))


def sums_to_search(values: Sequence[int]) -> int:
    """How many sums are looked at for one amount, at most."""
    return sum(
        group[-1] // gcd(*group, pivot) + (_bound(group, pivot) // gcd(*group) if len(group) > 1 else 0)
        for group, pivot in _groups(tuple(sorted(values)))
    )


def _more(
    by_value: Mapping[int, Chip], these: Mapping[int, int], others: Mapping[int, int]
) -> tuple[ChipCount, ...]:
    """What these have more than the others, the largest chip first."""
    more = {value: count - others.get(value, 0) for value, count in these.items()}
    return tuple(
        ChipCount(by_value[value], more[value]) for value in sorted(more, reverse=True) if more[value] > 0
    )


Counts = tuple[tuple[int, int], ...]
"""Values and how many of each."""


def _most(values: tuple[int, ...], amount: int) -> tuple[int, Counts]:
    """The least rest, and the fewest chips that pay all but it."""
    if not values:
        return amount, ()
    step = gcd(*values)
    payable = ((rest, _fewest(values, amount - rest)) for rest in range(amount % step, amount + 1, step))
    return next((rest, counts) for rest, counts in payable if counts is not None)


@lru_cache(maxsize=4096)
def _fewest(values: tuple[int, ...], amount: int) -> Counts | None:
    """`values`: the smallest first. None if no chips make the amount."""
    if len(values) == 1:
        count, rest = divmod(amount, values[0])
        return None if rest else ((values[0], count),) if count else ()
    group, pivot = next(_groups(values))
    larger = values[len(group) :]
    found = (
        (*below, *above)
        for total in range(amount % pivot, min(amount, _bound(group, pivot)) + 1, pivot)
        if (below := _in_group(group, pivot, total)) is not None
        and (above := _fewest(larger, amount - total)) is not None
    )
    return min(found, key=_number_of_chips, default=None)


def _number_of_chips(counts: Counts) -> int:
    return sum(count for _, count in counts)


def _groups(values: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
    """The chips below each pivot and from the pivot before it on, with the pivot."""
    begin = 0
    for end in range(1, len(values)):
        if not any(larger % values[end] for larger in values[end:]):
            yield values[begin:end], values[end]
            begin = end


def _bound(group: tuple[int, ...], pivot: int) -> int:
    """No fewest chips have a sum in the group that is as large."""
    return pivot // gcd(*group, pivot) * group[-1]


def _in_group(group: tuple[int, ...], pivot: int, total: int) -> Counts | None:
    """The fewest chips of a group for a sum below its bound."""
    if len(group) == 1:
        return _fewest(group, total)
    step, ends = gcd(*group), _ends(group, _bound(group, pivot))
    counted: Counter[int] = Counter()
    while total:
        place, off = divmod(total, step)
        if off or not ends[place]:
            return None
        counted[ends[place]] += 1
        total -= ends[place]
    return tuple(counted.items())


@lru_cache(maxsize=64)
def _ends(group: tuple[int, ...], bound: int) -> list[int]:
    """The largest chip of the fewest ones, for each multiple of the group's divisor up to a bound; 0: none
    make it, or it is 0."""
    step = gcd(*group)
    ends = [0] * (bound // step + 1)
    fewest = [0, *[bound + 1] * (len(ends) - 1)]
    for place in range(1, len(ends)):
        for value in group:
            before = place - value // step
            if before >= 0 and fewest[before] + 1 <= fewest[place]:
                fewest[place], ends[place] = fewest[before] + 1, value
    return ends
