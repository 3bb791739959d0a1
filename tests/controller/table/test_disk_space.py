"""When a disk counts as nearly full, and when that is reported."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from errno import ENOENT
from pathlib import Path

import pytest

from controller.table.record.events import DiskLevel, DiskSpace, Input, Noticed
from controller.table.upkeep.disk_space import (
    LOST_FILES,
    MIRROR,
    MOVED,
    PERIOD,
    DiskWatch,
    MirrorWatch,
    SpaceLimits,
    run_checks,
)

LIMITS = SpaceLimits(warn=1000, stop=200)


@dataclass
class Disk:
    """A disk with blocks of ten bytes."""

    f_bavail: int = 1000
    f_files: int = 10_000
    f_favail: int = 5_000
    f_frsize: int = 10


@dataclass
class Computer:
    """Two folders, and the room on their disks."""

    disks: dict[str, Disk] = field(default_factory=lambda: {"journal": Disk(), "mirror": Disk()})

    def statvfs(self, folder: Path) -> Disk:
        return self.disks[folder.name]

    def watched(self, believed: Mapping[str, DiskLevel] | None = None) -> DiskWatch:
        folders = {name: Path(name) for name in self.disks}
        return DiskWatch(folders, LIMITS, believed or dict.fromkeys(folders, "enough"), self.statvfs)


def levels(disks: DiskWatch, disk: Disk, *blocks: int) -> list[str]:
    """The reported levels while this many blocks are free, one after the other; "" where nothing is
    reported."""
    found = []
    for disk.f_bavail in blocks:
        found.append("".join(space.level for space in disks.check()))
    return found


def test_each_change_is_told_once() -> None:
    computer = Computer()
    disks = computer.watched()
    falling = levels(disks, computer.disks["journal"], 1000, 100, 99, 50, 20, 19, 0)
    assert falling == ["", "", "low", "", "", "stop", ""]
    rising = levels(disks, computer.disks["journal"], 21, 22, 99, 109, 110, 1000)
    assert rising == ["", "low", "", "", "enough", ""]


def test_a_full_disk_that_is_emptied_has_enough_room_at_once() -> None:
    computer = Computer()
    found = levels(computer.watched(), computer.disks["mirror"], 0, 1000, 0, 1000)
    assert found == ["stop", "enough", "stop", "enough"]


def test_the_level_of_a_disk_does_not_flap() -> None:
    computer = Computer()
    found = levels(computer.watched(), computer.disks["journal"], *[99, 101] * 50, *[19, 21] * 50)
    assert [level for level in found if level] == ["low", "stop"]


def test_a_disk_without_inodes_counts_as_full() -> None:
    computer = Computer()
    disks = computer.watched()
    computer.disks["journal"].f_favail = 999
    assert disks.check() == [DiskSpace("low", 10_000, "journal", files=999)]
    computer.disks["journal"].f_favail = 99
    assert disks.check() == [DiskSpace("stop", 10_000, "journal", files=99)]
    computer.disks["journal"].f_files = computer.disks["journal"].f_favail = 0
    assert disks.check() == [DiskSpace("enough", 10_000, "journal")]


def test_what_the_table_believes_is_not_told_again() -> None:
    computer = Computer()
    computer.disks["journal"].f_bavail = 15
    assert computer.watched({"journal": "stop", "mirror": "enough"}).check() == []
    disks = computer.watched({"journal": "stop", "mirror": "stop"})
    assert disks.check() == [DiskSpace("enough", 10_000, "mirror")]
    assert disks.free == {"journal": 150, "mirror": 10_000}


def test_a_mirror_that_is_configured_no_more_stops_nothing() -> None:
    computer = Computer()
    del computer.disks["mirror"]
    assert computer.watched({"journal": "enough", "mirror": "stop"}).check() == [
        DiskSpace("enough", 0, "mirror")
    ]


def test_a_disk_that_is_gone_is_nothing_to_tell_of_here(tmp_path: Path) -> None:
    disks = DiskWatch(
        {"journal": tmp_path, "mirror": tmp_path / "gone"}, LIMITS, {"journal": "enough", "mirror": "low"}
    )
    assert disks.check() == []
    assert set(disks.free) == {"journal"}


def test_the_room_of_a_real_disk_is_measured(tmp_path: Path) -> None:
    found = os.statvfs(tmp_path)
    disks = DiskWatch({"journal": tmp_path}, SpaceLimits(1 << 60, 0), {"journal": "enough"})
    (space,) = disks.check()
    assert space.level == "low"
    assert abs(space.free - found.f_bavail * found.f_frsize) < 1 << 30


@dataclass
class Folders:
    """The device numbers of the journal's folder and of the mirror's."""

    journal: int = 1
    mirror: int = 2
    simulated: bool = False
    taken: str = ""

    def device(self, folder: Path) -> int:
        number = getattr(self, folder.name)
        if not number:
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(folder))
        return int(number)

    def watched(self, believed: str = "") -> MirrorWatch:
        return MirrorWatch(
            Path("journal"),
            Path("mirror"),
            believed=believed,
            guarded=lambda: not self.simulated,
            lost_files=lambda: self.taken,
            device=self.device,
        )


class TestMirror:
    def test_on_the_disk_of_the_journal_is_an_alert_that_ends_when_it_is_put_right(self) -> None:
        folders = Folders(mirror=1)
        (found,) = folders.watched().check()
        assert found == Noticed(
            "The journal's mirror is on the disk of the journal, journal: one fault takes both", MIRROR
        )
        folders.mirror = 2
        assert folders.watched(found.text).check() == [Noticed("", MIRROR)]

    def test_unmounted_under_the_daemon_is_an_alert_until_it_is_mounted_again(self) -> None:
        """The mount point may be on a third disk."""
        folders = Folders()
        mirror = folders.watched()
        assert mirror.check() == []
        for folders.mirror in (1, 3):
            assert mirror.fault == MOVED.format(folder="mirror")
        assert mirror.check() == [Noticed(mirror.fault, MIRROR)]
        assert mirror.check() == []
        folders.mirror = 2
        assert mirror.check() == [Noticed("", MIRROR)]

    def test_whose_folder_is_gone_is_an_alert(self) -> None:
        folders = Folders()
        mirror = folders.watched()
        folders.mirror = 0
        assert [found.text for found in mirror.check()] == [
            "The folder of the journal's mirror, mirror, cannot be looked at: No such file or directory"
        ]

    def test_of_a_simulated_table_is_nobodys_alert(self) -> None:
        folders = Folders(mirror=1, simulated=True)
        mirror = folders.watched()
        assert mirror.fault
        assert mirror.check() == []
        folders.simulated = False
        assert mirror.check() == [Noticed(mirror.fault, MIRROR)]

    @pytest.mark.parametrize("simulated", [False, True])
    def test_taken_away_under_the_daemon_is_an_alert_until_it_is_back(self, simulated: bool) -> None:
        folders = Folders(simulated=simulated)
        mirror = folders.watched()
        folders.taken = "mirror.db is gone"
        assert mirror.check() == [Noticed(LOST_FILES.format(why="mirror.db is gone"), MIRROR)]
        folders.taken = ""
        assert mirror.check() == [Noticed("", MIRROR)]

    def test_that_is_configured_no_more_is_no_alert(self) -> None:
        mirror = MirrorWatch(Path("journal"), None, believed="it was", guarded=lambda: True)
        assert mirror.check() == [Noticed("", MIRROR)]

    def test_the_mirror_check_works_on_real_folders(self, tmp_path: Path) -> None:
        """A link stands for a mount point: what it leads to is on another file system for a while."""
        other, mirror = Path("/proc"), tmp_path / "mirror"
        assert other.stat().st_dev != tmp_path.stat().st_dev
        mirror.symlink_to(other)
        disk = MirrorWatch(tmp_path, mirror, believed="", guarded=lambda: True)
        assert disk.fault == ""
        mirror.unlink()
        mirror.mkdir()
        assert disk.fault.startswith("The disk of the journal's mirror is not at")
        assert MirrorWatch(tmp_path, mirror, believed="", guarded=lambda: True).fault.endswith("takes both")


class Enough(Exception):
    """The test has seen what it wanted."""


async def test_disks_are_checked_every_ten_seconds() -> None:
    computer = Computer()
    inputs: list[Input] = []
    slept: list[float] = []
    disks = computer.watched()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        computer.disks["journal"].f_bavail //= 4
        if len(slept) == 4:
            raise Enough

    with pytest.raises(Enough):
        await run_checks([disks.check], inputs.append, sleep)
    assert slept == [PERIOD] * 4
    assert inputs == [DiskSpace("low", 620, "journal"), DiskSpace("stop", 150, "journal")]
