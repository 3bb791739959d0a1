"""The shuffler's cycle: when it is to start, when to give its pack out, and whether the pack is good."""

from dataclasses import dataclass
from typing import Final, Literal

from drivers.messages import CommandBody, DeckCheck, Eject, Start
from drivers.protocol.codes import ShufflerPhase, Status

ShufflerStage = Literal[
    "idle", "asked", "shuffling", "checking", "ready", "refused", "ejecting", "out", "waiting", "stopped"
]

_REPORTED: Final[dict[int, ShufflerStage]] = {
    ShufflerPhase.IDLE: "idle",
    ShufflerPhase.SHUFFLING: "shuffling",
    ShufflerPhase.CHECKING: "checking",
    ShufflerPhase.DONE: "ready",
    ShufflerPhase.STOPPED: "stopped",
}
_START_ENDED: Final[dict[int, ShufflerStage]] = {
    Status.DONE: "shuffling",
    Status.NEVER: "idle",
    Status.UNARMED: "idle",
    Status.INTERRUPTED: "idle",
}
_EJECT_ENDED: Final[dict[int, ShufflerStage]] = {
    Status.DONE: "out",
    Status.NEVER: "ready",
    Status.UNARMED: "ready",
}
MOST_NAMED: Final = 5
VOUCH: Final = "The shoe was loaded with a pack that nobody counted since a wrong one was found:"
"""Then follows what was wrong."""
_FACES: Final = tuple(rank + suit for suit in "shdc" for rank in "A23456789TJQK")


@dataclass(slots=True)
class ShufflerCycle:
    """Where the shuffler is. `waiting`: it has no pack, or would not start; `out`: its pack is in a hand."""

    stage: ShufflerStage = "idle"
    percent: int = 0
    fault: str = ""
    """What is wrong with the pack; empty: nothing known."""
    key: int = 0
    """The open action; 0: none."""
    starting: bool = False
    pack_out: bool = False
    """The shuffled pack is in a hand, on its way to the shoe."""
    good: bool = False
    """The pack in the shuffler was counted, and is right."""
    vouched: bool = False
    """So was the pack that is in a hand."""
    rejected: str = ""
    """What was wrong with the last wrong pack, until one that was counted and is right is in the shoe."""

    def due_action(self, decks: int, *, shoe_wanted: bool) -> CommandBody | None:
        """The action that is due now."""
        if self.key:
            return None
        if self.stage == "idle":
            return Start(decks)
        return Eject() if self.stage == "ready" and shoe_wanted and not self.pack_out else None

    def action_sent(self, key: int, record: CommandBody) -> None:
        """The action was journaled under this key."""
        self.key, self.starting = key, isinstance(record, Start)
        self.stage = "asked" if self.starting else "ejecting"
        self.percent = 0

    def action_ended(self, key: int, status: int) -> None:
        """The action ended; what nobody can know is asked for again, a refusal waits for a change."""
        if key != self.key:
            return
        self.key = 0
        if not self.starting and status == Status.DONE:
            self.pack_out, self.vouched = True, self.good
        if self.stage in {"asked", "ejecting"}:
            self.stage = (_START_ENDED if self.starting else _EJECT_ENDED).get(status, "waiting")

    def state_reported(self, phase: int, percent: int) -> None:
        """The shuffler says what it does."""
        stage = _REPORTED.get(phase, self.stage)
        self.percent = percent
        self.stage = "refused" if stage == "ready" and self.fault else stage
        if stage in {"idle", "shuffling"}:
            self.fault, self.good = "", False

    def pack_checked(self, check: DeckCheck, decks: int) -> str:
        """The shuffler counted its pack; a sentence if it is wrong, else empty."""
        found = shorten(pack_faults(check, decks))
        self.fault = f"The pack of {decks} decks in the shuffler is wrong: {found}" if found else ""
        self.good = not found
        if found:
            self.rejected, self.vouched = found, False
            self.stage = "refused" if self.stage == "ready" else self.stage
        return self.fault

    def shoe_loaded(self) -> None:
        """The shoe has fresh cards: the old ones are free for the shuffler."""
        self.pack_out = self.vouched = False
        if self.stage in {"waiting", "out"}:
            self.stage = "idle"

    def reset(self) -> None:
        """The shuffler's memory is a new one: nothing is known of it or of its pack."""
        self.stage, self.key, self.fault, self.good = "idle", 0, "", False


def pack_faults(check: DeckCheck, decks: int) -> tuple[str, ...]:
    """What a pack should not be: "Ts 1 missing", "9h 2 too many"; empty for one that is right."""
    found = [
        f"{card} {abs(count - decks)} {'too many' if count > decks else 'missing'}"
        for card, count in zip(_FACES, check.counts, strict=False)
        if count != decks
    ]
    if check.decks != decks:
        found.append(f"{check.decks} decks were counted")
    if len(check.counts) != len(_FACES):
        found.append(f"{len(check.counts)} of {len(_FACES)} kinds of card counted")
    if check.unreadable:
        found.append(f"{check.unreadable} unreadable")
    return tuple(found)


def shorten(found: tuple[str, ...]) -> str:
    """The first of them, and how many more there are."""
    more = len(found) - MOST_NAMED
    named = found[:MOST_NAMED] if more > 0 else found
    return ", ".join((*named, f"and {more} more") if more > 0 else named)
