"""What the token of a preview stands for.

A person decides about what they have seen: this round, with these cards, this claim, this amount. The table
may have moved on before they press the button. So a preview carries a token, the decision carries it back,
and the table compares it with the token that a preview would have at the moment when it takes the decision.
A token has three parts, "105.312.9f86d081884c7d65":

- the round in play, "-" where the decision does not depend on it (a card of an ended round, a device);
- the cards that have left the shoe, with those that wait for a decision, "-" where they do not matter;
- a hash of the decision itself, of the claim or request that it is about, of the keys pressed in the round
  where it takes one back or replays the round with a change, and of every sentence and change that the
  preview shows.

The first two are readable so that a refusal can say what happened. The hash covers what was shown, so that a
different amount or claim is noticed without a rule for each. Anything else leaves a token valid:
a sign-in, a heartbeat, an alert, a row of another kind.

A token never depends on who decides or why, and never on the card that lies face down: a hash that covered
that card would give it away to anyone who tries all 52. Everything in it is visible to everyone.

The table checks tokens when it takes a decision (`consequences.check`), never when it applies a row: a row in
the journal was checked before it was written. So rows of older versions, which carry other tokens or none,
replay as they always did.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.round import CardOut
from controller.table.errors import Stale
from controller.table.record.events import Answered, Asked, ClaimStep, Decision, MeterCorrection, Supervisor
from controller.table.record.preview import Preview
from controller.table.record.records import text
from controller.table.state.table_state import TableState

NEITHER = "-"
_FORM = re.compile(r"([0-9]{1,10}|-)\.([0-9]{1,10}|-)\.([0-9a-f]{16})")
FREE = frozenset({"entry"})
"""Choices that change nothing at the table: they need no token."""
SHOE = frozenset({"reload"})
"""Choices that do not depend on cards dealt meanwhile."""
RETOLD = frozenset({"undo", "correct", "assign"})
"""Choices that replay the round in play with a change."""


@dataclass(frozen=True, slots=True)
class Basis:
    """Where the table stands, as far as it matters to a decision: the round and the number of cards that have
    left the shoe, each NEITHER if it does not matter."""

    round: str = NEITHER
    cards: str = NEITHER


def needed(decision: Decision) -> bool:
    """Whether the decision is refused without the token of its preview."""
    if isinstance(decision, Asked):
        return decision.about != "help"
    return isinstance(decision, ClaimStep | MeterCorrection | Answered) or (
        isinstance(decision, Supervisor) and decision.choice not in FREE
    )


def carried(decision: Decision) -> str:
    """The token that the decision carries, empty if there is none; a request carries the token of what it
    requests."""
    if isinstance(decision, Asked):
        asked = decision.word or decision.meter
        return asked.token if asked else ""
    return getattr(decision, "token", "")


def token(state: TableState, decision: Decision, seen: Preview) -> str:
    """The token of a preview, if the decision needs one. Raises NotAllowed for a request that is not open."""
    if not needed(decision):
        return ""
    basis = based(state, decision)
    told = text([_about(state, decision), seen.sentences, list(seen.changes), seen.by_two])
    return f"{basis.round}.{basis.cards}.{hashlib.sha256(told.encode()).hexdigest()[:16]}"


def check_basis(state: TableState, decision: Decision) -> None:
    """Raises Stale if the round or the cards differ from those in the token that the decision carries."""
    told, now = carried(decision), based(state, decision)
    found = _FORM.fullmatch(told)
    if found is None:
        raise Stale(f"token = {told!r}: not allowed; allowed: that of a fresh preview")
    then = Basis(found[1], found[2])
    if then.round != now.round:
        raise Stale(_moved_on(state, then.round))
    if then.cards != now.cards:
        raise Stale(_dealt(then.cards, now.cards))


def check_carried(decision: Decision) -> None:
    """Raises Stale if the decision carries no token."""
    if not carried(decision):
        raise Stale("look at its preview first: its token is missing")


def check_shown(decision: Decision, seen: Preview) -> None:
    """Raises Stale if the preview of the decision would now show something else."""
    if carried(decision) != seen.token:
        now = (*seen.sentences, *(f"{one.about}: {one.before} becomes {one.after}" for one in seen.changes))
        raise Stale(f"what it does has changed meanwhile. Now: {'; '.join(now)}"[:MOST])


MOST = 400
"""The most characters of a refusal."""


def based(state: TableState, decision: Decision) -> Basis:
    """Where the table stands now, as far as it matters. Raises NotAllowed for a request that is not open."""
    return BASES[type(decision)](state, decision)


def _of_word(state: TableState, said: Supervisor) -> Basis:
    if said.choice == "correct" and said.round not in {0, state.number}:
        return Basis()
    return Basis(str(state.number), NEITHER if said.choice in SHOE else str(_out(state)))


def _of_claim(state: TableState, said: ClaimStep) -> Basis:
    """The round matters if it is the round of the claim."""
    ours = any(claim.number == said.claim and claim.round == state.number for claim in state.register.claims)
    return Basis(str(state.number)) if ours else Basis()


def _of_meter(state: TableState, _said: MeterCorrection) -> Basis:
    return Basis(str(state.number))


def _of_wish(state: TableState, asked: Asked) -> Basis:
    inner = asked.word or asked.meter
    return based(state, inner) if inner else Basis()


def _of_answer(state: TableState, said: Answered) -> Basis:
    request = state.shift.requests.named(said.request)
    inner = request.word or request.meter
    return based(state, inner) if inner and said.grant else Basis()


BASES: dict[type, Callable[[TableState, Any], Basis]] = {
    Supervisor: _of_word,
    ClaimStep: _of_claim,
    MeterCorrection: _of_meter,
    Asked: _of_wish,
    Answered: _of_answer,
}


def _about(state: TableState, decision: Decision) -> object:
    """The decision without its author and reason, and the one thing that it is about."""
    if isinstance(decision, Asked):
        inner = decision.word or decision.meter
        return _about(state, inner) if inner else decision.about
    if isinstance(decision, ClaimStep):
        claims = (claim for claim in state.register.claims if claim.number == decision.claim)
        return [decision.step, next(claims, None)]
    if isinstance(decision, MeterCorrection):
        return [decision.spot, decision.cents]
    if isinstance(decision, Answered):
        return [decision.grant, state.shift.requests.named(decision.request)]
    return _word(state, decision) if isinstance(decision, Supervisor) else None


def _word(state: TableState, said: Supervisor) -> object:
    """Leaves out the card that is named for the waiting one, which may lie face down. If that card is
    visible, the preview shows it."""
    number = said.round or state.number if said.choice == "correct" else 0
    named = [said.choice, said.seat, said.hand, said.number, said.old, number]
    in_play = number in {0, state.number}
    return [named, _course(state) if said.choice in RETOLD and in_play else None]


def _course(state: TableState) -> object:
    """What happened in the round, without the cards: one of them may lie face down."""
    events = state.course.events
    return [[at, type(one).__name__, one] for at, one in enumerate(events) if not isinstance(one, CardOut)]


def _out(state: TableState) -> int:
    return state.ledger.out + len(state.strays)


def _moved_on(state: TableState, then: str) -> str:
    """What became of the round that the preview showed."""
    if then == NEITHER or int(then) >= state.number:
        return "its token is not that of this decision: look at a fresh preview"
    return f"{ended(state, int(then))} meanwhile"


def ended(state: TableState, number: int) -> str:
    """What became of a round that is not in play: "Round 105 ended"."""
    outcome = next((one.outcome for one in state.rounds if one.number == number), "")
    return f"Round {number} {'became void' if outcome == 'void' else 'ended'}"


def _dealt(then: str, now: str) -> str:
    if NEITHER in (then, now):
        return "its token is not that of this decision: look at a fresh preview"
    if int(now) < int(then):
        return "A fresh shoe was loaded meanwhile"
    return f"A card was dealt meanwhile: {now} cards are out of the shoe, {then} were when you looked"
