"""The report of a period: everything that is said of it, as records. Money is in cents."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from controller.calendar import House, Period
from controller.past.reports import hits, totals, wagers
from controller.past.reports.facts import Event, Facts, Interval, Played, Said
from controller.past.reports.hits import Compared, word
from controller.past.reports.meters import ClaimReport, MeterReport, claims, meters
from controller.past.reports.pace import Bar, Pace, bars, pace
from controller.past.reports.totals import Totals
from controller.past.reports.wagers import Kind
from controller.past.statistics import holm

NOBODY = "nobody has said"


@dataclass(frozen=True, slots=True)
class Voided:
    """A round that does not count."""

    number: int
    at: float


@dataclass(frozen=True, slots=True)
class Dealer:
    """One who dealt: rounds by their last word, their pace, and for how long they stood for it."""

    name: str
    rounds: int
    void: int
    pace: Pace
    seconds: float


@dataclass(frozen=True, slots=True)
class Counted:
    """Something that happened so often, first and last then."""

    code: str
    device: str
    text: str
    count: int
    first: float
    last: float


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody wants to know, and by which house's customs."""

    period: Period
    house: House = field(default_factory=House)


@dataclass(frozen=True, slots=True)
class Report:
    """All of it; `rounds` are those that count, `corrected` those among them that were put right.

    `last_row`: up to which row of the journal the period was read, 0 where it has none.
    """

    asked: Asked
    tables: tuple[str, ...]
    games: tuple[str, ...]
    versions: tuple[str, ...]
    rounds: int
    first_round: int | None
    last_round: int | None
    void: tuple[Voided, ...]
    corrected: tuple[int, ...]
    shoes: int
    refusals: int
    pace: Pace
    bars: tuple[Bar, ...]
    dealers: tuple[Dealer, ...]
    wagers: tuple[Kind, ...]
    hits: tuple[Compared, ...]
    totals: Totals
    totals_corrected: float | None
    meters: tuple[MeterReport, ...]
    claims: tuple[ClaimReport, ...]
    losses: tuple[Interval, ...]
    faults: tuple[Counted, ...]
    suspensions: tuple[Interval, ...]
    alerts: tuple[Counted, ...]
    dealing: tuple[Interval, ...]
    said: tuple[Said, ...]
    clock_steps: tuple[float, ...]
    last_row: int

    @property
    def totals_word(self) -> str:
        """What to do about the dealer's totals; empty where there are too few to say."""
        return "" if self.totals_corrected is None else word(self.totals.chance or 0.0, self.totals_corrected)


def report(facts: Facts, asked: Asked) -> Report:
    """What the facts of a period come to."""
    counting = [played for played in facts.rounds if not played.void]
    numbers = [played.round.number for played in facts.rounds]
    compared, found = _compared(counting)
    return Report(
        asked=asked,
        tables=tuple(facts.tables),
        games=tuple(dict.fromkeys(played.rules.game for played in facts.rounds)),
        versions=tuple(facts.versions),
        rounds=len(counting),
        first_round=min(numbers, default=None),
        last_round=max(numbers, default=None),
        void=tuple(Voided(played.round.number, played.at) for played in facts.rounds if played.void),
        corrected=tuple(played.round.number for played in counting if played.round.corrections),
        shoes=facts.shoes,
        refusals=facts.refusals,
        pace=pace(counting, asked.house.pause),
        bars=bars(counting, asked.period, asked.house.pause),
        dealers=tuple(_dealers(facts, asked.house.pause)),
        wagers=wagers.kinds(counting),
        hits=compared,
        totals=found[0],
        totals_corrected=found[1],
        meters=meters(facts),
        claims=claims(facts),
        losses=tuple(facts.intervals),
        faults=_counted(facts.faults),
        suspensions=tuple(facts.suspensions),
        alerts=_counted(facts.alerts),
        dealing=tuple(facts.dealing),
        said=tuple(facts.said),
        clock_steps=tuple(facts.clock_steps),
        last_row=facts.last_row,
    )


def _compared(rounds: Sequence[Played]) -> tuple[tuple[Compared, ...], tuple[Totals, float | None]]:
    """Every comparison counts among all of them, the dealer's totals as one."""
    found, ends = hits.compared(rounds), totals.totals(rounds)
    further = [] if ends.chance is None else [ends.chance]
    values = holm([*(each.chance for each in found), *further])
    return hits.corrected(found, values), (ends, values[-1] if further else None)


def _dealers(facts: Facts, pause: float) -> Iterable[Dealer]:
    by_name: dict[str, list[Played]] = {}
    for played in facts.rounds:
        by_name.setdefault(played.croupier, []).append(played)
    for name, rounds in by_name.items():
        counting = [played for played in rounds if not played.void]
        stood = sum(each.seconds for each in facts.dealing if each.what == name)
        yield Dealer(name or NOBODY, len(counting), len(rounds) - len(counting), pace(counting, pause), stood)


def _counted(events: Iterable[Event]) -> tuple[Counted, ...]:
    """The most frequent first."""
    by_text: dict[tuple[str, str, str], list[float]] = {}
    for event in events:
        by_text.setdefault((event.code, event.device, event.text), []).append(event.at)
    counts = Counter({key: len(stamps) for key, stamps in by_text.items()})
    return tuple(
        Counted(*key, count, min(by_text[key]), max(by_text[key])) for key, count in counts.most_common()
    )
