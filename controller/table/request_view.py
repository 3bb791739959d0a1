"""What may be seen of requests, by anyone: who asks for what, and who has answered."""

from collections.abc import Mapping
from dataclasses import dataclass

ENDED: Mapping[str, str] = {
    "granted": "was granted by {who}",
    "declined": "was declined by {who}",
    "withdrawn": "was withdrawn by {who}",
    "failed": "came too late: {why}",
}
"""What became of a request that is not open any more, by its `state`, in words that follow its number."""


@dataclass(frozen=True, slots=True)
class RequestView:
    """What somebody has asked for and others must grant; `at` is seconds of Unix time."""

    number: int
    about: str
    """undo, help, void, correct, assign, meter, parameters."""
    who: str
    """Who asks, by name; "configuration" for changed parameters."""
    why: str
    at: float
    needs: int
    """How many persons must grant it; who asks is none of them."""
    grants: tuple[str, ...]
    """Who has granted it so far, by name."""
    sentences: tuple[str, ...]
    """What it would do."""
    state: str
    """open; or, once it is answered: granted, declined, withdrawn (by who asked), failed (it came too
    late)."""
    round: int
    """The round that it was asked in."""


@dataclass(frozen=True, slots=True)
class AnsweredView:
    """A request that is not open any more; its `state` says what became of it."""

    request: RequestView
    who: str
    """Whose answer ended it, by name; empty where it failed."""
    at: float
    why: str
    """Why, in a sentence; empty where nobody said."""
    round: int = 0
    """The round in which it was answered."""
