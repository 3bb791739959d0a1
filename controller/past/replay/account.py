"""All that can be said of one ended round."""

from dataclasses import asdict, dataclass
from typing import Any

from controller.journal.errors import JournalError
from controller.money import text
from controller.past.replay.rounds import Kept
from controller.past.replay.steps import Step, steps
from controller.past.replay.verdict import Verdict, as_shown, as_written, judge, unknown, unsaid_seeds
from controller.table.record.events import Supervisor
from controller.table.record.notes import RoundEnded, Suspended
from controller.table.record.round_script import RoundScript

NO_SCRIPT = "the journal keeps no script of it"


@dataclass(frozen=True, slots=True)
class Account:
    """One round, card by card and settled once more.

    `unplayed`: why there are no steps. `unwritten`: why `settle` cannot settle the script. Both are empty
    where all is well.
    """

    kept: Kept
    steps: tuple[Step, ...]
    unplayed: str
    script: RoundScript | None
    unwritten: str
    verdict: Verdict

    @property
    def decisions(self) -> tuple[Supervisor, ...]:
        """What a supervisor said about it."""
        return tuple(step.event for step in self.steps if isinstance(step.event, Supervisor))

    @property
    def suspended(self) -> tuple[str, ...]:
        """Why play stopped, each in a sentence."""
        notes = (note for step in self.steps for note in step.notes)
        return tuple(note.why for note in notes if isinstance(note, Suspended))


def account(kept: Kept) -> Account:
    """The account of a round; what cannot be told is said in it."""
    played, unplayed = ((), "") if kept.corrected else _played(kept)
    script = kept.ended.script or _script(played)
    shown = kept.ended.round
    verdict = judge(shown, script) if script else Verdict(None, (NO_SCRIPT,))
    return Account(kept, played, unplayed, script, _unwritten(shown.outcome, script), verdict)


def script_of(told: Account) -> dict[str, Any] | None:
    """The round's script; of a void round as far as it went."""
    return as_written(told.kept.number, told.script) if told.script else None


def written(told: Account) -> dict[str, Any]:
    """As one JSON object."""
    shown = told.kept.ended.round
    return {
        "number": told.kept.number,
        "ended": told.kept.at,
        "outcome": shown.outcome,
        "round": script_of(told),
        "unwritten": told.unwritten or None,
        "answer": told.verdict.answer,
        "table": as_shown(shown),
        "agrees": told.verdict.agrees,
        "differs": list(told.verdict.differs),
        "corrected": told.kept.corrected,
        "corrections": list(shown.corrections),
        "suspended": list(told.suspended),
        "supervisor": [asdict(said) for said in told.decisions],
    }


def _played(kept: Kept) -> tuple[tuple[Step, ...], str]:
    try:
        return steps(kept), ""
    except JournalError as error:
        return (), str(error)


def _script(played: tuple[Step, ...]) -> RoundScript | None:
    """What an older version did not keep comes of the inputs."""
    notes = (note for step in played for note in step.notes)
    return next((note.script for note in notes if isinstance(note, RoundEnded)), None)


def _unwritten(outcome: str, script: RoundScript | None) -> str:
    if script is None:
        return NO_SCRIPT
    if outcome == "void":
        return "the round is void"
    if tokens := unknown(script):
        return f"{', '.join(tokens)}: no script can place a wager of unknown amount in a window"
    if seeds := unsaid_seeds(script):
        told = ", ".join(f"{spot} with {text(cents)}" for spot, cents in seeds.items())
        return f"a jackpot began again, {told}: no script can say with how much"
    return ""
