"""Corrections: the round is replayed with a change, and a person sees the consequences before they hold.

Theory of operation
-------------------
Three decisions change what happened in a round: a card was misread (`correct`), a card came late for a hand
that has had its turn (`assign`), the dealer pressed a wrong key (`undo`). None of them edits hands or
payments. A round is a pure function of its events, so the table keeps the list of events of the round in
play (`RoundLog`), makes a new list with the change, and replays both lists from the start.
`RoundComparison` holds the two results:

- `old` is the round as it is, `new` the round with the change.
- The rules may no longer allow some events of the list: a key for a hand that is now over, a card that has
  no place any more. The replay passes over them and reports them; such a card counts as burned. They stay
  in the list, so that a second correction can make them count again.
- Every other card goes where the rules send it. Wagers of a window that never opened are given back. The
  difference between `old` and `new` becomes sentences: cards that move, keys that fall away, money to give
  or take back.

A round that has ended is replayed from its script (ended_rounds.py). The table keeps the last 50.

The invariants:

- Nothing changes before the whole decision is known to be allowed: a refusal leaves state and journal as
  they were.
- The preview and the decision use the same comparison. The decision carries the token of the preview
  (tokens.py), so that a person accepts exactly what they have seen.
- The face-down card stays secret. If the new replay would turn it or tell what the dealer's look found,
  `visible` ends before that event, and the preview says that the rest is not shown. A change that would
  make another card the face-down one is refused: nobody may know which card that is.
- Jackpots are never recomputed silently. If a correction changes the shares that the round in play wins,
  the shares are taken back and locked again by meter movements, which takes two persons. After a round has
  ended, its claims must be void first, and the meter is corrected by a command of its own.
- Nothing is deleted. The round records each correction in a sentence, and the journal keeps who made it and
  why.

Decisions 28 and 35 (docs/decisions) give the reasons.
"""

from controller.round import CardOut, Command, Peeked, Revealed, Round, Settled
from controller.round.replay import ReplayedRound
from controller.table.apply import jackpots, play
from controller.table.errors import NotAllowed
from controller.table.people.corrections import ended_rounds
from controller.table.people.corrections.cases import CardCorrection
from controller.table.people.corrections.replay import RoundComparison
from controller.table.people.corrections.sentences import changes, payments, sentences
from controller.table.record.causes import cause
from controller.table.record.events import Supervisor
from controller.table.record.notes import RoundCorrected, RoundEnded
from controller.table.record.preview import Preview
from controller.table.state.round_log import RoundLog
from controller.table.state.table_state import TableState
from controller.table.view import round_view


def preview_correction(state: TableState, correction: CardCorrection) -> Preview:
    """Raises NotAllowed if the card cannot be corrected."""
    sentences = (
        _capitalized(correction.sentence),
        *_round_sentences(correction),
        *_jackpots(state, correction),
    )
    two = correction.ended is None and _wins_otherwise(correction) and jackpots.needs_two(state)
    return Preview(sentences, changes(correction.comparison), by_two=two)


def apply_correction(state: TableState, decision: Supervisor, correction: CardCorrection) -> None:
    """Correct the round. Raises NotAllowed without having changed anything."""
    take = _in_the_past if correction.ended else _in_play
    take(state, decision, correction)


def _round_sentences(correction: CardCorrection) -> tuple[str, ...]:
    if correction.ended:
        ended_rounds.corrected_round(correction.ended, correction.comparison, correction.sentence)
    return sentences(correction.comparison)


def _in_play(state: TableState, decision: Supervisor, correction: CardCorrection) -> None:
    comparison, before = correction.comparison, (state.round, state.script_writer, state.round_log)
    state.replay_round(_course(state.round_log, correction), comparison.new.accepted)
    try:
        if state.locked_shares is not None:
            jackpots.recompute_shares(state, correction.sentence, decision.who, decision.second)
    except NotAllowed:
        state.round, state.script_writer, state.round_log = before
        raise
    state.notes.append(_note(decision, correction, None))
    _count(state, correction)
    _alert(state, correction, payments(comparison))
    play.apply_commands(state, _new_commands(comparison))


