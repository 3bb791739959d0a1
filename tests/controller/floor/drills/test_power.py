"""The drill `power`, in a short form. Where no disk can be mounted that forgets, it is absent, and has not
passed."""

from pathlib import Path
from random import Random

import pytest

from controller.floor.drills import power
from controller.floor.drills.disk import disk
from controller.floor.drills.disk.disk import Disk, DiskAbsentError
from controller.floor.drills.drills import run_drill
from controller.floor.drills.house import house
from controller.floor.drills.nodes import PlayedHouse
from controller.floor.drills.outcome import Findings
from tests.controller.floor.drills.disk.mountable import WITHOUT_MOUNTING, is_mountable
from tests.controller.floor.drills.test_drills import invoke


async def forget_nothing(_disk: Disk, _seed: int | None = None) -> int:
    return 0


async def test_rows_survive_a_loss_of_power(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power, "SYNC_INTERVALS", ("always",))
    if is_mountable(tmp_path / "try"):
        found = await power.power(tmp_path, 0.0, size=1, tables=1)
        assert found.faults == []
        assert found.rows.stored == found.published > 0
        assert found.kills == 2
    else:
        with pytest.raises(DiskAbsentError):
            await power.power(tmp_path, 0.0, size=1, tables=1)


async def test_only_disks_that_forget_cost_acknowledged_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power, "CATCH_UP_LIMIT", 0.0)
    if is_mountable(tmp_path / "try"):
        async with power.disks(tmp_path, 1) as places, house(tmp_path, tables=1, sync_interval="2m") as at:
            played = PlayedHouse(at, Random(1))
            losses = power.PowerLosses(at, places, played, Random(1), synced=False)

            async def lose_twice(_end: float) -> None:
                await losses.play()
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(Disk, "lose_power", forget_nothing)
                    await losses.lose_servers(1, None)
                assert not losses.forgotten
                await losses.play()
                await losses.lose_servers(1, None)

            await played.run(0.0, lose_twice)
            at.note_rows()
            at.found.check_replica()
        assert losses.forgotten
        assert at.found.faults == []


@pytest.mark.parametrize(
    ("synced", "rows", "fault"),
    [
        (True, 3, "servers that sync each message have forgotten 3 acknowledged rows"),
        (False, 0, "servers that acknowledge before they sync have forgotten nothing"),
    ],
)
def test_what_servers_forget_is_compared_with_how_they_sync(synced: bool, rows: int, fault: str) -> None:
    found = Findings()
    power.check_forgotten(found, 3 - rows, synced=synced)
    assert found.faults == []
    power.check_forgotten(found, rows, synced=synced)
    assert found.faults == [fault]


async def test_a_drill_without_its_disk_is_absent_and_has_not_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "DIES_WITH_US", WITHOUT_MOUNTING)
    result = await run_drill("power")
    assert not result.passed
    assert result.faults == ()
    assert result.absent.startswith("a disk that forgets needs Linux and the rights of root")


def test_the_command_says_that_a_drill_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "DIES_WITH_US", WITHOUT_MOUNTING)
    status, printed, _ = invoke("power")
    assert status == 1
    assert "power: ABSENT" in printed
    assert "the rights of root" in printed
