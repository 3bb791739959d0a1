"""What would follow from a person's word, told before it is said for good."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """One thing as it is and as it would be, for people: "Seat 1, hand 1", "9h 8c: 17", "9h 8s: 17"."""

    about: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Preview:
    """Sentences, and what would be different; `token` is to be told with the word where one is needed."""

    sentences: tuple[str, ...]
    changes: tuple[Change, ...] = ()
    token: str = ""
    by_two: bool = False
    """Another person has to say it too: mostly since it moves a meter."""
