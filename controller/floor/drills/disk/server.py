"""`python -m controller.floor.drills.disk.server FOLDER`: a disk that forgets, mounted at the folder.

It prints `mounted`, or else the reason why this computer does not let it mount a file system, and ends. Then
it takes orders from standard input, one a line, and prints a number for each:

- `settle`: everything is on the disk; 0
- `replace`: nothing is on the disk; 0
- `forget`: the power fails, and nothing is left that was not synced; the number of forgotten bytes
- `forget 7`: the same, but a random half of the files and folders keep what was not synced; 7 is the seed

It unmounts itself when standard input ends, or when it is asked to end.
"""

import ctypes
import errno
import os
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

from controller.floor.drills.disk.files import Tree
from controller.floor.drills.disk.filesystem import FileSystem
from controller.floor.drills.disk.protocol import MOST_REQUEST

DEVICE: Final = "/dev/fuse"
MOUNTED: Final = "mounted"
SETTLE, REPLACE, FORGET = "settle", "replace", "forget"
NAME: Final = b"tableside-drill"
NO_SETUID: Final = 2
NO_DEVICES: Final = 4
"""Flags of mount(2)."""
DETACH: Final = 2
"""A flag of umount2(2): at once for new users, and at the end of the last one for the others."""
GAVE_UP: Final = frozenset({errno.EINTR, errno.EAGAIN, errno.ENOENT})
"""What reading and writing say when whoever asked no longer waits."""
MOST_ORDERS: Final = 4096


def mount(folder: Path) -> int:
    """Returns the descriptor on which the kernel asks. Raises OSError."""
    device = os.open(DEVICE, os.O_RDWR | os.O_CLOEXEC)
    options = f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}".encode()
    libc, flags = ctypes.CDLL(None, use_errno=True), NO_SETUID | NO_DEVICES
    if libc.mount(NAME, os.fsencode(folder), b"fuse." + NAME, ctypes.c_ulong(flags), options):
        number = ctypes.get_errno()
        os.close(device)
        raise OSError(number, f"mount: {os.strerror(number)}", str(folder))
    return device


def unmount(folder: Path) -> None:
    """If something is mounted there."""
    ctypes.CDLL(None).umount2(os.fsencode(folder), DETACH)


def serve(device: int, orders: int) -> None:
    """Answer the kernel and carry out orders until there are no more of them, or nothing is mounted."""
    tree = Tree()
    files = FileSystem(tree)
    while True:
        ready, _, _ = select.select([device, orders], [], [])
        if device in ready and not _answer_one(device, files):
            return
        if orders in ready:
            lines = os.read(orders, MOST_ORDERS).decode().splitlines()
            if not lines:
                return
            for line in lines:
                print(_carry_out(tree, *line.split()), flush=True)


def _carry_out(tree: Tree, order: str, seed: str = "") -> int:
    if order == SETTLE:
        return tree.settle()
    if order == REPLACE:
        return tree.clear()
    chance = Random(seed)
    return tree.lose_power(lambda: bool(seed) and chance.random() < 0.5)


def _answer_one(device: int, files: FileSystem) -> bool:
    """Whether the file system is still mounted."""
    try:
        request = os.read(device, MOST_REQUEST)
    except OSError as error:
        return error.errno in GAVE_UP
    if answer := files.answer(request):
        with suppress(FileNotFoundError):
            os.write(device, answer)
    return True


def _main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    try:
        device = mount(folder)
    except OSError as error:
        print(f"{error.strerror}: {error.filename}")
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        print(MOUNTED, flush=True)
        serve(device, sys.stdin.fileno())
    finally:
        unmount(folder)


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
