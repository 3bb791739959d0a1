"""The journal's group can read its files, which name no face-down card; only the daemon's user can write
them, and nobody else can open anything."""

import asyncio
import io
import stat
from pathlib import Path

from tests.secrets.clockwork import VirtualLoop
from tests.secrets.courses import PLAYS
from tests.secrets.story import Restart, Said, Story, story
from tests.secrets.twins import written
from tests.secrets.watched_table import Glass, behind_glass

OTHERS = stat.S_IRWXO | stat.S_IWGRP | stat.S_IXGRP
OURS = frozenset({"notify", "mirror"})
"""Made by the test."""


def test_other_users_can_open_no_file_of_the_table(tmp_path: Path) -> None:
    with written(), asyncio.Runner(loop_factory=VirtualLoop) as runner:
        modes = runner.run(_modes(tmp_path, story(PLAYS["easy jack"], "As")))
    assert {"table.db", "table.db-wal", "table.db.sock", "mirror/table.db"} <= modes.keys()
    assert not {name: stat.filemode(mode) for name, mode in modes.items() if mode & OTHERS}
    readable = {name for name, mode in modes.items() if mode & stat.S_IRGRP}
    assert {name.rpartition("/")[2].partition("-")[0] for name in readable} <= {"table.db"}


async def _modes(folder: Path, story: Story) -> dict[str, int]:
    async with behind_glass(folder, story.started, io.StringIO()) as glass:
        for event in story.opening:
            await glass.take(event)
        for _, act in story.acts:
            assert not isinstance(act, Said | Restart)
            await glass.take(act)
        return _found(glass)


def _found(glass: Glass) -> dict[str, int]:
    """Modes by name."""
    found = (path.relative_to(glass.folder) for path in glass.folder.rglob("*"))
    return {str(name): (glass.folder / name).lstat().st_mode for name in found if str(name) not in OURS}
