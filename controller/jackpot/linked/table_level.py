"""A linked level at a table: whether it may be played, what players see, and the table's own claims.

The table accepts an amount only if number and version are higher than those of the last one. So whatever a
deposed instance still announces is ignored, and no old amount comes back. Every amount carries the hash of
its entry: two hashes of one number are two histories, and so are two amounts of one claim. Then the level
closes until two persons clear it.

| state | because | until |
|---|---|---|
| closed | a conflict | two persons clear it |
| closed | the uplink has an alarm | the alarm ends |
| closed | "closed" or "inoperable" was heard, or the table is named closed | another amount, then as lost |
| closed | the last amount is in another currency than the table's | another amount, then as lost |
| lost | less than three amounts in a row, or five seconds without one | three new amounts in a row |
| pending | an own claim has no amount yet, or "pending" was heard | it has one, and "open" was heard |
| open | else | |

Times are monotonic seconds, given by the caller.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from controller.jackpot.linked.messages import Amount, AnnouncedClaim, ClaimState

SILENCE = 5.0
"""Seconds without a new amount after which a level is lost."""
IN_A_ROW = 3
"""New amounts that open a level."""

TableLevelState = Literal["open", "pending", "lost", "closed"]


@dataclass(frozen=True, slots=True)
class OwnClaim:
    """A claim of this table. `cents`: None until the progressive has decided; `ended`: how it ended at the
    table, and `state` how the progressive has it: while they differ, the step is repeated."""

    claim: str
    cents: int | None = None
    state: ClaimState = "open"
    ended: ClaimState = "open"


@dataclass(frozen=True, slots=True)
class TableLevel:
    """A frozen value: each event returns the next one.

    `cents`: the amount that players see; `heard_at`: when the last new amount came; `in_a_row`: new amounts
    since the level was lost or closed, at most three; `conflict`: why two persons must look, or empty;
    `uplink_alarm`: the uplink's, or empty. `currency`: the code of the table's; `foreign`: that of the last
    amount if it is another one, else empty.
    """

    table: str
    level: str
    n: int = 0
    version: int = 0
    hash: str = ""
    cents: int | None = None
    heard_at: float | None = None
    in_a_row: int = 0
    pending: bool = False
    refused: bool = False
    """The last amount says closed or inoperable, or is in another currency."""
    currency: str = ""
    foreign: str = ""
    conflict: str = ""
    uplink_alarm: str = ""
    claims: Mapping[str, OwnClaim] = field(default_factory=dict)

    def state(self, now: float) -> TableLevelState:
        """Whether the level may be played."""
        return next(state for state, holds in STATES if holds(self, now))

    def is_silent(self, now: float) -> bool:
        return self.heard_at is None or now - self.heard_at >= SILENCE

    @property
    def undecided(self) -> tuple[str, ...]:
        """Claims to send again every second."""
        return tuple(one.claim for one in self.claims.values() if one.cents is None)

    @property
    def unconfirmed(self) -> tuple[OwnClaim, ...]:
        """Claims whose step is to be sent again every second."""
        return tuple(one for one in self.claims.values() if one.cents is not None and one.ended != one.state)

    def hear(self, amount: Amount, now: float) -> "Heard":
        """Takes an amount whose signature is good."""
        if amount.level != self.level:
            raise ValueError(f"level = {amount.level}; allowed: {self.level}")
        if amount.n == self.n and self.hash and amount.hash != self.hash:
            return Heard(self._in_conflict(f"entry {amount.n} is {amount.hash}, and was {self.hash}"))
        if amount.state == "inoperable":
            return Heard(replace(self, refused=True, in_a_row=0))
        if (amount.n, amount.version) <= (self.n, self.version):
            return Heard(self)
        return self._accepted(amount, now)

    def claim(self, claim: str) -> "TableLevel":
        """A share was won at this table, and is claimed."""
        if claim in self.claims:
            raise ValueError(f"{claim} is claimed already")
        return replace(self, claims={**self.claims, claim: OwnClaim(claim)})

    def end_claim(self, claim: str, to: Literal["paid", "void"]) -> "TableLevel":
        """People have paid a claim, or made it void."""
        return self._with_claim(replace(self.claims[claim], ended=to))

    def clear(self) -> "TableLevel":
        """Two persons have looked at the conflict. The next amount may have any number."""
        return replace(self, conflict="", n=0, version=0, hash="", in_a_row=0, heard_at=None)

    def with_uplink_alarm(self, why: str) -> "TableLevel":
        """Empty: the alarm has ended."""
        return replace(self, uplink_alarm=why)

    def _in_conflict(self, why: str) -> "TableLevel":
        return replace(self, conflict=self.conflict or why, in_a_row=0)

    def _accepted(self, amount: Amount, now: float) -> "Heard":
        foreign = amount.currency if self.currency and amount.currency != self.currency else ""
        refused = amount.state == "closed" or self.table in amount.closed or bool(foreign)
        begins = refused or self.is_silent(now)
        level = replace(
            self,
            n=amount.n,
            version=amount.version,
            hash=amount.hash,
            cents=self.cents if refused else amount.cents,
            heard_at=now,
            in_a_row=min(IN_A_ROW, (0 if begins else self.in_a_row) + (not refused)),
            pending=amount.state == "pending",
            refused=refused,
            foreign=foreign,
        )
        won = list[AnnouncedClaim]()
        for announced in amount.claims:
            own = level.claims.get(announced.claim)
            if own is None:
                continue
            if own.cents not in (None, announced.cents):
                return Heard(
                    level._in_conflict(f"{own.claim} is {announced.cents} cents, and was {own.cents}"),
                    tuple(won),
                )
            level = level._with_claim(replace(own, cents=announced.cents, state=announced.state))
            if own.cents is None:
                won.append(announced)
        return Heard(level, tuple(won))

    def _with_claim(self, claim: OwnClaim) -> "TableLevel":
        return replace(self, claims={**self.claims, claim.claim: claim})


@dataclass(frozen=True, slots=True)
class Heard:
    """The level after an amount, and own claims that got their amounts: each is a row of the journal before
    anybody sees it."""

    level: TableLevel
    won: tuple[AnnouncedClaim, ...] = ()


Condition = Callable[[TableLevel, float], bool]

STATES: tuple[tuple[TableLevelState, Condition], ...] = (
    ("closed", lambda level, _now: bool(level.conflict or level.uplink_alarm or level.refused)),
    ("lost", lambda level, now: level.is_silent(now) or level.in_a_row < IN_A_ROW),
    ("pending", lambda level, _now: level.pending or bool(level.undecided)),
    ("open", lambda _level, _now: True),
)
"""The first whose condition holds."""
