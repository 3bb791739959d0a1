"""What a linked progressive announces, and when: one amount at each change and every second."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from controller.jackpot.linked.entries import ClaimEnded, LogEntry, Won
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.messages import MOST_CLAIMS, Amount, AmountState

PENDING = 0.5
"""Seconds for which a level is pending after a won share."""
RECENT = 60.0
"""Seconds for which amounts repeat what became of a claim."""


@dataclass(frozen=True, slots=True)
class Announcer:
    """A frozen value. Times are monotonic seconds, given by the caller.

    `n` and `version`: of the last amount; `recent`: claims that changed or were asked for, and when;
    `pending_until`: the level is pending until then.
    """

    n: int = 0
    version: int = 0
    recent: Mapping[str, float] = field(default_factory=dict)
    pending_until: float = 0.0

    def changed(self, entry: LogEntry, now: float) -> "Announcer":
        """An entry was decided."""
        claims = [outcome.claim for outcome in entry.out if isinstance(outcome, Won | ClaimEnded)]
        won = any(isinstance(outcome, Won) for outcome in entry.out)
        return replace(self.asked(claims, now), pending_until=now + PENDING if won else self.pending_until)

    def asked(self, claims: Iterable[str], now: float) -> "Announcer":
        """Tables asked for these claims."""
        recent = {claim: at for claim, at in self.recent.items() if now - at < RECENT}
        return replace(self, recent={**recent, **dict.fromkeys(claims, now)})

    def announce(
        self, state: LinkedLevel, now: float, *, inoperable: bool = False
    ) -> tuple["Announcer", Amount]:
        """The amount to announce now."""
        version = self.version + 1 if state.n == self.n else 1
        amount = Amount(
            level=state.level,
            n=state.n,
            hash=state.hash,
            version=version,
            cents=state.meter.cents if state.meter else 0,
            state="inoperable" if inoperable else self._state(state, now),
            claims=tuple(claim.announced for name in self._last(now) if (claim := state.claim(name))),
            closed=state.closed_tables,
            parameters_pending=bool(state.meter and state.meter.pending),
            currency=state.currency,
        )
        return replace(self, n=state.n, version=version), amount

    def _state(self, state: LinkedLevel, now: float) -> AmountState:
        if state.meter is None:
            return "closed"
        return "pending" if now < self.pending_until else "open"

    def _last(self, now: float) -> list[str]:
        """Claims to announce, those that changed last first."""
        recent = [claim for claim, at in self.recent.items() if now - at < RECENT]
        return sorted(recent, key=self.recent.__getitem__, reverse=True)[:MOST_CLAIMS]
