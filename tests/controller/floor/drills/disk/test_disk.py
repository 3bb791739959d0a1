"""A disk that forgets, in the hands of the kernel. Where nothing can be mounted, it says so."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.floor.drills.disk import disk
from controller.floor.drills.disk.disk import Disk, DiskAbsentError, DiskError, forgetting_disk
from tests.controller.floor.drills.disk.mountable import WITHOUT_MOUNTING, is_mountable


@pytest.fixture
async def mounted(tmp_path: Path) -> AsyncIterator[Disk | None]:
    """None where nothing can be mounted, and the reason is said."""
    if is_mountable(tmp_path / "try"):
        async with forgetting_disk(tmp_path / "disk") as made:
            yield made
    else:
        with pytest.raises(DiskAbsentError, match="needs Linux and the rights of root"):
            async with forgetting_disk(tmp_path / "disk"):
                pass
        yield None


def write(path: Path, content: bytes, *, sync: bool) -> None:
    with path.open("ab") as file:
        file.write(content)
        if sync:
            file.flush()
            os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_DIRECTORY)
    os.fsync(descriptor)
    os.close(descriptor)


async def test_the_kernel_reads_only_what_was_synced_after_a_loss_of_power(mounted: Disk | None) -> None:
    if mounted:
        store = mounted.folder / "store"
        store.mkdir()
        write(store / "log", b"one", sync=True)
        for folder in (store, mounted.folder):
            sync_folder(folder)
        write(store / "log", b" two", sync=False)
        write(store / "new", b"one", sync=True)
        (store / "log").rename(store / "renamed")
        assert (store / "renamed").read_bytes() == b"one two"
        assert await mounted.lose_power() == 4
        assert {path.name: path.read_bytes() for path in store.iterdir()} == {"log": b"one"}


async def test_a_large_file_is_the_same_after_everything_has_settled(mounted: Disk | None) -> None:
    if mounted:
        content = os.urandom(3_000_000)
        write(mounted.folder / "large", content, sync=False)
        os.truncate(mounted.folder / "large", 2_500_000)
        await mounted.settle()
        assert await mounted.lose_power() == 0
        assert (mounted.folder / "large").read_bytes() == content[:2_500_000]


async def test_a_seed_leaves_the_same_half_of_the_files_each_time(mounted: Disk | None) -> None:
    if mounted:
        left = list[list[bool]]()
        files = [mounted.folder / f"f{number}" for number in range(20)]
        for path in files:
            write(path, b"", sync=False)
        await mounted.settle()
        for _ in range(2):
            for path in files:
                path.write_bytes(b"new")
            await mounted.lose_power(seed=1)
            left.append([path.read_bytes() == b"new" for path in files])
            for path in files:
                path.write_bytes(b"")
            await mounted.settle()
        assert left[0] == left[1]
        assert 0 < sum(left[0]) < len(files)


async def test_nothing_is_mounted_after_the_block(tmp_path: Path, mounted: Disk | None) -> None:
    if mounted:
        async with forgetting_disk(tmp_path / "other"):
            assert (tmp_path / "other").is_mount()
        assert not (tmp_path / "other").is_mount()


async def test_a_disk_whose_process_has_ended_says_so(mounted: Disk | None) -> None:
    if mounted:
        os.kill(mounted.pid, signal.SIGKILL)
        with pytest.raises(DiskError, match="has ended"):
            await mounted.lose_power()


async def test_a_user_who_may_not_mount_gets_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "DIES_WITH_US", WITHOUT_MOUNTING)
    with pytest.raises(DiskAbsentError, match="Operation not permitted"):
        async with forgetting_disk(tmp_path / "disk"):
            pass
    assert await asyncio.to_thread(lambda: list((tmp_path / "disk").iterdir())) == []
