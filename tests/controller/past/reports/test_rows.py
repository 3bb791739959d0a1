"""The rows of a period: over several files, across shifts, with voids, corrections, clock changes and
damage."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from controller.games.bets import ez_bust
from controller.journal import names
from controller.journal.chain import RowContent
from controller.journal.errors import JournalError
from controller.past.reports.html import report_html
from controller.past.reports.making import answer_order, make_report
from controller.past.reports.report import Report, ReportRequest
from controller.past.reports.sources import ReportMemory
from controller.past.reports.wire import ReportOrder
from controller.table.record import events
from controller.table.record.codec import to_row
from controller.table.record.events import DealerOn, LampTest, RequestAnswered, RequestMade, Supervisor
from controller.table.record.notes import ClockStepped, RoundEnded
from tests.controller.past.reports.played_days import (
    BEGINS,
    DAY,
    HOUSE,
    PlayedDay,
    between,
    numbers,
    played_day,
    report,
)
from tests.fixtures.journal_files import closed_files, overwrite

EIGHT_HOURS = 8 * 3600.0
WRONG = Supervisor("correct", "Ann", "seen on camera", "9h", seat=1, number=1, old="5h", round=1)
SUMMED = ("count", "won", "pushed", "lost", "unknown", "handle", "paid", "taken", "win")


def test_two_shifts_add_up_to_the_day(tmp_path: Path) -> None:
    with played_day(tmp_path, "blackjack-x") as table:
        table.apply(DealerOn("Ann"))
        table.play_rounds(12)
        table.lose("sensors", 40)
        table.at = BEGINS + EIGHT_HOURS - 200
        table.play_rounds(12)
        table.apply(DealerOn("Ben"))
        table.play_rounds(12)
    day, parts = report(tmp_path), [report(tmp_path, f"{DAY} {hour}") for hour in ("06:00", "14:00", "22:00")]
    assert [part.rounds > 5 for part in parts] == [True, True, False]
    assert day.rounds == sum(part.rounds for part in parts) == 36
    assert day.pace.timed == sum(part.pace.timed for part in parts)
    assert day.pace.open_seconds == pytest.approx(sum(part.pace.open_seconds for part in parts))
    assert day.pace.pauses == sum(part.pace.pauses for part in parts) == 1
    for kind in day.wagers:
        found = [each for part in parts for each in part.wagers if each.wager == kind.wager]
        for name in SUMMED:
            assert getattr(kind, name) == sum(getattr(each, name) for each in found)
    for hit in day.hits:
        pair = hit.bet, hit.event
        alike = [each for part in parts for each in part.hits if (each.bet, each.event) == pair]
        assert hit.trials == sum(each.trials for each in alike)
        assert hit.observed == sum(each.observed for each in alike)
        assert hit.expected == sum(each.expected for each in alike)
    assert meters(day) == [sum(moved) for moved in zip(*map(meters, parts), strict=True)]
    assert seconds(day) == pytest.approx([sum(each) for each in zip(*map(seconds, parts), strict=True)])


def meters(report: Report) -> list[int]:
    (meter,) = report.meters or [None]
    return [*meter.moved.values()] if meter else [0] * 5


def seconds(report: Report) -> list[float]:
    """Losses, suspensions, and how long Ann dealt."""
    ann = sum(each.seconds for each in report.dealing if each.what == "Ann")
    return [
        sum(each.seconds for each in report.losses),
        sum(each.seconds for each in report.suspensions),
        ann,
    ]


def test_a_meter_begins_where_the_shift_before_ended(tmp_path: Path) -> None:
    with played_day(tmp_path, "blackjack-x") as table:
        table.play_rounds(10)
        table.at = BEGINS + EIGHT_HOURS
        table.play_rounds(10)
    (first,), (second,) = (report(tmp_path, f"{DAY} {hour}").meters for hour in ("06:00", "14:00"))
    assert (first.begins, second.begins) == (0, first.ends)
    assert first.moved["seed"] == 1_000_000
    assert (first.faults, second.faults) == ((), ())


def test_a_report_over_closed_files_equals_one_over_one_file(tmp_path: Path) -> None:
    summaries = []
    for folder, rolls in (("one", False), ("many", True)):
        (tmp_path / folder).mkdir()
        with played_day(tmp_path / folder, "blackjack-x", most=200) as table:
            table.apply(DealerOn("Ann"))
            for _ in range(6):
                table.play_rounds(5)
                if rolls:
                    table.roll()
        summaries.append(report(tmp_path / folder))
    assert len([*names.archive(tmp_path / "many" / "table.db").iterdir()]) == 6
    one, many = (replace(each, last_row=0, anchor=None) for each in summaries)
    assert one == many


def test_a_period_without_rows_counts_nothing(tmp_path: Path) -> None:
    with played_day(tmp_path) as table:
        table.play_rounds(1)
    summary = report(tmp_path, "2026-11-18")
    assert (summary.rounds, summary.hits, summary.meters, summary.last_row) == (0, (), (), 0)
    assert (summary.pace.per_hour, summary.totals.chance) == (None, None)


def test_a_void_round_counts_nowhere(tmp_path: Path) -> None:
    with played_day(tmp_path) as table:
        table.play_rounds(3)
        table.void_round()
        table.play_rounds(2)
    summary = report(tmp_path)
    assert (summary.rounds, [each.number for each in summary.void]) == (5, [4])
    lines = [line for _, ended in table.ended for line in ended.round.lines]
    assert summary.wagers[-1].count == len(lines)
    assert [(each.who, each.second, each.what) for each in summary.said] == [
        ("Ann", "Ben", "voided the round")
    ]


def test_a_corrected_round_counts_by_its_last_word_however_late(tmp_path: Path) -> None:
    with played_day(tmp_path, "easy-jack") as table:
        table.clear()
        table.play("1:main=500 close 5h 7d 1:stand pay")
        table.write()
        before = report(tmp_path)
        table.roll()
        table.at += 86400
        table.correct(WRONG)
    after = report(tmp_path)
    assert (before.corrected, before.wagers[0].win) == ((), 500)
    assert (after.corrected, after.wagers[0].win) == ((1,), -500)
    assert after.rounds == 1


def test_a_round_belongs_to_the_period_of_its_stamp(tmp_path: Path) -> None:
    """Although the clock was set back by a day, and ahead again."""
    with played_day(tmp_path, "blackjack-x") as table:
        table.play_rounds(4)
        step(table, -86400)
        table.play_rounds(3)
        step(table, 86400)
        table.play_rounds(5)
    days = [report(tmp_path, day) for day in ("2026-11-18", DAY)]
    assert [day.rounds for day in days] == [3, 9]
    assert [(day.first_round, day.last_round) for day in days] == [(5, 7), (1, 12)]
    assert [len(day.clock_steps) for day in days] == [1, 1]
    assert [day.meters[0].faults for day in days] == [(), ()]
    assert days[1].meters[0].elsewhere == days[0].meters[0].moved["contribution"]
    assert "Rows of other periods" in report_html(days[1], {})
    assert numbers(table.ended) == [*range(1, 13)]


def step(table: PlayedDay, seconds: float) -> None:
    table.at += seconds
    table.rows.append(to_row(table.at, ClockStepped(seconds)))


def test_what_began_before_the_period_and_goes_on_is_cut(tmp_path: Path) -> None:
    with played_day(tmp_path) as table:
        table.apply(DealerOn("Ann"))
        table.play_rounds(2)
        table.roll()
        begun = table.at
        table.lose("sensors", 100)
        table.play_rounds(1)
    summary = report(tmp_path, between(begun + 40, begun + 60))
    (lost,) = summary.losses
    assert (lost.device, lost.what, lost.seconds, lost.open) == ("sensors", "not there", 20, True)
    assert [(each.what, each.seconds) for each in summary.dealing] == [("Ann", 20)]
    assert [each.seconds for each in summary.suspensions] == [20]


def test_what_lasts_still_lasts_as_far_as_the_journal_goes(tmp_path: Path) -> None:
    with played_day(tmp_path) as table:
        table.apply(DealerOn("Ann"))
        table.play_rounds(2)
        at = table.at
    (stint,) = report(tmp_path).dealing
    assert (stint.ends, stint.open) == (at, True)


@pytest.mark.parametrize("rolled", [False, True])
def test_damage_in_the_period_is_an_error(tmp_path: Path, rolled: bool) -> None:
    with played_day(tmp_path) as table:
        table.play_rounds(3)
        if rolled:
            table.roll()
            table.play_rounds(1)
    path = tmp_path / "table.db"
    file = next(names.archive(path).iterdir()) if rolled else path
    overwrite(file, b'"outcome":"settled"', b'"outcome":"sextled"')
    why = "is damaged: its SHA-256 is" if rolled else "does not follow from the one before"
    with pytest.raises(JournalError, match=why):
        report(tmp_path)


def test_rows_that_make_no_sense_are_an_error(tmp_path: Path) -> None:
    with played_day(tmp_path) as table:
        table.play_rounds(1)
        table.rows.append(
            replace(table.rows[-1] if table.rows else to_row(table.at, DealerOn("Ann")), body="[]")
        )
        table.write()
    with pytest.raises(JournalError, match="makes no sense as a row of kind dealer"):
        report(tmp_path)


@pytest.mark.parametrize("rolled", [False, True])
def test_a_later_correction_that_makes_no_sense_is_an_error(tmp_path: Path, rolled: bool) -> None:
    with played_day(tmp_path) as table:
        table.play_rounds(2)
        table.at += 86400
        if rolled:
            table.roll()
        table.rows.append(RowContent(table.at, "corrected", "[]"))
        table.write()
        if rolled:
            table.roll()
    memory = ReportMemory()
    request = ReportRequest(HOUSE.calendar.named(DAY), HOUSE)
    for _ in range(2):
        with pytest.raises(JournalError, match="makes no sense as a row of kind corrected"):
            make_report(tmp_path / "table.db", request, memory)


def test_a_round_whose_dealer_has_no_cards_is_an_error(tmp_path: Path) -> None:
    with played_day(tmp_path) as table:
        table.play_rounds(10)
        ended = next(ended for _, ended in table.ended if bet_on_dealer(ended))
        table.rows.append(without_dealer_cards(table.at, ended))
        table.write()
    path = tmp_path / "table.db"
    with pytest.raises(
        JournalError, match=r"table\.db cannot be read: row \d+ makes no sense as a row of kind"
    ):
        report(tmp_path)
    order = ReportOrder(path, HOUSE, HOUSE.calendar.named(DAY))
    assert "makes no sense as a row of kind round" in answer_order(order).error


def bet_on_dealer(ended: RoundEnded) -> bool:
    """Whether the round has a wager whose odds depend on the up-card."""
    return any(line.wager == ez_bust.SPOT for line in ended.round.lines)


def without_dealer_cards(at: float, ended: RoundEnded) -> RowContent:
    row = to_row(at, ended)
    record = json.loads(row.body)
    record["round"]["number"] += 1
    record["round"]["dealer"]["cards"] = []
    return replace(row, body=json.dumps(record, separators=(",", ":")))


def test_a_file_that_cannot_be_found_is_named(tmp_path: Path) -> None:
    with played_day(tmp_path) as table:
        table.play_rounds(1)
        table.roll()
        table.at += 86400
        table.play_rounds(1)
    path = tmp_path / "table.db"
    (file,) = closed_files(path)
    file.rename(tmp_path / "elsewhere.db")
    file.symlink_to(tmp_path / "nowhere.db")
    for day in (DAY, "2026-11-20"):
        answer = answer_order(ReportOrder(path, HOUSE, HOUSE.calendar.named(day)), ReportMemory())
        assert answer.error == f"journal {file} cannot be read: No such file or directory"


def test_a_report_without_a_journal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="is not there"):
        report(tmp_path)


def test_actions_of_persons_are_in_the_report(tmp_path: Path) -> None:
    with played_day(tmp_path) as table:
        table.play_rounds(1)
        table.clear()
        table.apply(
            events.TestMode(True, "Tom", "lamps"),
            LampTest("walk", "Tom"),
            events.TestMode(False, "Tom", "done"),
        )
        table.apply(
            RequestMade("help", "Ann", "dealer", "chips stuck"), RequestAnswered(1, True, "Ben", "supervisor")
        )
        table.write()
    summary = report(tmp_path)
    assert [(said.who, said.what, said.why) for said in summary.said] == [
        ("Tom", "test mode on", "lamps"),
        ("Tom", "had the lamps show walk", ""),
        ("Tom", "test mode off", "done"),
        ("Ann", "asked for help", "chips stuck"),
        ("Ben", "granted request 1", ""),
    ]
    assert {event.code for event in summary.faults} <= {"POWER_UP"}


def test_no_card_named_by_a_person_is_in_the_report(tmp_path: Path) -> None:
    with played_day(tmp_path, "easy-jack") as table:
        table.play("1:main=500 close 5h 7d 1:stand pay")
        table.correct(WRONG)
    (said,) = report(tmp_path).said
    assert said.what == "correct, round 1"
    assert "9h" not in json.dumps([said.what, said.why])
