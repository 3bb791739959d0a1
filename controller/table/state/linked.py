"""The levels of linked progressives as the journal of this table has them: what each showed last, whether its
spot takes wagers, and what this table has counted for it.

Whether a level may be played depends on time, and the state has no clock: an input says when it changes
(`LevelChanged` in record/events.py). Meters are cumulative since the journal began, as the progressive reads
them; they belong to the level, whatever spot plays for it.
"""

from dataclasses import dataclass, field, replace
from typing import Final, Self

from controller.jackpot.linked.table_level import TableLevelState

PLAYABLE: Final[frozenset[TableLevelState]] = frozenset({"open", "pending"})
"""States in which the spots of a level take wagers."""


@dataclass(frozen=True, slots=True)
class LevelCounts:
    """Rounds with wagers, and the wagers with their stakes in cents. `voided`: of void rounds; these are in
    `wagered` too, because the meters of a reading only rise."""

    rounds: int = 0
    wagers: int = 0
    wagered: int = 0
    voided_wagers: int = 0
    voided: int = 0

    def with_round(self, wagers: int, wagered: int) -> Self:
        return replace(
            self,
            rounds=self.rounds + 1,
            wagers=self.wagers + wagers,
            wagered=self.wagered + wagered,
        )

    def with_void(self, before: "LevelCounts") -> Self:
        """The wagers since `before` are void."""
        return replace(
            self,
            voided_wagers=self.voided_wagers + self.wagers - before.wagers,
            voided=self.voided + self.wagered - before.wagered,
        )


@dataclass(frozen=True, slots=True)
class LevelAccount:
    """One level. `cents`, `n`, `version` and `hash` are those of the last amount that was recorded;
    `conflict`: why two persons must look before the level may be played again, empty if they need not."""

    state: TableLevelState = "lost"
    cents: int = 0
    n: int = 0
    version: int = 0
    hash: str = ""
    conflict: str = ""
    counts: LevelCounts = field(default_factory=LevelCounts)

    @property
    def playable(self) -> bool:
        return self.state in PLAYABLE
