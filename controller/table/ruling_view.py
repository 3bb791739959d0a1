"""What play waits for a supervisor to say, as anyone may see it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReasonView:
    """Why play is suspended."""

    text: str
    passes: bool
    """It ends with its cause, without anybody's word."""
    choices: tuple[str, ...]
    """What a supervisor may say about it now; what fits best stands first."""


@dataclass(frozen=True, slots=True)
class WaitingView:
    """The card that waits for a decision; which one it is may be a secret."""

    count: int
    unread: bool
    """Nobody has read it: who decides names it."""
    due: bool
    """A card is due: it may take that place."""


@dataclass(frozen=True, slots=True)
class RulingView:
    """Why play is suspended, those that need a person first, and what a supervisor may say now at all."""

    reasons: tuple[ReasonView, ...] = ()
    waiting: WaitingView | None = None
    choices: tuple[str, ...] = ()


NO_RULING = RulingView()
