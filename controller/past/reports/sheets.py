"""A report as CSV sheets, in which no text becomes a formula. Each begins with a byte order mark: without it,
some spreadsheets do not recognize UTF-8."""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from controller.currency import currency_in_use
from controller.past.export.cells import Amount, Cell, csv_line, money
from controller.past.export.lines import iso_time
from controller.past.reports.facts import TimeInterval
from controller.past.reports.json_form import comparisons
from controller.past.reports.meters import KINDS, POTS
from controller.past.reports.report import EventCount, Report

SheetLine = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ReportSheet:
    headings: tuple[str, ...]
    lines: Callable[[Report], Iterator[SheetLine]]


def sheet(report: Report, name: str) -> bytes:
    """The content of one of SHEETS."""
    chosen = SHEETS[name]
    return b"".join((BOM_UTF8, csv_line(chosen.headings), *map(csv_line, chosen.lines(report))))


def _summary(report: Report) -> Iterator[SheetLine]:
    period, pace = report.asked.period, report.pace
    yield "table", " ".join(report.tables)
    yield "game", " ".join(report.games)
    yield "versions", " ".join(report.versions)
    yield "period", period.title
    yield "currency", currency_in_use().code
    yield "zone", report.asked.house.calendar.zone
    yield "begins", iso_time(period.begins)
    yield "ends", iso_time(period.ends)
    yield "rounds", report.rounds
    yield "rounds corrected", len(report.corrected)
    yield "rounds void", len(report.void)
    yield "rounds per hour", number(pace.per_hour)
    yield "target", report.asked.house.target or None
    yield "open hours", number(pace.open_seconds / 3600)
    yield "pauses", pace.pauses
    yield "median round seconds", number(pace.median_seconds)
    yield "90 % of rounds within seconds", number(pace.p90_seconds)
    yield "cards per round", number(None if pace.cards_per_round is None else float(pace.cards_per_round))
    yield "handle", money(report.wagers[-1].handle)
    yield "win", money(report.wagers[-1].win)
    yield "hold percent", _percent(report.wagers[-1].hold)
    yield "shoes ended", report.shoes
    yield "refused keys", report.refusals
    yield "clock set", len(report.clock_steps)
    yield "comparisons with the odds", comparisons(report)
    yield from _totals_test(report)
    yield "rows up to", report.last_row
    yield "anchor", str(report.anchor) if report.anchor else None


def _totals_test(report: Report) -> Iterator[SheetLine]:
    """The test of the dealer's totals."""
    found = report.totals
    yield "dealer's totals, hands", found.hands
    yield "dealer's totals, chi-squared", number(found.statistic)
    yield "dealer's totals, degrees of freedom", found.degrees or None
    yield "dealer's totals, chance", number(found.chance, 6)
    yield "dealer's totals, chance among all", number(report.totals_corrected, 6)
    yield "dealer's totals, word", report.totals_word or None


def _wagers(report: Report) -> Iterator[SheetLine]:
    for kind in report.wagers:
        yield (
            kind.wager,
            kind.count,
            kind.won,
            kind.pushed,
            kind.lost,
            kind.unknown,
            money(kind.handle),
            money(kind.paid),
            money(kind.taken),
            money(kind.win),
            _percent(kind.hold),
            currency_in_use().code,
        )


def _hits(report: Report) -> Iterator[SheetLine]:
    for each in report.hits:
        yield (
            each.bet,
            each.event,
            each.unit,
            each.trials,
            each.observed,
            number(float(each.expected), 4),
            each.low,
            each.high,
            each.alarm_low,
            each.alarm_high,
            number(each.chance, 6),
            number(each.corrected, 6),
            each.word,
        )


def _totals(report: Report) -> Iterator[SheetLine]:
    for total in report.totals.totals:
        yield total.name, total.observed, number(float(total.expected), 4), total.low, total.high


def _dealers(report: Report) -> Iterator[SheetLine]:
    for each in report.dealers:
        hours = number(each.seconds / 3600)
        yield each.name, each.rounds, each.void, number(each.pace.per_hour), hours


