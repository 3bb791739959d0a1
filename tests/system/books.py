"""Faults in a table's books, and their differences from those of an undisturbed play."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from controller.demo.audit import DemoAudit

SLOW_DISK: Final = "disk takes"
"""In the warning about slow writes."""


def faults(books: DemoAudit, reference: DemoAudit | None = None) -> Iterator[str]:
    """A sentence for each fault; `reference` has the same seed."""
    if books.cards != books.shoe_cards:
        yield f"the cards are not the shoe's own: {first(books.cards, books.shoe_cards)}"
    if [ended.round.number for ended in books.ended] != list(range(1, books.rounds + 1)):
        yield f"rounds are lost or doubled: {[ended.round.number for ended in books.ended]}"
    if void := [ended.round.number for ended in books.ended if ended.round.outcome != "settled"]:
        yield f"rounds are void: {void}"
    if reference is not None and books.ended != reference.ended:
        yield f"a round went another way: {first(books.ended, reference.ended)}"


def unexpected_warnings(books: DemoAudit) -> tuple[str, ...]:
    """Without those about the disk of this computer, which other tests may keep busy."""
    return tuple(warning for warning in books.warnings if SLOW_DISK not in warning)


def first(ones: Sequence[object], others: Sequence[object]) -> str:
    """The first difference of two sequences that are not equal."""
    return next(f"{one} / {other}" for one, other in zip_longest(ones, others) if one != other)
