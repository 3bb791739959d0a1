"""The account of one ended round: its steps, its script, and the verdict of the rules."""

from dataclasses import asdict, dataclass
from typing import Any

from controller.journal.errors import JournalError
from controller.money import text
from controller.past.replay.rounds import EndedRound
from controller.past.replay.steps import ReplayStep, steps
from controller.past.replay.verdict import (
    Verdict,
    as_shown,
    judge,
    plugin_changes,
    script_json,
    unknown_amounts,
    unspecified_seeds,
)
from controller.table.record.events import Supervisor
from controller.table.record.notes import RoundEnded, Suspended
from controller.table.record.round_script import RoundScript

NO_SCRIPT = "the journal keeps no script of it"


@dataclass(frozen=True, slots=True)
class RoundAccount:
    """`unplayed`: why there are no steps. `unwritten`: why `settle` cannot settle the script. Both are empty
    if there is no problem."""

    round: EndedRound
    steps: tuple[ReplayStep, ...]
    unplayed: str
    script: RoundScript | None
    unwritten: str
    verdict: Verdict

    @property
    def plugin_changes(self) -> tuple[str, ...]:
        """Which plug-ins the round was played with that are not installed here in the same version."""
        return tuple(plugin_changes(self.script)) if self.script else ()

    @property
    def decisions(self) -> tuple[Supervisor, ...]:
        """The decisions of supervisors."""
        return tuple(step.event for step in self.steps if isinstance(step.event, Supervisor))

    @property
    def suspended(self) -> tuple[str, ...]:
        """The reasons of suspensions, in sentences."""
        notes = (note for step in self.steps for note in step.notes)
        return tuple(note.why for note in notes if isinstance(note, Suspended))


def account_of(ended_round: EndedRound) -> RoundAccount:
    """What cannot be replayed is said in the account."""
    played, unplayed = ((), "") if ended_round.corrected else _steps(ended_round)
    script = ended_round.ended.script or _script(played)
    shown = ended_round.ended.round
    verdict = judge(shown, script) if script else Verdict(None, (NO_SCRIPT,))
    return RoundAccount(ended_round, played, unplayed, script, _unwritten(shown.outcome, script), verdict)


def script_of(account: RoundAccount) -> dict[str, Any] | None:
    """The script of the round; of a void round, as far as it went."""
    return script_json(account.round.number, account.script) if account.script else None


def account_json(account: RoundAccount) -> dict[str, Any]:
    shown = account.round.ended.round
    return {
        "number": account.round.number,
        "ended": account.round.at,
        "outcome": shown.outcome,
        "round": script_of(account),
        "unwritten": account.unwritten or None,
        "answer": account.verdict.answer,
        "table": as_shown(shown),
        "agrees": account.verdict.agrees,
        "differs": list(account.verdict.differs),
        "plugins": list(account.plugin_changes),
        "corrected": account.round.corrected,
        "corrections": list(shown.corrections),
        "suspended": list(account.suspended),
        "supervisor": [asdict(said) for said in account.decisions],
    }


def _steps(ended_round: EndedRound) -> tuple[tuple[ReplayStep, ...], str]:
    try:
        return steps(ended_round), ""
    except JournalError as error:
        return (), str(error)


def _script(played: tuple[ReplayStep, ...]) -> RoundScript | None:
    """A round of an older version has no script in the journal; the replayed inputs give it."""
    notes = (note for step in played for note in step.notes)
    return next((note.script for note in notes if isinstance(note, RoundEnded)), None)


def _unwritten(outcome: str, script: RoundScript | None) -> str:
    if script is None:
        return NO_SCRIPT
    if outcome == "void":
        return "the round is void"
    if tokens := unknown_amounts(script):
        return f"{', '.join(tokens)}: no script can place a wager of unknown amount in a window"
    if seeds := unspecified_seeds(script):
        text_ = ", ".join(f"{spot} with {text(cents)}" for spot, cents in seeds.items())
        return f"a jackpot began again, {text_}: no script can say with how much"
    return ""
