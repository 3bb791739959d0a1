"""When a disk counts as nearly full, and when it is told."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from errno import ENOENT
from pathlib import Path

import pytest

from controller.table.record.events import DiskSpace, Input, Level, Noticed
from controller.table.upkeep.disk_space import MIRROR, MOVED, PERIOD, TAKEN, Disks, Limits, MirrorDisk, watch

LIMITS = Limits(warn=1000, stop=200)


@dataclass
class Disk:
    """A disk with blocks of ten bytes."""

    f_bavail: int = 1000
    f_files: int = 10_000
    f_favail: int = 5_000
    f_frsize: int = 10


@dataclass
class Computer:
    """Two folders, and what is left on their disks."""

    disks: dict[str, Disk] = field(default_factory=lambda: {"journal": Disk(), "mirror": Disk()})

    def statvfs(self, folder: Path) -> Disk:
        return self.disks[folder.name]

    def watched(self, believed: Mapping[str, Level] | None = None) -> Disks:
        folders = {name: Path(name) for name in self.disks}
        return Disks(folders, LIMITS, believed or dict.fromkeys(folders, "enough"), self.statvfs)


def levels(disks: Disks, disk: Disk, *blocks: int) -> list[str]:
    """What is told while so many blocks are free, one after the other; "" where nothing is."""
    told = []
    for disk.f_bavail in blocks:
        told.append("".join(space.level for space in disks.look()))
    return told


def test_each_change_is_told_once() -> None:
    computer = Computer()
    disks = computer.watched()
    falling = levels(disks, computer.disks["journal"], 1000, 100, 99, 50, 20, 19, 0)
    assert falling == ["", "", "low", "", "", "stop", ""]
    rising = levels(disks, computer.disks["journal"], 21, 22, 99, 109, 110, 1000)
    assert rising == ["", "low", "", "", "enough", ""]


def test_from_full_to_plenty_at_once() -> None:
    computer = Computer()
    told = levels(computer.watched(), computer.disks["mirror"], 0, 1000, 0, 1000)
    assert told == ["stop", "enough", "stop", "enough"]


def test_it_does_not_go_to_and_fro() -> None:
    computer = Computer()
    told = levels(computer.watched(), computer.disks["journal"], *[99, 101] * 50, *[19, 21] * 50)
    assert [level for level in told if level] == ["low", "stop"]


def test_a_disk_full_of_small_files() -> None:
    computer = Computer()
    disks = computer.watched()
    computer.disks["journal"].f_favail = 999
    assert disks.look() == [DiskSpace("low", 10_000, "journal", files=999)]
    computer.disks["journal"].f_favail = 99
    assert disks.look() == [DiskSpace("stop", 10_000, "journal", files=99)]
    computer.disks["journal"].f_files = computer.disks["journal"].f_favail = 0
    assert disks.look() == [DiskSpace("enough", 10_000, "journal")]


def test_what_the_table_believes_is_not_told_again() -> None:
    computer = Computer()
    computer.disks["journal"].f_bavail = 15
    assert computer.watched({"journal": "stop", "mirror": "enough"}).look() == []
    disks = computer.watched({"journal": "stop", "mirror": "stop"})
    assert disks.look() == [DiskSpace("enough", 10_000, "mirror")]
    assert disks.free == {"journal": 150, "mirror": 10_000}


def test_a_mirror_that_is_configured_no_more_stops_nothing() -> None:
    computer = Computer()
    del computer.disks["mirror"]
    assert computer.watched({"journal": "enough", "mirror": "stop"}).look() == [
        DiskSpace("enough", 0, "mirror")
    ]


def test_a_disk_that_is_gone_is_nothing_to_tell_of_here(tmp_path: Path) -> None:
    disks = Disks(
        {"journal": tmp_path, "mirror": tmp_path / "gone"}, LIMITS, {"journal": "enough", "mirror": "low"}
    )
    assert disks.look() == []
    assert set(disks.free) == {"journal"}


def test_a_real_disk(tmp_path: Path) -> None:
    found = os.statvfs(tmp_path)
    disks = Disks({"journal": tmp_path}, Limits(1 << 60, 0), {"journal": "enough"})
    (space,) = disks.look()
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

    def watched(self, believed: str = "") -> MirrorDisk:
        return MirrorDisk(
            Path("journal"),
            Path("mirror"),
            believed=believed,
            guarded=lambda: not self.simulated,
            taken=lambda: self.taken,
            device=self.device,
        )


class TestMirror:
    def test_on_the_disk_of_the_journal_is_an_alert_that_ends_when_it_is_put_right(self) -> None:
        folders = Folders(mirror=1)
        (found,) = folders.watched().look()
        assert found == Noticed(
            "The journal's mirror is on the disk of the journal, journal: one fault takes both", MIRROR
        )
        folders.mirror = 2
        assert folders.watched(found.text).look() == [Noticed("", MIRROR)]

    def test_unmounted_under_the_daemon_is_an_alert_until_it_is_mounted_again(self) -> None:
        """The mount point may be on a third disk."""
        folders = Folders()
        mirror = folders.watched()
        assert mirror.look() == []
        for folders.mirror in (1, 3):
            assert mirror.fault == MOVED.format(folder="mirror")
        assert mirror.look() == [Noticed(mirror.fault, MIRROR)]
        assert mirror.look() == []
        folders.mirror = 2
        assert mirror.look() == [Noticed("", MIRROR)]

    def test_whose_folder_is_gone_is_an_alert(self) -> None:
        folders = Folders()
        mirror = folders.watched()
        folders.mirror = 0
        assert [found.text for found in mirror.look()] == [
            "The folder of the journal's mirror, mirror, cannot be looked at: No such file or directory"
        ]

    def test_of_a_simulated_table_is_nobodys_alert(self) -> None:
        folders = Folders(mirror=1, simulated=True)
        mirror = folders.watched()
        assert mirror.fault
        assert mirror.look() == []
        folders.simulated = False
        assert mirror.look() == [Noticed(mirror.fault, MIRROR)]

    @pytest.mark.parametrize("simulated", [False, True])
    def test_taken_away_under_the_daemon_is_an_alert_until_it_is_back(self, simulated: bool) -> None:
        folders = Folders(simulated=simulated)
        mirror = folders.watched()
        folders.taken = "mirror.db is gone"
        assert mirror.look() == [Noticed(TAKEN.format(why="mirror.db is gone"), MIRROR)]
        folders.taken = ""
        assert mirror.look() == [Noticed("", MIRROR)]

    def test_that_is_configured_no_more_is_no_alert(self) -> None:
        mirror = MirrorDisk(Path("journal"), None, believed="it was", guarded=lambda: True)
        assert mirror.look() == [Noticed("", MIRROR)]

    def test_of_real_folders(self, tmp_path: Path) -> None:
        """A mount point stands for a link: what is behind it is on another file system for a while."""
        other, mirror = Path("/proc"), tmp_path / "mirror"
        assert other.stat().st_dev != tmp_path.stat().st_dev
        mirror.symlink_to(other)
        disk = MirrorDisk(tmp_path, mirror, believed="", guarded=lambda: True)
        assert disk.fault == ""
        mirror.unlink()
        mirror.mkdir()
        assert disk.fault.startswith("The disk of the journal's mirror is not at")
        assert MirrorDisk(tmp_path, mirror, believed="", guarded=lambda: True).fault.endswith("takes both")


class Enough(Exception):
    """The test has seen what it wanted."""


async def test_it_looks_every_ten_seconds() -> None:
    computer = Computer()
    told: list[Input] = []
    slept: list[float] = []
    disks = computer.watched()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        computer.disks["journal"].f_bavail //= 4
        if len(slept) == 4:
            raise Enough

    with pytest.raises(Enough):
        await watch([disks.look], told.append, sleep)
    assert slept == [PERIOD] * 4
    assert told == [DiskSpace("low", 620, "journal"), DiskSpace("stop", 150, "journal")]
