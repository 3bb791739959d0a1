"""A report says the same as text, JSON, sheets and drawings."""

import csv
import io
import json
import re
from codecs import BOM_UTF8
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from xml.parsers import expat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from controller.calendar import Period, ReportSettings
from controller.currency.formatting import exact_text
from controller.journal.history import History
from controller.past.reports.chart_axes import value_scale
from controller.past.reports.charts import charts, totals_chart
from controller.past.reports.facts import Decision, Facts, ReportedRound
from controller.past.reports.html import report_html
from controller.past.reports.json_form import mean, report_json
from controller.past.reports.making import collect_facts, list_periods, make_answer
from controller.past.reports.pace import bars, pace_report, quantile
from controller.past.reports.played_rules import UNKNOWN
from controller.past.reports.report import Report, ReportRequest, build_report
from controller.past.reports.round_figures import round_figures
from controller.past.reports.sheets import SHEETS, sheet
from controller.past.reports.terminal import duration, report_tables
from controller.past.reports.totals import TotalComparison, TotalsComparison
from controller.past.reports.wire import ReportAnswer, ReportOrder, decode_order
from controller.past.reports.wire import decode_answer as unpacked
from controller.table.record.views import HandView, RoundView
from tests.controller.past.reports.played_days import BEGINS, DAY, played_day

AIMED = ReportSettings(target=60)
ASKED = ReportRequest(AIMED.calendar.named(DAY), AIMED)
NOTHING = build_report(Facts(), ASKED)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("journal")
    with played_day(path, "blackjack-x") as table:
        table.play_rounds(40)
        table.lose("sensors", 20)
        table.void_round()
    return path / "table.db"


@pytest.fixture(scope="module")
def taken(journal: Path) -> Facts:
    return collect_facts(journal, ASKED)


@pytest.fixture(scope="module")
def day_report(taken: Facts) -> Report:
    return build_report(taken, ASKED)


def test_json_is_the_report(day_report: Report) -> None:
    plain = json.loads(json.dumps(report_json(day_report)))
    assert (plain["rounds"], plain["pace"]["target"], plain["zone"]) == (day_report.rounds, 60, "UTC")
    assert plain["period"]["key"] == DAY
    for kind, wager in zip(day_report.wagers, plain["wagers"], strict=True):
        assert (wager["drop"], wager["hold"]) == (kind.handle, kind.win)
        assert wager["hold_percent"] == pytest.approx(100 * kind.win / kind.handle)
    assert [each["word"] for each in plain["hits"]] == [each.word for each in day_report.hits]
    assert plain["comparisons"] == len(day_report.hits) + (day_report.totals.chance is not None)


def test_each_form_has_the_anchor_of_its_journal(journal: Path, taken: Facts, day_report: Report) -> None:
    *_, last = History(journal).rows()
    anchor = f"{last.row}:{last.hash.hex()}"
    summary = {line["what"]: line["is"] for line in lines(sheet(day_report, "summary"))}
    assert report_json(day_report)["anchor"] == {"row": last.row, "hash": last.hash.hex()}
    assert (str(day_report.anchor), summary["anchor"]) == (anchor, anchor)
    assert f"<code>{anchor}</code>" in report_html(day_report, charts(day_report, taken))
    shown = Console(width=200, record=True, file=io.StringIO())
    shown.print(next(report_tables(day_report)))
    assert anchor in shown.export_text()


def test_sheets_have_every_line(day_report: Report) -> None:
    found = {name: lines(sheet(day_report, name)) for name in SHEETS}
    assert [line["wager"] for line in found["wagers"]] == [kind.wager for kind in day_report.wagers]
    assert [line["win"] for line in found["wagers"]] == [
        f"{kind.win / 100:.2f}" for kind in day_report.wagers
    ]
    assert [int(line["observed"]) for line in found["hits"]] == [each.observed for each in day_report.hits]
    assert len(found["losses"]) == len(day_report.losses) > 0
    assert [line["what"] for line in found["rounds"]] == ["void"]
    summary = {line["what"]: line["is"] for line in found["summary"]}
    assert (summary["rounds"], summary["rounds void"]) == (str(day_report.rounds), "1")
    assert summary["win"] == found["wagers"][-1]["win"]
    assert summary["hold percent"] == found["wagers"][-1]["hold_percent"]
    assert summary["dealer's totals, word"] == day_report.totals_word
    assert all(sheet(day_report, name).startswith(BOM_UTF8) for name in SHEETS)


