"""The watches on the disks of the journal and of its mirror, as the configuration says."""

from pathlib import Path

from controller.config import Config
from controller.journal.journal import Journal
from controller.table.apply.conditions import disk_level
from controller.table.state.table_state import TableState
from controller.table.upkeep.disk_space import MIRROR, DiskWatch, MirrorWatch, SpaceLimits
from drivers.link.facts import SIMULATOR_HARDWARE

MEGABYTE = 1_000_000


def disks(config: Config, state: TableState) -> DiskWatch:
    """The watch on the disks of the journal and its mirror, with their levels in the table's state."""
    section = config.journal
    paths = {"journal": section.path, "mirror": section.mirror}
    folders = {disk: Path(path).parent for disk, path in paths.items() if path}
    limits = SpaceLimits(section.warn_free * MEGABYTE, section.stop_free * MEGABYTE)
    return DiskWatch(folders, limits, {disk: disk_level(state, disk) for disk in paths})


def mirror_disk(config: Config, state: TableState, journal: Journal) -> MirrorWatch:
    """The check that the mirror exists and is on a disk of its own.

    It raises no alert about the disk as long as the table has used only simulators, since their data is not
    worth a second disk.
    """
    section = config.journal

    return MirrorWatch(
        Path(section.path).parent,
        Path(section.mirror).parent if section.mirror else None,
        believed=state.standing.get(MIRROR, ""),
        guarded=lambda: has_hardware(state),
        lost_files=lambda: journal.mirror_fault,
    )


def has_hardware(state: TableState) -> bool:
    """Whether the table has ever had a device that is not a simulator."""
    return any(device.hardware not in {"", SIMULATOR_HARDWARE} for device in state.devices.values())
