"""The rigs of `make bench-floor` measure what they say, in a short form."""

from pathlib import Path

import pytest

from benchmarks.floor import browser, displays, fleet, page, searching
from benchmarks.floor.figures import Figure
from tests.fixtures.waiting import PATIENCE


def test_a_figure_that_is_worse_than_its_target_is_missed() -> None:
    assert Figure("lag", 0.6, 0.5).missed
    assert Figure("lag", float("nan"), 0.5).missed
    assert not Figure("lag", 0.5, 0.5).missed
    assert not Figure("lag", 0.6).missed
    assert Figure("lag", 0.6, 0.5, "{:.1f} s").cells() == ("lag", "0.6 s", "MISSED: at most 0.5 s")


async def test_rows_of_a_fleet_are_stored_live_and_after_a_while_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet, "NODES", 1)
    monkeypatch.setattr(fleet, "ROUNDS_AN_HOUR", 7200)
    monkeypatch.setattr(fleet, "STATUS_SECONDS", 0.5)
    monkeypatch.setattr(fleet, "EVERY", 0.1)
    live, late = await fleet.measure(tmp_path, tables=3, seconds=2.0, rounds=5)
    assert len(live.lags) >= 3
    assert all(0 < lag < PATIENCE for lag in live.lags)
    assert live.rows > 0
    assert live.floor_with_statuses.memory > 0
    assert (live.found.lost, live.found.duplicated, live.found.chain_ok) == (0, 0, True)
    assert late.rows > 3 * 5
    assert late.found.stored > live.found.stored
    assert 0 < late.answer < PATIENCE
    assert (late.found.lost, late.found.chain_ok) == (0, True)


async def test_supervisors_follow_the_tiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "STATUS_SECONDS", 0.5)
    monkeypatch.setattr(browser, "FOLLOWING", 1.0)
    found = await page.measure(tmp_path, 12, 3.0)
    assert all(0 < seconds < PATIENCE for seconds in found.paints)
    assert all(0 < seconds < PATIENCE for seconds in (*found.browser.first, *found.browser.painted))
    assert found.browser.busy > 0
    assert found.bytes > 0


async def test_displays_see_each_contribution_and_amounts_go_on_after_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"NODES": 1, "DISPLAYS": 5, "READING_DISPLAYS": 2, "TABLES": 2, "KILLS": 1}.items():
        monkeypatch.setattr(displays, name, value)
    monkeypatch.setattr(displays, "SETTLE", 0.5)
    median, slowest, received, pause = await displays.measure(tmp_path, 1.0)
    assert 0 < median.measured <= slowest.measured < PATIENCE * 1e3
    assert received.measured > 0
    assert 0 < pause.measured < PATIENCE


def test_a_day_of_rounds_is_searched_whole(tmp_path: Path) -> None:
    day, *_others, slowest, median, _filled = searching.measure(tmp_path, tables=20, hours=1)
    assert 0 < day.measured < PATIENCE
    assert 0 < median.measured <= slowest.measured < PATIENCE * 1e3
