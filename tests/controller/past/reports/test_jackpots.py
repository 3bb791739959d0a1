"""Wins, resets, claims and corrections of jackpots, over several files."""

from pathlib import Path

import pytest

from controller.calendar import Calendar, ReportSettings
from controller.money import text
from controller.past.reports.charts import charts
from controller.past.reports.making import collect_facts, make_report
from controller.past.reports.report import Report, ReportRequest
from controller.table.record.events import MeterCorrection
from tests.controller.past.reports.played_days import played_day, report
from tests.fixtures.jackpot_table import SPOT
from tests.fixtures.journal_table import changed, played_rows, write_journal

NIGHT = ReportRequest(Calendar().between(1_700_000_000, 1_700_003_600), ReportSettings())


@pytest.fixture
def won(tmp_path: Path) -> Report:
    write_journal(tmp_path / "table.db", played_rows())
    return make_report(tmp_path / "table.db", NIGHT)


def test_what_was_won_is_paid_and_the_books_fit(won: Report) -> None:
    (meter,) = won.meters
    assert won.rounds == 6
    assert meter.counts["lock"] == meter.shares == len(won.claims) == 2
    assert {claim.state for claim in won.claims} == {"paid"}
    assert sum(claim.paid for claim in won.claims) == -meter.moved["lock"]
    assert meter.pots["paid"] == -meter.moved["lock"]
    assert (meter.begins, meter.faults) == (0, ())


def test_wins_are_marked_on_the_drawing(tmp_path: Path, won: Report) -> None:
    drawn = charts(won, collect_facts(tmp_path / "table.db", NIGHT))[f"meter-{SPOT}"]
    assert drawn.count("<polygon") == 2
    assert "2 wins and corrections" in drawn


def test_a_meter_correction_names_its_two_persons(tmp_path: Path) -> None:
    with played_day(tmp_path, "blackjack-x") as table:
        table.play_rounds(3)
        shows = table.state.meters[SPOT].cents
        table.apply(MeterCorrection(SPOT, shows + 5000, "Ann", "Ben", "the display said so"))
        table.write()
    summary = report(tmp_path)
    (meter,) = summary.meters
    assert (meter.moved["correction"], meter.counts["correction"], meter.faults) == (5000, 1, ())
    assert [(said.who, said.second, said.what) for said in summary.said] == [
        ("Ann", "Ben", f"set {SPOT} to {text(summary.meters[0].ends)}")
    ]


def test_movements_that_do_not_lead_to_the_meter_are_told(tmp_path: Path) -> None:
    rows = changed(played_rows(), "meter", 3, lambda body: body.update(before=body["before"] + 100))
    write_journal(tmp_path / "table.db", rows)
    (meter,) = make_report(tmp_path / "table.db", NIGHT).meters
    assert meter.faults == (f"{SPOT}: the meter is 100 cents off from what its movements come to",)
