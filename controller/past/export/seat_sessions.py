"""What each seat wagered and won from its first wager until it was left, for player rating.

A journal does not say who sits at a seat. A session of a seat begins with the round of its first wager, and
ends with the round of its last one, as soon as the seat has no wager in `absent` settled rounds in a row. So
a player who sits out a round stays in the session, and two players who take turns at a seat are one session.
A void round counts for nothing. A corrected round counts as corrected.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Final

from controller.currency import currency_in_use
from controller.games import open_game
from controller.journal.chain import JournalRow
from controller.odds.exact import NoOdds, bets
from controller.past.export.chapters import RoundRows, body_of
from controller.past.export.seat_lines import ABSENT, SessionLine
from controller.past.export.span import ExportSpan
from controller.past.replay.rounds import CORRECTED
from controller.table.record.codec import read_ended, read_record
from controller.table.record.kinds import SNAPSHOT
from controller.table.record.notes import RoundCorrected
from controller.table.record.views import LineView, RoundView

MAIN: Final = "main"
SETTLED: Final = "settled"
RULES: Final = frozenset({SNAPSHOT, "started"})
"""Kinds of rows with the rules of a round."""


@dataclass(frozen=True, slots=True)
class SeatSession:
    """Amounts in minor units. `begun` and `ended`: when its first round began and its last one ended, in
    seconds of Unix time. `handle`: stakes on the hands, doubles and splits among them; `side_handle`: all
    others. `won`: what the seat won without its stakes, below 0 if it lost. `theoretical`: what the house
    expects to win of `rated`, the stakes whose exact odds are known. `unknown`: wagers that no sensor
    could value, which are in no sum. `open`: the seat had not been left when the journal ended."""

    seat: int
    begun: float
    ended: float
    first_round: int
    last_round: int
    rounds: int = 0
    handle: int = 0
    side_handle: int = 0
    won: int = 0
    theoretical: Fraction = Fraction(0)
    rated: int = 0
    unknown: int = 0
    open: bool = True

    @property
    def average_bet(self) -> int:
        """Stakes on the hands by round, rounded down to the minor unit."""
        return self.handle // self.rounds if self.rounds else 0

    @property
    def theoretical_win(self) -> int | None:
        """Rounded to the minor unit; None if no stake is rated."""
        return round(self.theoretical) if self.rated else None


@dataclass(slots=True)
class _Seat:
    """The session of a seat, and the rounds since its last wager."""

    session: SeatSession
    absent: int = 0


@dataclass(slots=True)
class SeatSessions:
    """Takes the rounds of a journal in order. `corrected`: the rounds that were corrected after they had
    ended, by number."""

    corrected: Mapping[int, RoundView]
    absent: int = ABSENT
    unsure: int = 0
    """The last of the first `absent` settled rounds. A session that begins later does not depend on the
    rounds before those that were taken."""
    _settled: int = 0
    _seats: dict[int, _Seat] = field(default_factory=dict)

    def take(self, chapter: RoundRows) -> Iterator[SeatSession]:
        """The sessions that end with this round. Raises JournalError, and what `read_ended` raises."""
        ending = next((entry for entry in chapter.rows if entry.content.kind == "round"), None)
        if ending is None:
            return
        ended = read_ended(ending.content).round
        played = self.corrected.get(ended.number, ended)
        if played.outcome != SETTLED:
            return
        if self._settled < self.absent:
            self._settled, self.unsure = self._settled + 1, played.number
        self._add(played, _edges_of(chapter.rows), chapter.rows[0].content.at, ending.content.at)
        yield from self._left(played.number)

    def rest(self) -> Iterator[SeatSession]:
        """The sessions that have not ended."""
        for seat in sorted(self._seats):
            yield self._seats[seat].session

    def goes_on(self, last: int) -> bool:
        """Whether later rounds can decide if a session ended with this round or before."""
        return any(seat.session.last_round <= last for seat in self._seats.values())

    def _add(self, played: RoundView, edges: Mapping[str, Fraction], begun: float, ended: float) -> None:
        for number in sorted({line.seat for line in played.lines}):
            lines = [line for line in played.lines if line.seat == number]
            fresh = SeatSession(number, begun, ended, played.number, played.number)
            seat = self._seats.setdefault(number, _Seat(fresh))
            sums = _sums(seat.session, lines, edges)
            seat.session = replace(sums, ended=ended, last_round=played.number, rounds=sums.rounds + 1)

    def _left(self, number: int) -> Iterator[SeatSession]:
        for place, seat in sorted(self._seats.items()):
            seat.absent = 0 if seat.session.last_round == number else seat.absent + 1
            if seat.absent >= self.absent:
                del self._seats[place]
                yield replace(seat.session, open=False)


def corrected_rounds(rows: Iterable[JournalRow]) -> dict[int, RoundView]:
    """The rounds that were corrected after they had ended, as they were corrected last."""
    records = (read_record(entry.content) for entry in rows if entry.content.kind == CORRECTED)
    return {
        record.number: record.ended.round
        for record in records
        if isinstance(record, RoundCorrected) and record.ended
    }


def seat_sessions(
    chapters: Iterable[RoundRows], corrected: Mapping[int, RoundView], span: ExportSpan, absent: int = ABSENT
) -> Iterator[SeatSession]:
    """The sessions whose last round is in the span, each as soon as it ends."""
    taking = SeatSessions(corrected, absent)
    for chapter in chapters:
        yield from _within(taking.take(chapter), span)
    yield from _within(taking.rest(), span)


def line_of(session: SeatSession) -> SessionLine:
    return SessionLine(
        session.seat,
        session.begun,
        session.ended,
        session.first_round,
        session.last_round,
        session.rounds,
        session.handle,
        session.average_bet,
        session.side_handle,
        session.won,
        session.theoretical_win,
        session.rated,
        session.unknown,
        session.open,
        currency_in_use().code,
    )


def _within(sessions: Iterable[SeatSession], span: ExportSpan) -> Iterator[SeatSession]:
    return (session for session in sessions if span.holds(session.last_round, session.ended))


def _sums(session: SeatSession, lines: Iterable[LineView], edges: Mapping[str, Fraction]) -> SeatSession:
    for line in lines:
        if line.amount is None or line.paid is None:
            session = replace(session, unknown=session.unknown + 1)
            continue
        name = "handle" if line.wager == MAIN else "side_handle"
        session = replace(
            session, won=session.won + line.paid, **{name: getattr(session, name) + line.amount}
        )
        if (edge := edges.get(line.wager)) is not None:
            rated = session.theoretical + edge * line.amount
            session = replace(session, theoretical=rated, rated=session.rated + line.amount)
    return session


def _edges_of(rows: Iterable[JournalRow]) -> Mapping[str, Fraction]:
    """The house edge of each wager that is made before the deal, by the rules of a round. Those of a table's
    first round are in the row of its start."""
    for entry in rows:
        if entry.content.kind in RULES:
            body = body_of(entry)
            rules = body.get("rules", body)
            return _edges(str(rules["game"]), json.dumps(rules.get("options", {}), sort_keys=True))
    return {}


@cache
def _edges(game: str, options: str) -> Mapping[str, Fraction]:
    try:
        known = bets(open_game(game, json.loads(options)))
    except NoOdds:
        return {}
    return {bet.bet: bet.house_edge for bet in known if not bet.given}
