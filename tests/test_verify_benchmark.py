"""The `make bench` rig that times the verification of a journal does what it says."""

import pytest

from benchmarks import verify


def test_a_played_journal_is_verified_on_one_processor_and_on_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "RUNS", 1)
    measured = verify.measure(300)
    assert measured.rows >= 300
    assert measured.rounds > 0
    assert min(measured.one, measured.two, measured.by_rules_one, measured.by_rules_two) > 0