def _in_the_past(state: TableState, decision: Supervisor, correction: CardCorrection) -> None:
    ended = (
        ended_rounds.corrected_round(correction.ended, correction.comparison, correction.sentence)
        if correction.ended
        else None
    )
    if ended is None:
        raise NotAllowed("the round has not ended")
    _check_claims(state, correction)
    ended_rounds.replace_ended(state, ended)
    if correction.number >= state.ledger.first_round:
        state.ledger.correct(correction.old, correction.card)
        _unburn(state, _on_table(correction.comparison.new, 0) - _on_table(correction.comparison.old, 0))
    state.notes.append(_note(decision, correction, ended))
    _alert(state, correction, payments(correction.comparison))


def _course(course: RoundLog, correction: CardCorrection) -> RoundLog:
    """The log with the events of the new replay. An inserted card moves later positions by one."""
    comparison, older = correction.comparison, course.before_shoe
    older += comparison.is_extra and comparison.at < older
    return RoundLog(
        [*comparison.events], older, comparison.new.hole, (*course.corrections, correction.sentence)
    )


def _count(state: TableState, correction: CardCorrection) -> None:
    """Update the ledger. It does not contain cards of an earlier shoe."""
    comparison, course = correction.comparison, state.round_log
    if comparison.is_extra:
        play.count_card(state, correction.card, "dealt")
    elif comparison.at >= course.before_shoe:
        state.ledger.correct(correction.old, correction.card)
    if (
        comparison.old.hidden is None
        and comparison.new.hidden is not None
        and not course.hole_is_of_older_shoe
    ):
        hole = comparison.events[comparison.new.hidden]
        if isinstance(hole, CardOut):
            state.ledger.hide(hole.card)
    older = course.before_shoe
    _unburn(state, _on_table(comparison.new, older) - _on_table(comparison.old, older) - comparison.is_extra)


def _unburn(state: TableState, more: int) -> None:
    """`more` cards that counted as burned lie on the table now; a negative number means the opposite."""
    state.ledger.fates["dealt"] += more
    state.ledger.fates["burned"] -= more


def _on_table(replay: ReplayedRound, older: int) -> int:
    """The number of cards on the table that came out of the shoe in use."""
    places = {*replay.positions.values(), *({replay.hidden} - {None})}
    return sum(at is not None and at >= older for at in places)


def _new_commands(comparison: RoundComparison) -> tuple[Command, ...]:
    """The commands that only the new replay gives. A card that was turned is not turned again."""
    old = [effect.command for effect in comparison.old.commands]
    new = (said.command for said in comparison.new.commands)
    kinds = (Peeked, Settled) if comparison.old.hidden is None else (Peeked, Revealed, Settled)
    return tuple(command for command in new if isinstance(command, kinds) and command not in old)


def _note(decision: Supervisor, correction: CardCorrection, ended: RoundEnded | None) -> RoundCorrected:
    old, new = correction.comparison.old.round, correction.comparison.new.round
    return RoundCorrected(
        correction.number,
        decision.seat,
        decision.hand,
        decision.number,
        correction.old,
        correction.card,
        decision.who,
        decision.why,
        decision.second,
        _round_sentences(correction),
        round_view.lines(old),
        round_view.lines(new),
        ended,
    )


def _alert(state: TableState, correction: CardCorrection, more: tuple[str, ...]) -> None:
    state.alert(cause("correction"), f"Round {correction.number} is corrected: {correction.sentence}")
    for sentence in more:
        state.alert(cause("correction"), sentence)


def _jackpots(state: TableState, correction: CardCorrection) -> tuple[str, ...]:
    if not _wins_otherwise(correction):
        return ()
    if correction.ended:
        _check_claims(state, correction)
        return ("The shares of its jackpot would be different: correct the meter with tableside table meter",)
    return ("The jackpot is recomputed",)


def _check_claims(state: TableState, correction: CardCorrection) -> None:
    """Raises NotAllowed if an ended round has claims for shares that the correction changes: they must be
    made void first."""
    if not _wins_otherwise(correction):
        return
    for claim in state.register.of_round(correction.number):
        raise NotAllowed(f"claim {claim.number} of that round is {claim.state}: make the claim void first")


def _wins_otherwise(correction: CardCorrection) -> bool:
    """Whether the correction changes the shares of jackpots that the round wins."""
    return won_shares(correction.comparison.old.round) != won_shares(correction.comparison.new.round)


def won_shares(played: Round) -> list[tuple[int, str, int]]:
    """The won shares of jackpots: seat, spot, cents."""
    return [
        (line.seat, line.wager, jackpots.share_cents(line))
        for line in played.shares
        if jackpots.share_cents(line)
    ]


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
