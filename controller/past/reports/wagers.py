"""Handle, win and hold by kind of wager. Money is in cents; the hold is exact."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from controller.past.reports.facts import ReportedRound
from controller.table.record.views import LineView


@dataclass(frozen=True, slots=True)
class WagerKind:
    """One kind of wager.

    `handle`: all stakes, doubles and splits among them. `paid`: what wagers won, without their stakes;
    `taken`: what they lost. `unknown`: wagers that no sensor could value; they are in none of these sums.
    """

    wager: str
    count: int
    won: int
    pushed: int
    lost: int
    unknown: int
    handle: int
    paid: int
    taken: int

    @property
    def win(self) -> int:
        """What the bank won; below 0: what it lost."""
        return self.taken - self.paid

    @property
    def hold(self) -> Fraction | None:
        """Win / handle; None if no wager of known amount was made."""
        return Fraction(self.win, self.handle) if self.handle else None


ALL = "all wagers"


def wager_kinds(rounds: Iterable[ReportedRound]) -> tuple[WagerKind, ...]:
    """One record for each kind of wager, those of every hand first; then one for all wagers."""
    by_wager: dict[str, list[LineView]] = {}
    for played in rounds:
        for line in played.round.lines:
            by_wager.setdefault(line.wager, []).append(line)
    found = [wager_kind(wager, lines) for wager, lines in sorted(by_wager.items(), key=_place)]
    return (*found, wager_kind(ALL, [line for lines in by_wager.values() for line in lines]))


def wager_kind(wager: str, lines: Sequence[LineView]) -> WagerKind:
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
    wager, lines = named
    return wager not in FIRST, -len(lines) * (wager in FIRST), wager


FIRST = frozenset({"main", "final", "bet", "surrender-or-play"})
"""Wagers on the hand itself."""
