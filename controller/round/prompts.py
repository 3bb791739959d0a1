"""Seats and choices in a dealer's words, short: the console shows no more than 120 bytes."""

from collections.abc import Collection, Iterator, Sequence

CHOICES = ("hit", "stand", "double", "split", "surrender", "play", "quick-pay")
"""In the order in which a dealer offers them."""


def seats_text(numbers: Sequence[int]) -> str:
    """ "seat 3", "seats 1-3, 5"."""
    return f"seat{'s' * (len(numbers) > 1)} {', '.join(_runs(numbers))}"


def choices_text(choices: Collection[str]) -> str:
    """ "hit, stand or double"; what is not in CHOICES comes last."""
    *others, last = (choice.replace("-", " ") for choice in sorted(choices, key=_place))
    return f"{', '.join(others)} or {last}" if others else last


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    """Those that lie side by side in short, 1-3 for 1 2 3."""
    while numbers:
        first = numbers[0]
        length = next((at for at, number in enumerate(numbers) if number != first + at), len(numbers))
        yield f"{first}-{numbers[length - 1]}" if length > 1 else f"{first}"
        numbers = numbers[length:]


def _place(choice: str) -> tuple[int, str]:
    return (CHOICES.index(choice) if choice in CHOICES else len(CHOICES)), choice
