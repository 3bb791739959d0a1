"""The shuffler's cycle: when it starts, when it ejects its pack, and whether the pack is correct."""

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
"""The start of an alert; the faults of the wrong pack follow."""
UNCHECKED: Final = "The pack in the shuffler was not checked: take it out"
_FACES: Final = tuple(rank + suit for suit in "shdc" for rank in "A23456789TJQK")


@dataclass(slots=True)
class ShufflerCycle:
    """The stage of the shuffler. `waiting`: it has no pack, or refused to start; `out`: it has ejected its
    pack."""

    stage: ShufflerStage = "idle"
    percent: int = 0
    fault: str = ""
    """A sentence about the faults of the pack; empty if no fault is known."""
    key: int = 0
    """The key of the open action; 0 if no action is open."""
    starting: bool = False
    """Whether the last action is or was a start; else it is an ejection."""
    pack_out: bool = False
    """Whether the shuffled pack has been ejected and is not yet in the shoe."""
    good: bool = False
    """Whether the pack in the shuffler was counted and is correct."""
    vouched: bool = False
    """Whether the ejected pack was counted and is correct."""
    rejected: str = ""
    """The faults of the last wrong pack, until a pack that was counted and is correct is in the shoe."""

    def due_action(self, decks: int, *, shoe_wanted: bool) -> CommandBody | None:
        """The action that is due now; None if an action is open or none is due."""
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
        """The action ended with this status (codes.Status).

        An action that did not take place becomes due again, and so does a start that was interrupted. After
        any other failure the shuffler waits until the shoe is loaded or it reports another phase.
        """
        if key != self.key:
            return
        self.key = 0
        if not self.starting and status == Status.DONE:
            self.pack_out, self.vouched = True, self.good
        if self.stage in {"asked", "ejecting"}:
            self.stage = (_START_ENDED if self.starting else _EJECT_ENDED).get(status, "waiting")

    def state_reported(self, phase: int, percent: int) -> str:
        """The shuffler reports its phase (codes.ShufflerPhase) and progress. Returns a sentence if it is done
        with a pack that it has not checked, else an empty text."""
        stage = _REPORTED.get(phase, self.stage)
        self.percent = percent
        self.stage = "refused" if stage == "ready" and not self.good else stage
        if stage in {"idle", "shuffling"}:
            self.fault, self.good = "", False
        if self.stage != "refused" or self.fault:
            return ""
        self.fault = UNCHECKED
        return UNCHECKED

    def pack_checked(self, check: DeckCheck, decks: int) -> str:
        """The shuffler counted its pack. Returns a sentence if the pack is wrong, else an empty text."""
        found = shorten(pack_faults(check, decks))
        self.fault = f"The pack of {decks} decks in the shuffler is wrong: {found}" if found else ""
        self.good = not found
        if found:
            self.rejected, self.vouched = found, False
            self.stage = "refused" if self.stage == "ready" else self.stage
        return self.fault

    def shoe_loaded(self) -> None:
        """The shoe has been loaded with new cards, so the old ones can go into the shuffler."""
        self.pack_out = self.vouched = False
        if self.stage in {"waiting", "out"}:
            self.stage = "idle"

    def reset(self) -> None:
        """The shuffler has lost its memory: its stage and the state of its pack are unknown."""
        self.stage, self.key, self.fault, self.good = "idle", 0, "", False


def pack_faults(check: DeckCheck, decks: int) -> tuple[str, ...]:
    """What is wrong with a pack, such as "Ts 1 missing" or "9h 2 too many"; empty if it is correct."""
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
    """The first MOST_NAMED faults, and the number of the others."""
    more = len(found) - MOST_NAMED
    named = found[:MOST_NAMED] if more > 0 else found
    return ", ".join((*named, f"and {more} more") if more > 0 else named)
