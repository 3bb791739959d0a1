"""The consequences of a person's decision, shown before it is taken."""

from dataclasses import dataclass

from controller.access.people import SecretKind


@dataclass(frozen=True, slots=True)
class Change:
    """One thing as it is and as it would be, for people: "Seat 1, hand 1", "9h 8c: 17", "9h 8s: 17".
    `amounts`: both are amounts of money as plain decimals, or words such as "none"."""

    about: str
    before: str
    after: str
    amounts: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """Sentences, and the changes. The decision carries the `token`: it is refused if it would now act on
    something other than what is shown here."""

    sentences: tuple[str, ...]
    changes: tuple[Change, ...] = ()
    token: str = ""
    by_two: bool = False
    """Whether another person has to agree, mostly because the decision moves a meter."""
    confirm: SecretKind | None = None
    """The secret that the person must type again with the act; None if none is needed."""
