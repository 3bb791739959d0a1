"""The line of statistics, in virtual time."""

import asyncio
import json
from pathlib import Path

import pytest

from controller.telemetry.statistics import (
    PERIOD,
    MinuteStatistics,
    StatusFields,
    log_statistics,
    memory,
)
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import loop_table
from tests.test_docs import page

STANDING = StatusFields(suspended=True, pace=48, resends=7, alerts=1, memory=86_000_000)


class Lines:
    def __init__(self) -> None:
        self.all: list[tuple[str, dict[str, object]]] = []

    def info(self, event: str, **fields: object) -> None:
        self.all.append((event, fields))


class Minutes:
    """A clock that advances when somebody sleeps, and ends after this many sleeps."""

    def __init__(self, most: int) -> None:
        self.now, self._left = 0.0, most

    async def sleep(self, seconds: float) -> None:
        if not self._left:
            raise asyncio.CancelledError
        self._left -= 1
        self.now += seconds


async def statistics_lines(
    tally: MinuteStatistics, minutes: int, *standings: StatusFields
) -> list[dict[str, object]]:
    lines, clock, left = Lines(), Minutes(minutes), list(standings)
    with pytest.raises(asyncio.CancelledError):
        await log_statistics(tally, lambda: left.pop(0), lines, clock.sleep)
    assert clock.now == minutes * PERIOD
    assert {event for event, _ in lines.all} <= {"minute"}
    return [fields for _, fields in lines.all]


async def test_the_line_of_statistics_counts_one_minute(tmp_path: Path) -> None:
    tally, script = MinuteStatistics(), Script()
    with loop_table(tmp_path / "j", script.started(), (tally,)) as table:
        table.apply(*list(script.opening())[1:], script.loaded(), script.bet(1), script.bet(1, 1))
        table.apply(
            script.key("close"), *script.cards_out("Ah Tc"), script.key("stand", 1), script.key("pay")
        )
    (line,) = await statistics_lines(tally, 1, STANDING)
    assert (
        line.items()
        >= {
            "rounds": 1,
            "cards": 2,
            "wagers": 2,
            "suspended": True,
            "pace": 48,
            "resends": 7,
            "alerts": 1,
            "memory": 86_000_000,
            "commit_p50_ms": 0.0,
            "card_to_lamp_p99_ms": 0.0,
        }.items()
    )
    assert "Ah" not in str(line)


async def test_each_line_is_of_its_own_minute() -> None:
    tally = MinuteStatistics()
    tally.on_commit(0.003)
    first, second = await statistics_lines(tally, 2, STANDING, StatusFields(False, None, 9, 0, 0, 0))
    assert (first["commit_p50_ms"], second["commit_p50_ms"]) == (3.0, None)
    assert (first["resends"], second["resends"]) == (7, 2)


@pytest.mark.parametrize(
    ("count", "p50", "p99"), [(1, 1.0, 1.0), (2, 1.0, 2.0), (100, 50.0, 99.0), (200, 100.0, 198.0)]
)
async def test_card_to_lamp_quantiles_are_those_of_the_minute(count: int, p50: float, p99: float) -> None:
    tally = MinuteStatistics()
    for milliseconds in range(count, 0, -1):
        tally.on_outputs(milliseconds / 1000)
    (line,) = await statistics_lines(tally, 1, STANDING)
    assert (line["card_to_lamp_p50_ms"], line["card_to_lamp_p99_ms"]) == (p50, p99)


def test_the_page_shows_such_a_line() -> None:
    shown = next(line for line in page("monitoring.md").splitlines() if line.startswith('{"rounds"'))
    assert [*json.loads(shown)] == [*MinuteStatistics().collect(STANDING), "event", "level", "timestamp"]


def test_memory_is_that_of_this_process() -> None:
    assert 10_000_000 < memory() < 2_000_000_000
