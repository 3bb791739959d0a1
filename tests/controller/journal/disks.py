"""A journal on one disk and its mirror on another."""

import shutil
from pathlib import Path

from controller.journal.chain import RowContent
from controller.journal.closed_files import list_closed_files
from controller.journal.history import History
from controller.journal.journal import Journal

ROWS = [RowContent(1.5 * n, "event", f'{{"n":{n}}}', "shoe", b"\x07" * 8, n + 1) for n in range(6)]
SNAPSHOT = RowContent(9.0, "snapshot", "{}")


class Disks:
    """A journal on one disk and its mirror on another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path, self.mirror = folder / "one" / "table.db", folder / "two" / "table.db"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.mirror.parent.mkdir(exist_ok=True)

    def copied(self, folder: Path) -> "Disks":
        """The same files in another folder."""
        shutil.copytree(self.folder, folder)
        return Disks(folder)

    def opened(self) -> Journal:
        return Journal(self.path, self.mirror)

    def add(self) -> None:
        with self.opened() as journal:
            journal.append(ROWS)

    def roll(self) -> None:
        with self.opened() as journal:
            journal.roll([SNAPSHOT])

    def open_and_close(self) -> None:
        self.opened().close()

    def append(self) -> None:
        """Leaves the journal open."""
        self.opened().append(ROWS)

    def lose(self, path: Path) -> None:
        """Replaces a disk by an empty one."""
        shutil.rmtree(path.parent)
        path.parent.mkdir()

    def damage(self, path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[4096 + 4000] ^= 1
        path.write_bytes(content)

    def rows(self) -> list[str]:
        """The rows of both disks, which must be the same, without those that name files."""
        with self.opened():
            pass
        ours, theirs = list(History(self.path).rows()), list(History(self.mirror).rows())
        assert ours == theirs
        assert [file.path.name for file in list_closed_files(self.path)] == [
            file.path.name for file in list_closed_files(self.mirror)
        ]
        assert not list(self.path.parent.rglob("*.new*"))
        return [entry.content.body for entry in ours if entry.content.kind != "continued"]
