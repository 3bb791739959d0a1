"""Whether this computer lets a test mount a file system."""

import os
from pathlib import Path
from typing import Final

from controller.demo.processes import DIES_WITH_US
from controller.floor.drills.disk.server import mount, unmount

WITHOUT_MOUNTING: Final = (
    *DIES_WITH_US,
    *(("--bounding-set=-sys_admin",) if os.geteuid() == 0 else ()),
)
"""Before the words of a process: it may not mount, as if an ordinary user had started it."""


def is_mountable(folder: Path) -> bool:
    folder.mkdir()
    try:
        os.close(mount(folder))
    except OSError:
        return False
    unmount(folder)
    return True