def lines(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


@given(st.text(st.characters(codec="utf-8"), min_size=1), st.sampled_from(["=1+1", "+1", "-1", "@x", "\t=1"]))
def test_no_text_becomes_a_formula(why: str, who: str) -> None:
    said = replace(NOTHING, said=(Decision(BEGINS, who, "", "supervisor void", why),))
    (line,) = lines(sheet(said, "people"))
    assert line["who"] == f"'{who}"
    assert not line["why"].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


def test_drawings_are_svg_with_words_for_who_does_not_see_them(day_report: Report, taken: Facts) -> None:
    drawn = charts(day_report, taken)
    assert set(drawn) == {"pace", "totals", "hits", "meter-blazing-7s"}
    for drawing in drawn.values():
        assert elements(drawing)[:3] == ["svg", "title", "desc"]
        assert "<desc></desc>" not in drawing
    assert "target 60" in drawn["pace"]
    assert f"{day_report.hits[0].observed} of {day_report.hits[0].trials}" in drawn["hits"]


def elements(drawing: str) -> list[str]:
    names: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, _attributes: names.append(name)
    parser.Parse(drawing, True)
    return names


def test_figures_are_told_as_closely_as_they_say_something() -> None:
    shares = (Fraction(3695, 10), Fraction(2, 57), Fraction(1, 10**5), Fraction(0))
    assert [mean(share) for share in shares] == ["369.5", "0.035", "under 0.001", "0"]
    assert [exact_text(cents) for cents in (1_234_567, -5, 0)] == ["12,345.67", "−0.05", "0.00"]


def test_a_scale_of_hands_has_no_parts_of_a_hand() -> None:
    (one,) = [replace(NOTHING, totals=TotalsComparison(1, (TotalComparison("17", 1, Fraction(1, 7), 0, 1),)))]
    marks = re.findall(r'text-anchor="end"[^>]*>([^<]*)<', totals_chart(one))
    assert marks == ["0", "1", "2", "3", "4"]


def test_what_is_unusual_is_counted_where_nothing_is_alarming(day_report: Report) -> None:
    odd = replace(
        day_report, hits=tuple(replace(each, chance=0.04, corrected=0.5) for each in day_report.hits[:2])
    )
    page = report_html(odd, {})
    assert f"over {day_report.rounds} rounds, is over the alarm level. 2 are unusual." in page


def test_an_empty_period_has_a_page_and_no_drawings(tmp_path: Path) -> None:
    with played_day(tmp_path):
        pass
    found = make_answer(ReportOrder(tmp_path / "table.db", AIMED, AIMED.calendar.named("2026-11-18")))
    assert "No round ended in this period" in found.page
    assert "<svg" not in found.page


def test_the_page_says_what_the_report_says(journal: Path, day_report: Report) -> None:
    found = make_answer(ReportOrder(journal, AIMED, ASKED.period))
    assert found.page.count("<svg") == 4
    assert f"<dd>{day_report.rounds}</dd>" in found.page
    assert json.loads(found.json) == json.loads(json.dumps(report_json(day_report)))
    assert found.sheets is not None
    assert found.sheets["wagers"].encode() == sheet(day_report, "wagers")


def test_page_and_terminal_begin_with_handle_win_and_pace(day_report: Report) -> None:
    played, pace = day_report.wagers[-1], day_report.pace.per_hour
    assert pace is not None
    shown = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", report_html(day_report, {}))
    assert shown[:3] == [
        ("Handle", exact_text(played.handle)),
        ("Win", exact_text(played.win)),
        ("Pace", f"{pace:.1f} rounds per hour"),
    ]
    summary = next(report_tables(day_report))
    first = [list(column.cells)[:3] for column in summary.columns]
    assert first[0] == ["handle", "win", "pace, rounds per hour of open time"]
    assert first[1][2] == f"{pace:.1f}, target 60"


def test_words_of_people_are_text_on_the_page(tmp_path: Path) -> None:
    with played_day(tmp_path) as table:
        table.void_round(why="<script>alert(1)</script>")
    found = make_answer(ReportOrder(tmp_path / "table.db", AIMED, ASKED.period))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in found.page
    assert "<script>" not in found.page


def test_the_page_lists_the_periods(journal: Path) -> None:
    (day,) = json.loads(list_periods(ReportOrder(journal, AIMED)).json)["days"]
    assert (day["day"], day["rounds"]) == (DAY, 41)
    assert [(each["period"], each["rounds"]) for each in day["shifts"]] == [
        (f"{DAY}T06:00", 41),
        (f"{DAY}T14:00", 0),
        (f"{DAY}T22:00", 0),
    ]


def test_orders_and_answers_come_through() -> None:
    for sent in (ReportOrder(Path("a b.db"), AIMED), ReportOrder(Path("t.db"), AIMED, ASKED.period)):
        assert decode_order(json.loads(json.dumps(sent.encode()))) == sent
    answer = ReportAnswer(page="<p>ä</p>", json="{}", sheets={"wagers": "a,b\r\n"})
    assert unpacked(answer.encode()) == answer


@pytest.mark.parametrize(
    ("seconds", "says"),
    [
        (None, "-"),
        (0.0, "0 s"),
        (49.96, "50 s"),
        (61, "1 min 01 s"),
        (3600, "1 h 00 min"),
        (86399, "23 h 59 min"),
    ],
)
def test_durations_are_written_in_hours_and_minutes(seconds: float | None, says: str) -> None:
    assert duration(seconds) == says


def test_a_quantile_is_the_nearest_rank() -> None:
    assert quantile([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0], 90) == 9.0
    assert quantile([7.0], 90) == 7.0


@pytest.mark.parametrize(
    ("values", "marks"),
    [
        ([10000.0, 10244.05], [10000, 10050, 10100, 10150, 10200, 10250]),
        ([8101.03, 10101.0], [8000, 8500, 9000, 9500, 10000, 10500]),
        ([10000.0, 10000.0], [10000, 10000.2]),
    ],
)
def test_marks_of_a_scale_are_round_and_leave_room(values: list[float], marks: list[float]) -> None:
    assert value_scale(values, from_zero=False).marks == pytest.approx(marks)


HANDLESS = HandView((), None, "")


def ended(*stamps: float, took: float = 60.0) -> list[ReportedRound]:
    return [
        ReportedRound(at, took, "", round_figures(UNKNOWN, RoundView(1, "settled", HANDLESS, (), ())))
        for at in stamps
    ]


def test_bars_are_the_whole_period() -> None:
    found = bars(ended(0.0, 899.0, 900.0, 86399.0), Period("", "", 0.0, 86400.0), 600)
    assert (len(found), sum(bar.seconds for bar in found)) == (96, 86400)
    assert [bar.rounds for bar in (found[0], found[1], found[-1])] == [2, 1, 1]
    short = bars([], Period("", "", 0.0, 1000.0), 600)
    assert [bar.seconds for bar in short] == [300, 300, 300, 100]
    assert {bar.per_hour for bar in short} == {None}


def test_a_bar_says_what_the_pace_says() -> None:
    """Of the rounds inside the bar alone, without pauses: the table was open for only a part of the time."""
    rounds = [*ended(800.0, took=5000.0), *ended(845.0, 890.0, took=45.0), *ended(950.0)]
    found, whole = bars(rounds, Period("", "", 0.0, 1800.0), 600), pace_report(rounds, 600)
    full = [bar for bar in found if bar.rounds]
    assert [(bar.rounds, bar.timed, bar.per_hour) for bar in full] == [(3, 2, 80), (1, 1, 60)]
    assert sum(bar.timed for bar in found) == whole.timed
    assert sum(bar.open_seconds for bar in found) == whole.open_seconds
    assert whole.per_hour == pytest.approx(3 * 3600 / 150)


def test_less_than_a_minute_of_play_has_no_pace() -> None:
    few = replace(
        NOTHING,
        rounds=3,
        pace=pace_report(ended(1.0, 2.0, 3.0, took=0.7), 600),
        bars=bars(ended(1.0, 2.0, 3.0, took=0.7), Period("", "", 0.0, 900.0), 600),
    )
    assert (few.pace.timed, few.pace.per_hour) == (3, None)
    assert "pace" not in charts(few, Facts())
    assert "under a minute of open time" in report_html(few, {})
