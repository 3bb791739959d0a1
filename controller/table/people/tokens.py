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

The table checks tokens when it takes a decision (`consequences.check_token`), never when it applies a row: a
row in the journal was checked before it was written. So rows of older versions, which carry other tokens or
none, replay as they always did."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from controller.round import CardOut
from controller.table.errors import StalePreview
from controller.table.record.choices import CHOICES
from controller.table.record.codec import to_json
from controller.table.record.events import (
    ClaimStep,
    Decision,
    MeterCorrection,
    RequestAnswered,
    RequestMade,
    Supervisor,
)
from controller.table.record.preview import Preview
from controller.table.state.table_state import TableState

IRRELEVANT = "-"
_FORMAT = re.compile(r"([0-9]{1,10}|-)\.([0-9]{1,10}|-)\.([0-9a-f]{16})")


@dataclass(frozen=True, slots=True)
class Basis:
    """Where the table stands, as far as it matters to a decision: the round and the number of cards that have
    left the shoe, each IRRELEVANT if it does not matter."""

    round: str = IRRELEVANT
    cards: str = IRRELEVANT


def needs_token(decision: Decision) -> bool:
    """Whether the decision is refused without the token of its preview."""
    if isinstance(decision, RequestMade):
        return decision.about != "help"
    return isinstance(decision, ClaimStep | MeterCorrection | RequestAnswered) or (
        isinstance(decision, Supervisor) and not CHOICES[decision.choice].only_recorded
    )


def carried_token(decision: Decision) -> str:
    """The token that the decision carries, empty if there is none; a request carries the token of what it
    requests."""
    if isinstance(decision, RequestMade):
        inner = decision.word or decision.meter
        return inner.token if inner else ""
    return getattr(decision, "token", "")


def token(state: TableState, decision: Decision, preview: Preview) -> str:
    """The token of a preview, if the decision needs one. Raises NotAllowed for a request that is not open."""
    if not needs_token(decision):
        return ""
    basis = basis_of(state, decision)
    covered = to_json([_about(state, decision), preview.sentences, list(preview.changes), preview.by_two])
    return f"{basis.round}.{basis.cards}.{hashlib.sha256(covered.encode()).hexdigest()[:16]}"


def check_basis(state: TableState, decision: Decision) -> None:
    """Raises StalePreview if the round or the cards differ from those in the token that the decision
    carries."""
    carried, now = carried_token(decision), basis_of(state, decision)
    match = _FORMAT.fullmatch(carried)
    if match is None:
        raise StalePreview(f"token = {carried!r}: not allowed; allowed: that of a fresh preview")
    then = Basis(match[1], match[2])
    if then.round != now.round:
        raise StalePreview(_moved_on(state, then.round))
    if then.cards != now.cards:
        raise StalePreview(_dealt(then.cards, now.cards))


def check_present(decision: Decision) -> None:
    """Raises StalePreview if the decision carries no token."""
    if not carried_token(decision):
        raise StalePreview("look at its preview first: its token is missing")


def check_preview(decision: Decision, preview: Preview) -> None:
    """Raises StalePreview if the preview of the decision would now show something else."""
    if carried_token(decision) != preview.token:
        now = (
            *preview.sentences,
            *(f"{one.about}: {one.before} becomes {one.after}" for one in preview.changes),
        )
        raise StalePreview(f"what it does has changed meanwhile. Now: {'; '.join(now)}"[:MOST])


MOST = 400
"""The most characters of a refusal."""


def basis_of(state: TableState, decision: Decision) -> Basis:
    """Where the table stands now, as far as it matters. Raises NotAllowed for a request that is not open."""
    return BASES[type(decision)](state, decision)


def _of_supervisor(state: TableState, decision: Supervisor) -> Basis:
    if decision.choice == "correct" and decision.round not in {0, state.number}:
        return Basis()
    return Basis(str(state.number), IRRELEVANT if CHOICES[decision.choice].shoe_only else str(_out(state)))


def _of_claim(state: TableState, step: ClaimStep) -> Basis:
    """The round matters if it is the round of the claim."""
    ours = any(claim.number == step.claim and claim.round == state.number for claim in state.register.claims)
    return Basis(str(state.number)) if ours else Basis()


def _of_meter(state: TableState, _correction: MeterCorrection) -> Basis:
    return Basis(str(state.number))


def _of_request(state: TableState, request: RequestMade) -> Basis:
    inner = request.word or request.meter
    return basis_of(state, inner) if inner else Basis()


def _of_answer(state: TableState, answer: RequestAnswered) -> Basis:
    request = state.shift.requests.find(answer.request)
    inner = request.word or request.meter
    return basis_of(state, inner) if inner and answer.grant else Basis()


BASES: dict[type, Callable[[TableState, Any], Basis]] = {
    Supervisor: _of_supervisor,
    ClaimStep: _of_claim,
    MeterCorrection: _of_meter,
    RequestMade: _of_request,
    RequestAnswered: _of_answer,
}


def _about(state: TableState, decision: Decision) -> object:
    """The decision without its author and reason, and the one thing that it is about."""
    if isinstance(decision, RequestMade):
        inner = decision.word or decision.meter
        return _about(state, inner) if inner else decision.about
    if isinstance(decision, ClaimStep):
        claims = (claim for claim in state.register.claims if claim.number == decision.claim)
        return [decision.step, next(claims, None)]
    if isinstance(decision, MeterCorrection):
        return [decision.spot, decision.cents]
    if isinstance(decision, RequestAnswered):
        return _request(state, decision)
    return _decision(state, decision) if isinstance(decision, Supervisor) else None


def _request(state: TableState, answer: RequestAnswered) -> object:
    """The request with all that was asked for, except a card that may lie face down."""
    request = state.shift.requests.find(answer.request)
    word = _decision(state, request.word) if request.word else None
    return [answer.grant, replace(request, word=None), word]


def _decision(state: TableState, decision: Supervisor) -> object:
    """Leaves out the card that is named for the waiting one, which may lie face down. If that card is
    visible, the preview shows it."""
    number = decision.round or state.number if decision.choice == "correct" else 0
    fields = [decision.choice, decision.seat, decision.hand, decision.number, decision.old, number]
    in_play = number in {0, state.number}
    return [fields, _course(state) if CHOICES[decision.choice].replays and in_play else None]


def _course(state: TableState) -> object:
    """What happened in the round, without the cards: one of them may lie face down."""
    events = state.round_log.events
    return [[at, type(one).__name__, one] for at, one in enumerate(events) if not isinstance(one, CardOut)]


def _out(state: TableState) -> int:
    return state.ledger.out + len(state.unplaced)


def _moved_on(state: TableState, then: str) -> str:
    """What became of the round that the preview showed."""
    if then == IRRELEVANT or int(then) >= state.number:
        return "its token is not that of this decision: look at a fresh preview"
    return f"{round_outcome(state, int(then))} meanwhile"


def round_outcome(state: TableState, number: int) -> str:
    """What became of a round that is not in play: "Round 105 ended"."""
    outcome = next((one.outcome for one in state.ended_views if one.number == number), "")
    return f"Round {number} {'became void' if outcome == 'void' else 'ended'}"


def _dealt(then: str, now: str) -> str:
    if IRRELEVANT in (then, now):
        return "its token is not that of this decision: look at a fresh preview"
    if int(now) < int(then):
        return "A fresh shoe was loaded meanwhile"
    return f"A card was dealt meanwhile: {now} cards are out of the shoe, {then} were when you looked"
