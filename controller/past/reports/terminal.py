"""A report as tables on a terminal."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from rich.table import Table

from controller.games.spots import spot_title
from controller.money import text
from controller.past.reports.facts import TimeInterval
from controller.past.reports.hits import EXPECTED
from controller.past.reports.json_form import attention, comparisons, mean
from controller.past.reports.report import Report

FEW = 40
"""Lines of one table; the sheets have all lines."""
METER_ROWS = {
    "contributed": ("contribution",),
    "won": ("lock", "win"),
    "reset": ("seed",),
    "corrected": ("correction",),
}
"""The lines of a meter, and the kinds of movements in each."""


def report_tables(report: Report) -> Iterator[Table]:
    """The tables that have lines."""
    for make in TABLES:
        table = make(report)
        if table.row_count:
            yield table


def attention_lines(report: Report) -> Iterator[str]:
    """What a person should look at, and how many comparisons there were."""
    found = attention(report)
    yield from (f"Look at it: {each}" for each in found)
    if comparisons(report) and not found:
        yield f"{comparisons(report)} comparisons with the exact odds, none of them over the alarm level."


def duration(seconds: float | None) -> str:
    """ "1 h 05 min", "4 min 20 s", "12.5 s"."""
    if seconds is None:
        return "-"
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def _summary(report: Report) -> Table:
    pace, shown = report.pace, report.asked.house.calendar.format_time
    period, zone = report.asked.period, report.asked.house.calendar.zone
    cards = "-" if pace.cards_per_round is None else f"{float(pace.cards_per_round):.1f}"
    wanted = f", target {report.asked.house.target}" if report.asked.house.target else ""
    played = report.wagers[-1]
    per_hour = "-" if pace.per_hour is None else f"{pace.per_hour:.1f}"
    table = _table(period.title, ("", ""))
    for row in (
        ("handle", text(played.handle)),
        ("win", text(played.win)),
        ("pace, rounds per hour of open time", f"{per_hour}{wanted}"),
        ("table", ", ".join(report.tables) or "-"),
        ("game", ", ".join(report.games) or "-"),
        ("versions", ", ".join(report.versions) or "-"),
        ("from, to", f"{shown(period.begins)}, {shown(period.ends)} {zone}"),
        ("rounds", f"{report.rounds}, {len(report.corrected)} of them corrected; {len(report.void)} void"),
        ("open time, pauses", f"{duration(pace.open_seconds)}, {pace.pauses}"),
        ("round time, median and 90 %", f"{duration(pace.median_seconds)}, {duration(pace.p90_seconds)}"),
        ("cards per round", cards),
        ("anchor", str(report.anchor) if report.anchor else "-"),
    ):
        table.add_row(*row)
    return table


def _dealers(report: Report) -> Table:
    table = _table("dealers", ("dealer", "rounds", "void", "per hour", "stood for it"), left=1)
    for each in report.dealers:
        per_hour = "-" if each.pace.per_hour is None else f"{each.pace.per_hour:.1f}"
        table.add_row(each.name, str(each.rounds), str(each.void), per_hour, duration(each.seconds))
    return table


def _wagers(report: Report) -> Table:
    headings = ("wager", "count", "unknown", "handle", "paid", "win", "hold %")
    table = _table("wagers", headings, left=1)
    for kind in report.wagers if report.rounds else ():
        hold = "-" if kind.hold is None else f"{float(kind.hold * 100):.2f}"
        table.add_row(
            spot_title(kind.wager),
            str(kind.count),
            str(kind.unknown),
            text(kind.handle),
            text(kind.paid),
            text(kind.win),
            hold,
        )
    return table


def _hits(report: Report) -> Table:
    """The verdict is shown only if it is not "as expected", so that a line fits 80 columns."""
    table = _table(
        "against the exact odds", ("bet, event", "seen", "expected", "band 95 %", "chance", ""), left=1
    )
    for each in report.hits:
        table.add_row(
            f"{each.bet}: {each.event}",
            f"{each.observed} of {each.trials}",
            mean(each.expected),
            f"{each.low} to {each.high}",
            f"{each.chance:.1%}",
            each.word if each.word != EXPECTED else "",
        )
    return table


def _totals(report: Report) -> Table:
    found = report.totals
    title = f"the dealer's totals, {found.hands} hands"
    if found.chance is not None:
        title += f": chi-squared {found.statistic:.1f} of {found.degrees}, by chance {found.chance:.1%}, "
        title += report.totals_word
    table = _table(title, ("total", "seen", "expected", "band 95 %"), left=1)
    for total in found.totals:
        band = f"{total.low} to {total.high}"
        table.add_row(total.name, str(total.observed), f"{float(total.expected):.1f}", band)
    return table


def _meters(report: Report) -> Table:
    """A column for each jackpot, from its first amount down to its last."""
    found = report.meters
    table = _table("meters", ("", *(spot_title(each.spot) for each in found)), left=1)
    if found:
        table.add_row("begins", *(text(each.begins) for each in found))
        for what, kinds in METER_ROWS.items():
            table.add_row(what, *(text(sum(each.moved[kind] for kind in kinds)) for each in found))
        if any(each.elsewhere for each in found):
            table.add_row("rows of other periods", *(text(each.elsewhere) for each in found))
        table.add_row("ends", *(text(each.ends) for each in found))
        table.add_row("books", *("do not fit" if each.faults else "fit" for each in found))
    return table


def _claims(report: Report) -> Table:
    table = _table("claims", ("claim", "jackpot", "round", "seat", "hit", "amount", "state"), left=0)
    for each in report.claims:
        where = (str(each.number), spot_title(each.spot), str(each.round), str(each.seat))
        table.add_row(*where, each.hit, text(each.cents), each.state)
    return table


def _interval_table(title: str, found: Sequence[TimeInterval], report: Report) -> Table:
    table = _table(_cut(title, len(found)), ("device", "what", "since", "for"), left=2)
    for each in found[:FEW]:
        how = f"{duration(each.seconds)}{' and goes on' * each.open}"
        table.add_row(each.device, each.what, report.asked.house.calendar.format_time(each.begins), how)
    return table


def _losses(report: Report) -> Table:
    return _interval_table("devices: losses and faults that lasted", report.losses, report)


def _suspensions(report: Report) -> Table:
    return _interval_table("suspensions", report.suspensions, report)


def _events(report: Report) -> Table:
    found = [*report.faults, *report.alerts]
    table = _table(_cut("device events and alerts", len(found)), ("code", "what", "count"), left=2)
    for each in found[:FEW]:
        table.add_row(each.code, each.text, str(each.count))
    return table


def _people(report: Report) -> Table:
    table = _table(_cut("decisions", len(report.said)), ("time", "who", "what", "why"), left=4)
    for each in report.said[:FEW]:
        who = " and ".join(filter(None, (each.who, each.second)))
        table.add_row(report.asked.house.calendar.format_time(each.at), who, each.what, each.why)
    return table


def _cut(title: str, count: int) -> str:
    return f"{title}, {FEW} of {count}" if count > FEW else title


def _table(title: str, headings: Iterable[str], left: int = 9) -> Table:
    table = Table(title=title, title_justify="left", show_header=any(headings))
    for place, heading in enumerate(headings):
        words = place < left or not heading
        table.add_column(heading, justify="left" if words else "right", overflow="fold", no_wrap=not words)
    return table


TABLES: tuple[Callable[[Report], Table], ...] = (
    _summary,
    _dealers,
    _wagers,
    _hits,
    _totals,
    _meters,
    _claims,
    _losses,
    _suspensions,
    _events,
    _people,
)
