"""Both instances of a linked progressive out of reach: the part of the drill `partition`, in a short form."""

from pathlib import Path

import pytest

from controller.floor.drills import instances


async def test_claims_wait_while_both_instances_are_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instances, "APART", ((0, 1),))
    found = await instances.instances(tmp_path, 0.0, size=1)
    assert found.faults == []


async def test_instances_without_a_fence_make_the_drill_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instances, "MODULE", "tests.controller.floor.drills.unfenced")
    monkeypatch.setattr(instances, "APART", ((0,), (1,)))
    found = await instances.instances(tmp_path, 0.0, size=1)
    assert found.faults
