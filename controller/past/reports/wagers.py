"""What was wagered and paid, by kind of wager. Money is in cents, shares are exact."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from controller.past.reports.facts import ReportedRound
from controller.table.record.views import LineView


@dataclass(frozen=True, slots=True)
class WagerKind:
    """One kind of wager.

    `drop`: what was wagered, doubles and splits with it. `paid`: what wagers won, without their stakes;
    `taken`: what they lost. `unknown`: wagers that no sensor could value, which are in none of these sums.
    """

    wager: str
    count: int
    won: int
    pushed: int
    lost: int
    unknown: int
    drop: int
    paid: int
    taken: int

    @property
    def hold(self) -> int:
        """What the bank kept, under 0 what it lost."""
        return self.taken - self.paid

    @property
    def share(self) -> Fraction | None:
        """The hold as a part of the drop; None where nothing of known amount was wagered."""
        return Fraction(self.hold, self.drop) if self.drop else None


ALL = "all wagers"


def wager_kinds(rounds: Iterable[ReportedRound]) -> tuple[WagerKind, ...]:
    """In the order in which lines first name them, then all together."""
    by_wager: dict[str, list[LineView]] = {}
    for played in rounds:
        for line in played.round.lines:
            by_wager.setdefault(line.wager, []).append(line)
    found = [wager_kind(wager, lines) for wager, lines in sorted(by_wager.items(), key=_place)]
    return (*found, wager_kind(ALL, [line for lines in by_wager.values() for line in lines]))


def wager_kind(wager: str, lines: Sequence[LineView]) -> WagerKind:
    """All lines of one kind."""
    known = [line for line in lines if line.amount is not None and line.paid is not None]
    gains = [line.paid or 0 for line in known]
    outcomes = [line.outcome for line in lines]
    return WagerKind(
        wager,
        len(lines),
        outcomes.count("win"),
        outcomes.count("push"),
        outcomes.count("lose"),
        len(lines) - len(known),
        sum(line.amount or 0 for line in known),
        sum(gain for gain in gains if gain > 0),
        -sum(gain for gain in gains if gain < 0),
    )


def _place(named: tuple[str, list[LineView]]) -> tuple[bool, int, str]:
    """Those that every hand has come first."""
    wager, lines = named
    return wager not in FIRST, -len(lines) * (wager in FIRST), wager


FIRST = frozenset({"main", "final", "bet", "surrender-or-play"})
"""Wagers on the hand itself."""
