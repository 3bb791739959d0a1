"""What a loss of power leaves on a disk that forgets, without a kernel."""

import errno
import stat
from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random
from typing import Final

import pytest

from controller.floor.drills.disk.files import File, Folder, Tree

FILE: Final = stat.S_IFREG | 0o644
FOLDER: Final = stat.S_IFDIR | 0o755
OWNER: Final = (0, 0)


class Names:
    """A tree whose files are named as in a shell."""

    def __init__(self) -> None:
        self.tree = Tree()
        self.root = self.tree.root

    def file(self, name: str, content: bytes = b"", *, synced: bool = False) -> File:
        made = self.tree.add(self.root, name.encode(), FILE, OWNER)
        assert isinstance(made, File)
        made.write(0, content)
        if synced:
            made.sync()
            self.root.sync()
        return made

    def folder(self, name: str) -> Folder:
        made = self.tree.add(self.root, name.encode(), FOLDER, OWNER)
        assert isinstance(made, Folder)
        return made

    def listed(self) -> dict[str, bytes]:
        return dict(_contents(self.root))


def _contents(folder: Folder, path: str = "") -> Iterator[tuple[str, bytes]]:
    for name, inode in folder.names.items():
        if isinstance(inode, Folder):
            yield from _contents(inode, f"{path}{name.decode()}/")
        elif isinstance(inode, File):
            yield path + name.decode(), bytes(inode.content)


@pytest.fixture
def names() -> Names:
    return Names()


def test_what_was_written_after_the_last_sync_is_forgotten(names: Names) -> None:
    file = names.file("log", b"one", synced=True)
    file.write(3, b" two")
    assert names.listed() == {"log": b"one two"}
    assert names.tree.lose_power() == 4
    assert names.listed() == {"log": b"one"}


def test_a_name_is_forgotten_unless_its_folder_was_synced(names: Names) -> None:
    names.file("new", b"one").sync()
    names.tree.lose_power()
    assert names.listed() == {}


def test_a_synced_folder_keeps_the_name_of_a_file_whose_content_is_forgotten(names: Names) -> None:
    names.file("new", b"one")
    names.root.sync()
    assert names.tree.lose_power() == 3
    assert names.listed() == {"new": b""}


def test_a_removed_file_is_back_with_what_was_synced(names: Names) -> None:
    names.file("log", b"one", synced=True).write(3, b" two")
    names.tree.remove(names.root, b"log")
    assert names.listed() == {}
    assert names.tree.lose_power() == 4
    assert names.listed() == {"log": b"one"}


def test_a_file_that_took_the_name_of_another_one_loses_it_again(names: Names) -> None:
    names.file("state", b"old", synced=True)
    names.file("state.new", b"new").sync()
    names.tree.rename(names.root, b"state.new", names.root, b"state")
    assert names.listed() == {"state": b"new"}
    names.tree.lose_power()
    assert names.listed() == {"state": b"old"}


def test_a_synced_name_of_a_replaced_file_stays(names: Names) -> None:
    names.file("state", b"old", synced=True)
    names.file("state.new", b"new").sync()
    names.tree.rename(names.root, b"state.new", names.root, b"state")
    names.root.sync()
    names.tree.lose_power()
    assert names.listed() == {"state": b"new"}


def test_a_folder_that_was_removed_is_back_with_its_files(names: Names) -> None:
    folder = names.folder("store")
    names.file("log", b"one").sync()
    names.tree.rename(names.root, b"log", folder, b"log")
    names.tree.settle()
    names.tree.remove(folder, b"log")
    names.tree.remove(names.root, b"store")
    names.tree.lose_power()
    assert names.listed() == {"store/log": b"one"}


def test_two_folders_that_are_in_each_other_after_a_loss_of_power_do_not_hang_the_disk(names: Names) -> None:
    outer, inner = names.folder("outer"), names.folder("inner")
    names.tree.rename(names.root, b"inner", outer, b"inner")
    names.tree.settle()
    names.tree.rename(outer, b"inner", names.root, b"inner")
    names.root.sync()
    names.tree.rename(names.root, b"outer", inner, b"outer")
    inner.sync()
    names.tree.lose_power()
    assert names.tree.lose_power() == 0


def test_a_folder_with_files_is_not_removed(names: Names) -> None:
    folder = names.folder("store")
    names.file("log")
    names.tree.rename(names.root, b"log", folder, b"log")
    with pytest.raises(OSError, match="not empty") as error:
        names.tree.remove(names.root, b"store")
    assert error.value.errno == errno.ENOTEMPTY


def test_settled_writes_survive(names: Names) -> None:
    names.file("log", b"one")
    names.tree.settle()
    assert names.tree.lose_power() == 0
    assert names.listed() == {"log": b"one"}


def test_nothing_is_left_on_a_disk_that_was_replaced(names: Names) -> None:
    names.file("log", b"one", synced=True)
    names.tree.clear()
    names.tree.lose_power()
    assert names.listed() == {}


def test_each_file_keeps_all_or_nothing_of_what_was_not_synced(names: Names) -> None:
    for name in ("a", "b"):
        names.file(name, b"old", synced=True).write(0, b"new")
    coins = cycle((False, False, True))  # the folder, then b, then a
    assert names.tree.lose_power(lambda: next(coins)) == 3
    assert names.listed() == {"a": b"new", "b": b"old"}


Change = Callable[[File, Random], None]
CHANGES: Final[tuple[Change, ...]] = (
    lambda file, chance: file.write(chance.randrange(60), chance.randbytes(chance.randrange(20))),
    lambda file, chance: file.resize(chance.randrange(60)),
)


@pytest.mark.parametrize("seed", range(40))
def test_a_file_after_a_loss_of_power_is_as_at_its_last_sync(seed: int) -> None:
    chance, file, synced = Random(seed), File(2, FILE), b""
    for _ in range(200):
        chance.choice(CHANGES)(file, chance)
        if chance.random() < 0.2:
            file.sync()
            synced = bytes(file.content)
        if chance.random() < 0.1:
            file.forget()
            assert file.read(0, 1000) == synced
