"""A round with keys taken back: its steps say so, it settles as it was played, and its journal is sound."""

from pathlib import Path

import pytest

from controller.past.verify.audit import verify
from controller.past.verify.external import VerifyDemands as Demanded
from controller.table.people.consequences import consequences
from controller.table.record.events import RequestAnswered, RequestMade, Supervisor
from tests.controller.past.export.exporting import bundle, rows
from tests.fixtures.played_journal import PlayedTable, journal, played_table, replay, replayed_rounds

TURNED = "1:main=500 close 8h 9c 9d Kc 1:stand"
"""In EZ Bust: the last hand stands, and the dealer turns a king."""


def take_back(at: PlayedTable) -> None:
    """A dealer asks, a supervisor grants."""
    at.apply(
        RequestMade(
            "undo", "Dee", "dealer", "wanted a card", Supervisor("undo", "Dee", "wanted a card", None)
        )
    )
    seen = consequences(at.state, RequestAnswered(1, grant=True, who="Ann", role="supervisor"))
    at.apply(RequestAnswered(1, grant=True, who="Ann", role="supervisor", token=seen.token))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with played_table(tmp_path, "ez-bust") as at:
        at.play(TURNED)
        take_back(at)
        at.play("1:hit 2c 1:stand pay")
        at.clear()
    return tmp_path


def test_the_steps_say_that_a_key_was_taken_back(folder: Path) -> None:
    shown = " ".join(replay(folder, "1").stdout.split())
    assert "Dee: asked for undo: wanted a card" in shown
    assert "Ann: granted request 1" in shown
    assert "Stand of seat 1 is taken back" in shown


def test_a_round_with_a_key_taken_back_settles_by_the_rules(folder: Path) -> None:
    (one,) = replayed_rounds(folder)
    assert one["agrees"], one["differs"]
    assert "stand" not in " ".join(one["round"]["script"][:5])


def test_the_journal_and_its_evidence_are_sound(folder: Path) -> None:
    assert verify(journal(folder), Demanded()).findings == ()
    assert [row["kind"] for row in rows(folder)].count("revealed") == 2
    edges = bundle(folder)["confirmations.csv"].decode()
    assert "undo" in edges
