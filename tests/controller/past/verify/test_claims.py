"""Falsified claims and corrections, with every hash computed anew."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.journal.chain import RowContent
from controller.past.verify import audit
from controller.past.verify.external import VerifyDemands
from tests.fixtures.journal_table import RowChange, changed, findings, played_rows, write_journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


def setting(**values: object) -> RowChange:
    return lambda body: body["claim"].update(values)


@pytest.mark.parametrize(
    ("place", "change", "says"),
    [
        (1, setting(cents=5), "claim 1 is of cents 5; by row"),
        (2, setting(seat=2), "claim 1 is of seat 2; by row"),
        (1, setting(state="paid", supervisor="Ben"), "claim 1 is paid; by row"),
        (2, setting(state="pending"), "claim 1 is pending; by row"),
        (3, setting(state="void"), ""),
        (3, setting(supervisor=""), "claim 1, 1000.06, is paid without a supervisor"),
        (3, setting(by_two=True), "claim 1, 1000.06, is paid without a second person"),
        (
            3,
            setting(supervisor=" ann"),
            "claim 1: Ann is its dealer and its supervisor; it takes two persons",
        ),
    ],
)
@pytest.mark.parametrize("parts", [1, 1000])
def test_a_falsified_claim_is_found(
    path: Path, monkeypatch: pytest.MonkeyPatch, parts: int, place: int, change: RowChange, says: str
) -> None:
    monkeypatch.setattr(audit, "LEAST", 1)
    monkeypatch.setattr(audit, "SHARES", parts)
    write_journal(path, changed(played_rows(), "claim", place, change))
    found = [text for about, _, text in findings(path, VerifyDemands(by_rules=False)) if about == "claim"]
    assert (says in found[0]) if says else not found


def round_of(parts: list[list[RowContent]]) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(next(row.body for row in parts[0] if row.kind == "round"))
    return body


@pytest.mark.parametrize("more", [0, 500])
def test_a_falsified_correction_is_found(path: Path, more: int) -> None:
    parts = played_rows()
    ended = round_of(parts)
    ended["round"]["lines"][0]["paid"] += more
    parts[2].append(RowContent(parts[2][-1].at, "corrected", json.dumps({"number": 1, "ended": ended})))
    parts[2].append(RowContent(parts[2][-1].at, "corrected", json.dumps({"number": 1, "ended": None})))
    write_journal(path, parts)
    found = findings(path)
    assert all("round 1, as it was corrected: " in text for _, _, text in found)
    assert bool(found) == bool(more)
