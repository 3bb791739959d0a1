"""Nothing that can be seen names or depends on the face-down card before it is turned."""

import io
import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import structlog
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK
from controller.games import GAMES
from controller.round.state import DealPosition
from controller.table.record.codec import to_json
from controller.table.record.events import DeviceEvent, Input
from controller.table.record.notes import Revealed
from controller.table.view.build import build_view
from controller.table.view.console import key_lamps, permit, prompt
from controller.table.view.display import display, levels
from controller.table.view.lamps import lamps
from controller.telemetry.collector import TableCollector
from controller.telemetry.logs import set_up
from controller.telemetry.prometheus.registry import CollectorRegistry
from controller.telemetry.table_log import TableLog
from controller.telemetry.table_metrics import TableMetrics
from drivers.messages import CardDrawn, CardUnpermitted, CardUnreadable
from tests.fixtures.crewed_table import CrewedTable
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import loop_table
from tests.fixtures.state_table import StateTable

CARDS = ("As", "Ah", "5d", "6c", "Tc", "9h")
"""A natural, a drawing and a standing hand, and suits that differ."""


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    before = logging.root.handlers[:], logging.root.level
    set_up(logging.DEBUG)
    yield written
    logging.root.handlers[:], logging.root.level = before
    structlog.reset_defaults()


def seen(path: Path, hole: str, log: io.StringIO, *, trouble: bool) -> list[str]:
    """Everything that can be seen of a table after each step until the card is turned."""
    script = Script()
    registry = CollectorRegistry()
    start = log.tell()
    shots = []
    with loop_table(path, script.started(), (TableMetrics(registry, "easy-jack", "0"), TableLog())) as table:
        state = table.table.state
        registry.register(TableCollector(lambda: state, tuple))
        table.apply(*list(script.opening())[1:], script.loaded())
        for card in DECK:
            state.ledger.seen[card] = 7  # one more of each is possible, a second one is not
        table.apply(script.bet(1), script.bet(2), script.bet(2, 1), script.key("close"))
        steps = [
            script.card("2h"),
            script.card("3h"),
            script.card(hole),
            script.key("pay"),
            script.card("5s"),
        ]
        if trouble:
            script.cards += 1
            steps += [script.event("shoe", CardUnreadable(script.cards)), script.key("stand", 1)]
            script.cards += 1
            steps += [script.event("shoe", CardUnpermitted(script.cards, "9h"))]
        for event in steps:
            table.apply(event)
            looks = to_json(build_view("T", state, ()))
            shots.append(looks + repr(table.calls) + registry.text())
        assert state.round.phase == "playing"
    return [*shots, _timeless(log.getvalue()[start:])]


def _timeless(lines: str) -> str:
    answer = [json.loads(line) for line in lines.splitlines()]
    return json.dumps(
        [{name: value for name, value in line.items() if name != "timestamp"} for line in answer]
    )


@pytest.mark.parametrize("trouble", [False, True])
def test_no_byte_tells_the_face_down_card(tmp_path: Path, log: io.StringIO, trouble: bool) -> None:
    first = seen(tmp_path / "first", CARDS[0], log, trouble=trouble)
    for card in CARDS[1:]:
        assert seen(tmp_path / card, card, log, trouble=trouble) == first, card


HOLE = DealPosition(up=False)


@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.sampled_from(DECK), st.sampled_from(DECK))
def test_nothing_that_is_shown_differs_by_it_in_any_game(
    game: str, seed: int, first: str, second: str
) -> None:
    """Two tables with the same play but for that card, until it is turned or the peek reveals a natural."""
    one = CrewedTable(game, seed)
    one.crew.round = one.state.round
    other = StateTable()
    other.script = Script(game, dict(one.script.options))
    other.begin()
    for event in steps(one):
        down = one.state.round._state.deal[:1] == (HOLE,)
        cards = (first, second) if down else (None, None)
        said = [table.apply(held(event, card)) for table, card in zip((one, other), cards, strict=True)]
        if any(isinstance(note, Revealed) for notes in said for note in notes):
            return
        assert said[0] == said[1]
        assert shown(one) == shown(other)


def steps(table: CrewedTable) -> Iterator[Input]:
    yield from map(table.reported, table.crew.wagers())
    for _ in range(80):
        yield table.reported(table.crew.sensible())


def held(event: Input, card: str | None) -> Input:
    """The event, with another card where that is due."""
    if card is None or not isinstance(event, DeviceEvent) or not isinstance(event.body, CardDrawn):
        return event
    return replace(event, body=CardDrawn(event.body.count, card))


def shown(table: StateTable) -> tuple[object, ...]:
    state = table.state
    return (
        to_json(build_view("T", state, ())),
        lamps(state),
        prompt(state),
        key_lamps(state),
        permit(state),
        display(state),
        levels(state),
        state.ledger.out,
    )


def test_a_leak_of_the_face_down_card_would_be_noticed(tmp_path: Path, log: io.StringIO) -> None:
    """An open card does make a difference."""
    first = seen(tmp_path / "first", "As", log, trouble=False)
    assert "3h" in first[-2]
    assert "??" in first[-2]
    assert "refused" in first[-1]
