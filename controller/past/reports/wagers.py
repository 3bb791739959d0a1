"""Handle, win and hold by kind of wager. Money is in cents; the hold is exact."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from controller.past.reports.facts import ReportedRound
from controller.past.reports.round_figures import SettledWager


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
    lines = Counter(line for played in rounds for line in played.figures.lines)
    by_wager: dict[str, Counter[SettledWager]] = {}
    for line, count in lines.items():
        by_wager.setdefault(line.wager, Counter())[line] = count
    found = [_wager_kind(wager, of_kind) for wager, of_kind in sorted(by_wager.items(), key=_place)]
    return (*found, _wager_kind(ALL, lines))


def _wager_kind(wager: str, lines: Counter[SettledWager]) -> WagerKind:
    outcomes, known = Counter[str](), Counter[tuple[int, int]]()
    for line, count in lines.items():
        outcomes[line.outcome] += count
        if line.amount is not None and line.paid is not None:
            known[line.amount, line.paid] += count
    return WagerKind(
        wager,
        lines.total(),
        outcomes["win"],
        outcomes["push"],
        outcomes["lose"],
        lines.total() - known.total(),
        sum(amount * count for (amount, _), count in known.items()),
        sum(paid * count for (_, paid), count in known.items() if paid > 0),
        -sum(paid * count for (_, paid), count in known.items() if paid < 0),
    )


def _place(named: tuple[str, Counter[SettledWager]]) -> tuple[bool, int, str]:
    wager, lines = named
    return wager not in FIRST, -lines.total() * (wager in FIRST), wager


FIRST = frozenset({"main", "final", "bet", "surrender-or-play"})
"""Wagers on the hand itself."""
