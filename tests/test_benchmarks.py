"""The `make bench` rig plays with a daemon and times each card that changes lamps."""

from pathlib import Path

import pytest

from benchmarks import latency, loads, pages, processors, turns
from benchmarks.yardstick import yardstick
from tests.fixtures.waiting import PATIENCE


async def test_a_card_is_timed_beside_both_yardsticks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latency, "SAMPLES", 3)
    processor: list[float] = []
    with yardstick(tmp_path) as beside:
        times = await latency.card_to_lamp(tmp_path, beside, processor=processor)
    assert len(times) == len(processor) == len(beside.echoes) == len(beside.commits) == 3
    assert all(0 < seconds < PATIENCE for seconds in (*times, *processor, *beside.echoes, *beside.commits))


def test_cards_are_timed_under_each_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processors, "LEAST", 0)  # beside other tests, pages of the least weight take minutes
    for name, value in {"TURNS": 1, "SAMPLES": 2, "HANDSHAKES": 200, "SILENT": 40}.items():
        monkeypatch.setattr(loads, name, value)
    found = loads.measure()
    assert (found.rounds > 0, found.missing, found.cards_agree) == (True, 0, True)
    assert {len(figures.cards) >= 2 for figures in found.figures.values()} == {True}
    assert all(0 < seconds < PATIENCE for figures in found.figures.values() for seconds in figures.cards)
    attack, calls = found.figures["attack"].counts, found.figures["table socket"].counts
    assert attack["connections"] > 200
    assert (attack["served"] > 0, attack["refused"]) == (True, 0)
    assert calls["answers"] > 0
    assert found.figures["bridge"].counts["rows"] > 0
    assert "hanging broker" in found.figures


def test_pages_are_open_while_a_key_reaches_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "KEYS", 2)
    monkeypatch.setattr(pages, "STANDSTILLS", 1)
    keys, silences = pages.on_screen(tmp_path)
    assert len(keys) >= 2
    assert all(0 < seconds < PATIENCE for seconds in keys)
    assert [0 < seconds < PATIENCE for seconds in silences] == [True]


def test_the_longest_turns_of_a_play_are_noted() -> None:
    found = turns.measure(rounds=6, rows=60)
    assert found.played.rounds >= 6
    assert found.closed > 0
    for kept in (found.longest, found.busiest):
        assert [turn.by for turn in kept] == sorted((turn.by for turn in kept), reverse=True)
        assert all(0 <= turn.worked < PATIENCE and turn.took > 0 for turn in kept)
    assert found.longest[0].took >= found.busiest[0].took > 0
