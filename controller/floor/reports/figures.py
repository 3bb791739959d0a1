"""What was played in a period, counted by table, dealer and game, out of the derived rounds."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Self

from controller.calendar import Period
from controller.currency import Currency, named_currency
from controller.floor.day_file import DayReader
from controller.floor.recall.search import RoundName, copied_rounds
from controller.floor.store import FloorArchive

_PLAYED: Final = """
SELECT t, dealer, game, currency, sum(NOT void), sum(void), sum(NOT void AND instr(outcome, 'corrected') > 0),
  sum(NOT void AND instr(outcome, 'jackpot') > 0), sum(NOT void AND NOT known),
  sum(CASE WHEN known AND NOT void THEN wagered ELSE 0 END),
  sum(CASE WHEN known AND NOT void THEN -paid ELSE 0 END),
  sum(CASE WHEN void THEN 0 ELSE length(seats) END), max(won_most), min(at), max(at)
FROM (SELECT *, instr(outcome, 'void') > 0 AS void, wagered IS NOT NULL AND paid IS NOT NULL AS known
  FROM round WHERE at >= ? AND at < ? AND (t, e, number) NOT IN (SELECT json_extract(value, '$[0]'),
  json_extract(value, '$[1]'), json_extract(value, '$[2]') FROM json_each(?)))
GROUP BY t, dealer, game, currency
"""


@dataclass(frozen=True, slots=True)
class PlayFigures:
    """`rounds`: without void ones; `corrected`, `jackpots`: those among them that were corrected, and with a
    share of a jackpot; `unknown`: those with a wager of unknown amount, which are in none of the sums.

    `handle`: all stakes, and `win`, what the bank won of them, in minor units of one currency; `hands`: seats
    that played, over all rounds; `won_most`: the most that one wager won; `seconds`: from the first to the
    last round, added up.
    """

    rounds: int = 0
    void: int = 0
    corrected: int = 0
    jackpots: int = 0
    unknown: int = 0
    handle: int = 0
    win: int = 0
    hands: int = 0
    won_most: int = 0
    seconds: float = 0.0

    @property
    def hold(self) -> Fraction | None:
        """Win / handle; None if no wager of known amount was made."""
        return Fraction(self.win, self.handle) if self.handle else None

    @property
    def per_hour(self) -> float | None:
        """Rounds per hour of play; None if no time of play is known."""
        return 3600 * (self.rounds + self.void) / self.seconds if self.seconds else None

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            rounds=self.rounds + other.rounds,
            void=self.void + other.void,
            corrected=self.corrected + other.corrected,
            jackpots=self.jackpots + other.jackpots,
            unknown=self.unknown + other.unknown,
            handle=self.handle + other.handle,
            win=self.win + other.win,
            hands=self.hands + other.hands,
            won_most=max(self.won_most, other.won_most),
            seconds=self.seconds + other.seconds,
        )


@dataclass(frozen=True, slots=True)
class PlayedPart:
    """What one dealer dealt of one game at one table in one shift; `shift` is the key of its period, `money`
    the currency of all amounts."""

    table: str
    dealer: str
    game: str
    shift: str
    money: Currency
    figures: PlayFigures


def played_parts(
    archive: FloorArchive, shifts: Iterable[Period], tables: Sequence[str] = ()
) -> Iterator[PlayedPart]:
    """Everything that was played in these shifts, at these tables or at all of them. Raises StoreError,
    sqlite3.Error."""
    with ExitStack() as opened:
        files = [opened.enter_context(archive.open(day)) for day in reversed(archive.days())]
        for shift in shifts:
            replaced = set[RoundName]()
            for file in files:
                yield from _parts(file, shift, replaced, tables)
                replaced |= copied_rounds(file)


def _parts(
    file: DayReader, shift: Period, replaced: set[RoundName], tables: Sequence[str]
) -> Iterator[PlayedPart]:
    parameters = (shift.begins, shift.ends, json.dumps(sorted(replaced)))
    for table, dealer, game, currency, *counts, first, last in file.database.execute(_PLAYED, parameters):
        if not tables or table in tables:
            figures = *counts, last - first
            of = table, dealer, game, shift.key, named_currency(currency)
            yield PlayedPart(*of, PlayFigures(*figures))
