"""Follows the linked levels of a table by time: which amounts come, and whether a level may be played.

The state of the table has no clock, so only an input changes a level there. This part receives the amounts,
reads the clock, and delivers an input when a level opens or closes, and when a claim of this table has its
amount. `TableState.shown` holds what players see of an amount between such inputs. It is not replayed.

| what | becomes |
|---|---|
| another state of a level, or another reason why it is closed | `LevelChanged`, at once |
| the amount of an own claim | `ShareWon`, with the signed message; only then it is shown |
| a newer amount when betting is about to close | `LevelChanged`, in the batch that closes betting |
| any other amount | nothing in the journal: one comes each second |
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, Literal

from controller.jackpot import Claim
from controller.jackpot.linked.messages import Amount, AnnouncedClaim
from controller.jackpot.linked.table_level import SILENCE, OwnClaim, TableLevel
from controller.property.signed import SignedMessage
from controller.table.apply.conditions import SHIPPING
from controller.table.record.events import Input, LevelChanged, ShareWon
from controller.table.state.table_state import TableState

SILENT: Final = f"no new amount for {SILENCE:.0f} seconds"
REFUSED: Final = "its progressive does not play now"
FOREIGN: Final = "its progressive counts in {theirs}, and this table plays in {ours}"
ENDS: Final[Mapping[str, Literal["paid", "void"]]] = {"paid": "paid", "void": "void"}
"""How a claim ended for the progressive, by its state here; with any other state it has not."""


class LinkedLevels:
    """All levels of a table, which is `table` in its property. `deliver` gets inputs of the table; `clock` is
    monotonic, in seconds."""

    def __init__(
        self, state: TableState, table: str, deliver: Callable[[Input], None], clock: Callable[[], float]
    ) -> None:
        self._state, self._table, self._deliver, self._clock = state, table, deliver, clock
        self._begun = clock()
        self.levels = dict[str, TableLevel]()
        self._delivered = dict[str, tuple[str, str, str]]()
        self._unclear = set[str]()
        """Levels whose conflict the state knows: the table may clear it."""

    def begin(self) -> None:
        """The table has started: what its journal knows of each level holds until amounts come."""
        for level in dict.fromkeys((*self._state.rules.linked.values(), *self._state.coming.linked.values())):
            account = self._state.linked.get(level)
            known = TableLevel(self._table, level, currency=self._state.coming.currency)
            if account:
                known = replace(
                    known,
                    n=account.n,
                    version=account.version,
                    hash=account.hash,
                    conflict=account.conflict,
                )
            self.levels[level] = known
            self._delivered[level] = ("closed" if known.conflict else "lost", "", known.conflict)
        self.check()

    def hear(self, amount: Amount, message: SignedMessage) -> bool:
        """Take an amount that the progressive signed in this message. Returns whether something looks
        different now. Raises KeyError for a level of another table."""
        before = self.levels[amount.level]
        heard = before.hear(amount, self._clock())
        self.levels[amount.level] = heard.level
        for announced in heard.won:
            if claim := self._claim_of(announced):
                self._deliver(_share_won(claim, announced, amount, message))
        if heard.level.cents is not None:
            self._state.shown[amount.level] = heard.level.cents
        return self.check() or heard.level.cents != before.cents

    def check(self) -> bool:
        """Compare with the clock and with what has happened at the table. Returns whether a level has
        changed."""
        changed = [self._check_level(name, self._followed(level)) for name, level in self.levels.items()]
        return any(changed)

    def due(self) -> float | None:
        """When to check again at the latest, by the clock; None if only an amount can change something."""
        now = self._clock()
        ends = [SILENCE + (level.heard_at or self._begun) for level in self.levels.values()]
        return min((end for end in ends if end > now), default=None)

    def unrecorded(self) -> list[LevelChanged]:
        """Amounts that players see and the journal does not have, of levels on whose spots chips lie."""
        return [
            self._change(name, level, "")
            for name, level in self.levels.items()
            if self._has_chips(name) and self._is_newer(name, level)
        ]

    def claim_id(self, claim: Claim) -> str:
        """The name of a claim for all tables."""
        return f"{self._table}/{self._state.epoch}/{claim.round}/{claim.seat}/{claim.level}"

    def claims(self, level: str) -> Mapping[str, Claim]:
        """All known claims of a level, by name."""
        return {self.claim_id(claim): claim for claim in self._state.register.of_level(level)}

    def _followed(self, level: TableLevel) -> TableLevel:
        """The level, which knows what has become of claims, of its conflict and of the uplink."""
        for name, claim in self.claims(level.level).items():
            own = level.claims.get(name)
            if own is None:
                cents = claim.cents if claim.decided else None
                level = replace(level, claims={**level.claims, name: OwnClaim(name, cents)})
            if (ended := ENDS.get(claim.state)) and level.claims[name].ended == "open":
                level = level.end_claim(name, ended)
        account = self._state.linked.get(level.level)
        if account and account.conflict:
            self._unclear.add(level.level)
        elif level.level in self._unclear:
            self._unclear.discard(level.level)
            level = level.clear()
        return level.with_uplink_alarm(self._state.standing.get(SHIPPING, ""))

    def _check_level(self, name: str, level: TableLevel) -> bool:
        self.levels[name] = level
        now = self._clock()
        state, why = level.state(now), self._why(level, now)
        if self._delivered[name] == (state, why, level.conflict):
            return False
        self._delivered[name] = (state, why, level.conflict)
        self._deliver(self._change(name, level, why))
        return True

    def _why(self, level: TableLevel, now: float) -> str:
        """Why it is closed. A table that has just started waits for the first amounts without an alert."""
        state = level.state(now)
        if state == "closed":
            foreign = FOREIGN.format(theirs=level.foreign, ours=level.currency) if level.foreign else ""
            return level.conflict or level.uplink_alarm or foreign or REFUSED
        if state == "lost":
            return SILENT if now - self._begun >= SILENCE else ""
        return ""

    def _change(self, name: str, level: TableLevel, why: str) -> LevelChanged:
        account = self._state.linked.get(name)
        cents = level.cents if level.cents is not None else account.cents if account else 0
        return LevelChanged(
            name,
            level.state(self._clock()),
            cents,
            level.n,
            level.version,
            level.hash,
            why,
            level.conflict,
        )

    def _has_chips(self, name: str) -> bool:
        spots, linked = self._state.game.spots, self._state.rules.linked
        return any(place < len(spots) and linked.get(spots[place]) == name for _, place in self._state.chips)

    def _is_newer(self, name: str, level: TableLevel) -> bool:
        account = self._state.linked.get(name)
        if account is None or level.heard_at is None:
            return False
        return (level.n, level.cents) != (account.n, account.cents)

    def _claim_of(self, announced: AnnouncedClaim) -> Claim | None:
        return self.claims(announced.claim.rsplit("/", 1)[-1]).get(announced.claim)


def _share_won(claim: Claim, announced: AnnouncedClaim, amount: Amount, message: SignedMessage) -> ShareWon:
    return ShareWon(
        claim=claim.number,
        cents=announced.cents,
        order=announced.order,
        n=announced.n,
        shown=amount.cents,
        subject=message.subject,
        key=message.key,
        signature=message.signature,
        payload=message.payload,
    )