def _pace(report: Report) -> Iterator[SheetLine]:
    for bar in report.bars:
        yield (
            iso_time(bar.begins),
            number(bar.seconds),
            bar.rounds,
            bar.timed,
            number(bar.open_seconds),
            number(bar.per_hour),
        )


def _meters(report: Report) -> Iterator[SheetLine]:
    for each in report.meters:
        pots = (each.pots.get(pot) for pot in POTS)
        yield (
            each.spot,
            money(each.begins),
            money(each.ends),
            *(money(each.moved[kind]) for kind in KINDS),
            money(each.elsewhere),
            *(None if pot is None else number(float(pot / currency_in_use().unit), 6) for pot in pots),
            "; ".join(each.faults),
            currency_in_use().code,
        )


def _claims(report: Report) -> Iterator[SheetLine]:
    for each in report.claims:
        yield (
            each.number,
            each.spot,
            each.round,
            each.seat,
            each.hit,
            money(each.cents),
            each.state,
            money(each.paid),
            currency_in_use().code,
        )


def _rounds(report: Report) -> Iterator[SheetLine]:
    for void in report.void:
        yield void.number, iso_time(void.at), "void"
    for corrected in report.corrected:
        yield corrected, None, "corrected"


def _intervals(found: Iterable[TimeInterval]) -> Iterator[SheetLine]:
    for each in found:
        still = "goes on" if each.open else ""
        yield each.device, each.what, iso_time(each.begins), iso_time(each.ends), number(each.seconds), still


def _counted(found: Iterable[EventCount]) -> Iterator[SheetLine]:
    for each in found:
        yield each.code, each.device, each.text, each.count, iso_time(each.first), iso_time(each.last)


def _people(report: Report) -> Iterator[SheetLine]:
    for stint in report.dealing:
        yield iso_time(stint.begins), stint.what, None, "deals", None, number(stint.seconds)
    for said in report.said:
        yield iso_time(said.at), said.who, said.second, said.what, said.why, None


def _percent(share: Fraction | None) -> Cell:
    return number(None if share is None else float(share * 100))


def number(value: float | None, places: int = 2) -> Cell:
    """A number as a cell; empty for None."""
    return None if value is None else Amount(f"{value:.{places}f}")


INTERVAL_HEADINGS = ("device", "what", "begins", "ends", "seconds", "still")
EVENT_HEADINGS = ("code", "device", "what", "count", "first", "last")
SHEETS: Mapping[str, ReportSheet] = {
    "summary": ReportSheet(("what", "is"), _summary),
    "rounds": ReportSheet(("round", "ended", "what"), _rounds),
    "dealers": ReportSheet(("dealer", "rounds", "void", "per_hour", "hours"), _dealers),
    "pace": ReportSheet(("begins", "seconds", "rounds", "timed", "open_seconds", "per_hour"), _pace),
    "wagers": ReportSheet(
        (
            "wager",
            "count",
            "won",
            "pushed",
            "lost",
            "unknown",
            "handle",
            "paid",
            "taken",
            "win",
            "hold_percent",
            "currency",
        ),
        _wagers,
    ),
    "hits": ReportSheet(
        (
            "bet",
            "event",
            "unit",
            "trials",
            "observed",
            "expected",
            "low_95",
            "high_95",
            "low_999",
            "high_999",
            "chance",
            "chance_among_all",
            "word",
        ),
        _hits,
    ),
    "totals": ReportSheet(("total", "observed", "expected", "low_95", "high_95"), _totals),
    "meters": ReportSheet(
        ("spot", "begins", "ends", *KINDS, "elsewhere", *POTS, "faults", "currency"), _meters
    ),
    "claims": ReportSheet(
        ("claim", "spot", "round", "seat", "hit", "amount", "state", "paid", "currency"), _claims
    ),
    "losses": ReportSheet(INTERVAL_HEADINGS, lambda report: _intervals(report.losses)),
    "faults": ReportSheet(EVENT_HEADINGS, lambda report: _counted(report.faults)),
    "suspensions": ReportSheet(INTERVAL_HEADINGS, lambda report: _intervals(report.suspensions)),
    "alerts": ReportSheet(EVENT_HEADINGS, lambda report: _counted(report.alerts)),
    "people": ReportSheet(("time", "who", "second", "what", "why", "seconds"), _people),
}
