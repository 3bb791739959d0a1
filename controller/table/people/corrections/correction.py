"""Cards that were misread, or came late: the round is told once more from its own events; a person sees what
that changes before it holds."""

from controller.round import CardOut, Command, Peeked, Revealed, Round, Settled
from controller.round.replay import Retold
from controller.table.apply import jackpots, play
from controller.table.errors import NotAllowed
from controller.table.people.corrections import ended_rounds
from controller.table.people.corrections.cases import Case
from controller.table.people.corrections.replay import Remade
from controller.table.people.corrections.sentences import changes, payments, sentences
from controller.table.record.causes import cause
from controller.table.record.events import Supervisor
from controller.table.record.notes import RoundCorrected, RoundEnded
from controller.table.record.preview import Preview
from controller.table.state.round_log import Course
from controller.table.state.table_state import TableState
from controller.table.view import round_view


def preview(state: TableState, case: Case) -> Preview:
    """What would be different; raises NotAllowed where it cannot be put right."""
    told = (_first_up(case.says), *_told(case), *_jackpots(state, case))
    two = case.ended is None and _wins_otherwise(case) and jackpots.takes_two(state)
    return Preview(told, changes(case.remade), by_two=two)


def accept(state: TableState, said: Supervisor, case: Case) -> None:
    """Correct the round. Raises NotAllowed without having changed anything."""
    take = _in_the_past if case.ended else _in_play
    take(state, said, case)


def _told(case: Case) -> tuple[str, ...]:
    """What the preview says of the round itself."""
    if case.ended:
        ended_rounds.corrected(case.ended, case.remade, case.says)
    return sentences(case.remade)


def _in_play(state: TableState, said: Supervisor, case: Case) -> None:
    remade, before = case.remade, (state.round, state.written, state.course)
    state.retell(_course(state.course, case), remade.new.took)
    try:
        if state.shares is not None:
            jackpots.recompute(state, case.says, said.who, said.second)
    except NotAllowed:
        state.round, state.written, state.course = before
        raise
    state.notes.append(_note(said, case, None))
    _count(state, case)
    _say(state, case, payments(remade))
    play.follow(state, _news(remade))


def _in_the_past(state: TableState, said: Supervisor, case: Case) -> None:
    ended = ended_rounds.corrected(case.ended, case.remade, case.says) if case.ended else None
    if ended is None:
        raise NotAllowed("the round has not ended")
    _check_claims(state, case)
    ended_rounds.put_right(state, ended)
    if case.number >= state.ledger.since:
        state.ledger.correct(case.old, case.card)
        _redeem(state, _on_table(case.remade.new, 0) - _on_table(case.remade.old, 0))
    state.notes.append(_note(said, case, ended))
    _say(state, case, payments(case.remade))


def _course(course: Course, case: Case) -> Course:
    """With the events of the new telling; places after a card that is one more are one further."""
    remade, older = case.remade, course.older
    older += remade.more and remade.at < older
    return Course([*remade.events], older, remade.new.hole, (*course.corrections, case.says))


def _count(state: TableState, case: Case) -> None:
    """The ledger follows; cards of a shoe that is not in use any more are not in it."""
    remade, course = case.remade, state.course
    if remade.more:
        play.count(state, case.card, "dealt")
    elif remade.at >= course.older:
        state.ledger.correct(case.old, case.card)
    if remade.old.hidden is None and remade.new.hidden is not None and not course.hole_is_older:
        hole = remade.events[remade.new.hidden]
        if isinstance(hole, CardOut):
            state.ledger.hide(hole.card)
    older = course.older
    _redeem(state, _on_table(remade.new, older) - _on_table(remade.old, older) - remade.more)


def _redeem(state: TableState, more: int) -> None:
    """So many cards that were burned lie on the table now; under 0: the other way round."""
    state.ledger.fates["dealt"] += more
    state.ledger.fates["burned"] -= more


def _on_table(told: Retold, older: int) -> int:
    """How many cards lie on the table, of those of the shoe in use."""
    places = {*told.laid.values(), *({told.hidden} - {None})}
    return sum(at is not None and at >= older for at in places)


def _news(remade: Remade) -> tuple[Command, ...]:
    """What is told now and was not told before; a card that was turned is not turned again."""
    old = [said.command for said in remade.old.said]
    new = (said.command for said in remade.new.said)
    kinds = (Peeked, Settled) if remade.old.hidden is None else (Peeked, Revealed, Settled)
    return tuple(one for one in new if isinstance(one, kinds) and one not in old)


def _note(said: Supervisor, case: Case, ended: RoundEnded | None) -> RoundCorrected:
    old, new = case.remade.old.round, case.remade.new.round
    return RoundCorrected(
        case.number, said.seat, said.hand, said.number, case.old, case.card, said.who, said.why, said.second,
        _told(case), round_view.lines(old), round_view.lines(new), ended,
    )  # fmt: skip


def _say(state: TableState, case: Case, more: tuple[str, ...]) -> None:
    state.alert(cause("correction"), f"Round {case.number} is corrected: {case.says}")
    for sentence in more:
        state.alert(cause("correction"), sentence)


def _jackpots(state: TableState, case: Case) -> tuple[str, ...]:
    """What the correction does to jackpots."""
    if not _wins_otherwise(case):
        return ()
    if case.ended:
        _check_claims(state, case)
        return ("Its jackpot would have been won otherwise: put the meter right with tableside meter",)
    return ("The jackpot is told anew",)


def _check_claims(state: TableState, case: Case) -> None:
    """Of an ended round: claims for other shares than it would have are made void first."""
    if not _wins_otherwise(case):
        return
    for claim in state.register.of_round(case.number):
        raise NotAllowed(f"claim {claim.number} of that round is {claim.state}: make the claim void first")


def _wins_otherwise(case: Case) -> bool:
    """Whether other shares of jackpots are won."""
    return shares(case.remade.old.round) != shares(case.remade.new.round)


def shares(played: Round) -> list[tuple[int, str, int]]:
    """The shares of jackpots that are won: seat, spot, cents."""
    return [(line.seat, line.wager, jackpots.won(line)) for line in played.shares if jackpots.won(line)]


def _first_up(text: str) -> str:
    return text[:1].upper() + text[1:]
