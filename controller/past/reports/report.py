"""The report of a period, as records. Money is in cents."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from controller.calendar import Period, ReportSettings
from controller.past.anchor import Anchor
from controller.past.reports import hits, totals, wagers
from controller.past.reports.facts import Decision, Facts, ReportedEvent, ReportedRound, TimeInterval
from controller.past.reports.hits import HitComparison, verdict_word
from controller.past.reports.meters import ClaimReport, MeterReport, claim_reports, meter_reports
from controller.past.reports.pace import PaceBar, PaceReport, bars, pace_report
from controller.past.reports.totals import TotalsComparison
from controller.past.reports.wagers import WagerKind
from controller.past.statistics import holm

NO_DEALER = "dealer not recorded"


@dataclass(frozen=True, slots=True)
class VoidRound:
    number: int
    at: float


@dataclass(frozen=True, slots=True)
class DealerReport:
    """One dealer. `seconds`: how long the dealer was at the table."""

    name: str
    rounds: int
    void: int
    pace: PaceReport
    seconds: float


@dataclass(frozen=True, slots=True)
class EventCount:
    """An event that happened `count` times."""

    code: str
    device: str
    text: str
    count: int
    first: float
    last: float


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """What to report, by which settings."""

    period: Period
    house: ReportSettings = field(default_factory=ReportSettings)


@dataclass(frozen=True, slots=True)
class Report:
    """`rounds`: without void ones; `corrected`: those among them that were corrected. `last_row`: the last
    row of the period, 0 if it has none; `anchor`: the newest row of the journal that may be published."""

    asked: ReportRequest
    tables: tuple[str, ...]
    games: tuple[str, ...]
    versions: tuple[str, ...]
    rounds: int
    first_round: int | None
    last_round: int | None
    void: tuple[VoidRound, ...]
    corrected: tuple[int, ...]
    shoes: int
    refusals: int
    pace: PaceReport
    bars: tuple[PaceBar, ...]
    dealers: tuple[DealerReport, ...]
    wagers: tuple[WagerKind, ...]
    hits: tuple[HitComparison, ...]
    totals: TotalsComparison
    totals_corrected: float | None
    meters: tuple[MeterReport, ...]
    claims: tuple[ClaimReport, ...]
    losses: tuple[TimeInterval, ...]
    faults: tuple[EventCount, ...]
    suspensions: tuple[TimeInterval, ...]
    alerts: tuple[EventCount, ...]
    dealing: tuple[TimeInterval, ...]
    said: tuple[Decision, ...]
    clock_steps: tuple[float, ...]
    last_row: int
    anchor: Anchor | None

    @property
    def totals_word(self) -> str:
        """The verdict on the dealer's totals; empty if there are too few hands."""
        return (
            ""
            if self.totals_corrected is None
            else verdict_word(self.totals.chance or 0.0, self.totals_corrected)
        )


def build_report(facts: Facts, request: ReportRequest) -> Report:
    counting = [played for played in facts.rounds if not played.void]
    numbers = [played.figures.number for played in facts.rounds]
    compared, found = _compared(counting)
    return Report(
        asked=request,
        tables=tuple(facts.tables),
        games=tuple(dict.fromkeys(played.figures.rules.game for played in facts.rounds)),
        versions=tuple(facts.versions),
        rounds=len(counting),
        first_round=min(numbers, default=None),
        last_round=max(numbers, default=None),
        void=tuple(VoidRound(played.figures.number, played.at) for played in facts.rounds if played.void),
        corrected=tuple(played.figures.number for played in counting if played.figures.corrected),
        shoes=facts.shoes,
        refusals=facts.refusals,
        pace=pace_report(counting, request.house.pause),
        bars=bars(counting, request.period, request.house.pause),
        dealers=tuple(_dealers(facts, request.house.pause)),
        wagers=wagers.wager_kinds(counting),
        hits=compared,
        totals=found[0],
        totals_corrected=found[1],
        meters=meter_reports(facts),
        claims=claim_reports(facts),
        losses=tuple(facts.intervals),
        faults=_counted(facts.faults),
        suspensions=tuple(facts.suspensions),
        alerts=_counted(facts.alerts),
        dealing=tuple(facts.dealing),
        said=tuple(facts.said),
        clock_steps=tuple(facts.clock_steps),
        last_row=facts.last_row,
        anchor=facts.anchor,
    )


def _compared(
    rounds: Sequence[ReportedRound],
) -> tuple[tuple[HitComparison, ...], tuple[TotalsComparison, float | None]]:
    """The dealer's totals are one comparison among all."""
    found, ends = hits.compare_hits(rounds), totals.compare_totals(rounds)
    further = [] if ends.chance is None else [ends.chance]
    values = holm([*(each.chance for each in found), *further])
    return hits.with_corrected_chances(found, values), (ends, values[-1] if further else None)


def _dealers(facts: Facts, pause: float) -> Iterable[DealerReport]:
    by_name: dict[str, list[ReportedRound]] = {}
    for played in facts.rounds:
        by_name.setdefault(played.croupier, []).append(played)
    for name, rounds in by_name.items():
        counting = [played for played in rounds if not played.void]
        stood = sum(each.seconds for each in facts.dealing if each.what == name)
        yield DealerReport(
            name or NO_DEALER, len(counting), len(rounds) - len(counting), pace_report(counting, pause), stood
        )


def _counted(events: Iterable[ReportedEvent]) -> tuple[EventCount, ...]:
    """The most frequent events first."""
    by_text: dict[tuple[str, str, str], list[float]] = {}
    for event in events:
        by_text.setdefault((event.code, event.device, event.text), []).append(event.at)
    counts = Counter({key: len(stamps) for key, stamps in by_text.items()})
    return tuple(
        EventCount(*key, count, min(by_text[key]), max(by_text[key])) for key, count in counts.most_common()
    )
