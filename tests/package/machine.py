"""A clean Debian of its own: a copy of a root from mmdebstrap in which systemd runs as the first process.

Namespaces keep it apart: it sees its own processes, no network but loopback, and of this machine's devices
the harmless ones. It ends with whoever started it.
"""

import os
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

PACKAGES = "systemd,udev,python3"
GROUPS = Path("/sys/fs/cgroup")
UP = 60.0
"""Seconds in which it must have started."""
PATIENCE = 30.0
"""Seconds that a command may fail in `until`."""
LONGEST = 300
"""Seconds that a command may take; then it is ended, with status 124."""
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
CABLE = "cable"
"""The name of a machine's network interface."""
APART = ("unshare", "--pid", "--mount", "--uts", "--ipc", "--cgroup", "--net", "--fork", "--kill-child")
START = """
set -e
ip link set lo up
mount --make-rprivate /
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount -t sysfs -o ro sysfs "$1/sys"
mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$1/run"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
mount -t tmpfs -o mode=755 tmpfs "$1/dev"
for device in $2; do touch "$1/dev/$device"; mount --bind "/dev/$device" "$1/dev/$device"; done
mkdir "$1/dev/pts" "$1/dev/shm" "$1/dev/tableside"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
ln -s pts/ptmx "$1/dev/ptmx"
ln -s /proc/self/fd "$1/dev/fd"
cd "$1"
pivot_root . mnt  # not chroot: who is in one may make no user namespace, and the unit wants one
exec env -i container=tests PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c '
umount --lazy /mnt
mount --make-rshared /
exec /lib/systemd/systemd --system --log-target=journal systemd.unit=multi-user.target'
"""


class MachineError(Exception):
    """A command in it failed, or it does not start; the text is the output."""


def must(holds: bool, otherwise: str) -> None:
    """Raises MachineError, with the text, unless it holds."""
    if not holds:
        raise MachineError(otherwise)


def make_debian(folder: Path) -> None:
    """Makes the root that machines are copies of, from packages of Debian, in a folder that is absent before.
    Raises CalledProcessError after mmdebstrap has printed why."""
    command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={PACKAGES}", "bookworm", str(folder)]
    subprocess.run(command, check=True)


class Machine:
    """A context: inside it the machine runs. `folder` is its root, absent before; `debian` is what
    `make_debian` made."""

    def __init__(self, folder: Path, debian: Path) -> None:
        self.root, self._debian = folder, debian
        self._group = (
            next(path for path in (GROUPS / "unified", GROUPS) if path.is_dir())
            / f"table-{os.getpid()}-{folder.name}"
        )
        self._first: subprocess.Popen[bytes] | None = None
        self._inside = 0

    def __enter__(self) -> Self:
        subprocess.run(["cp", "--archive", self._debian, self.root], check=True)
        self._group.mkdir()
        join = f'echo $$ > {shlex.quote(str(self._group))}/cgroup.procs; exec "$@"'
        self._first = subprocess.Popen(
            [
                "setpriv",
                "--pdeathsig",
                "KILL",
                "sh",
                "-c",
                join,
                "sh",
                *APART,
                "sh",
                "-c",
                START,
                "sh",
                str(self.root),
                " ".join(DEVICES),
            ],
            stdin=subprocess.DEVNULL,
        )
        self._wait_until_up()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._first:
            with suppress(ProcessLookupError):
                os.kill(self._inside or self._first.pid, signal.SIGKILL)
            self._first.wait()
        self._forget_groups()

    def run(self, command: str, *, typed: str = "", allowed: tuple[int, ...] = (0,)) -> str:
        """The output of a shell command in it. Raises MachineError for another status."""
        done = subprocess.run(
            self._entering("timeout", "--kill-after=5", str(LONGEST), "sh", "-c", f"cd /srv && {command}"),
            input=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode not in allowed:
            raise MachineError(f"{command}\nstatus {done.returncode}\n{done.stdout}")
        return done.stdout

    def until(self, command: str) -> str:
        """The output of a shell command as soon as its status is 0. Raises MachineError if that takes too
        long."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return self.run(command)
            except MachineError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)

    def path(self, inside: str) -> Path:
        """The absolute path `inside` it, mounts included, as seen from here. It also leads to sockets."""
        return Path(f"/proc/{self._inside}/root{inside}")

    def start(self, *command: str, **environment: str) -> subprocess.Popen[bytes]:
        """A process in it that stays."""
        return subprocess.Popen(self._entering(*command, environment=environment), stdin=subprocess.DEVNULL)

    def wire(self, other: "Machine", own: str, others: str) -> None:
        """Lays a cable between two machines that run, which get these addresses."""
        here, there = str(self._inside), str(other._inside)
        ends = (CABLE, "netns", here, "type", "veth", "peer", "name", CABLE, "netns", there)
        subprocess.run(["ip", "link", "add", *ends], check=True)
        for inside, address in ((here, own), (there, others)):
            for words in (("addr", "add", f"{address}/24", "dev", CABLE), ("link", "set", CABLE, "up")):
                subprocess.run(["nsenter", "--target", inside, "--net", "ip", *words], check=True)

    def _entering(self, *command: str, environment: Mapping[str, str] | None = None) -> list[str]:
        set_to = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/srv", "LANG": "C.UTF-8"}
        words = [f"{name}={value}" for name, value in (set_to | dict(environment or {})).items()]
        space = ["nsenter", "--target", str(self._inside), "--all", "--root", "--wd"]
        return [*space, "env", "-i", *words, *command]

    def _wait_until_up(self) -> None:
        until = time.monotonic() + UP
        while time.monotonic() < until:
            self._inside = self._inside or self._child()
            if self._inside and "running" in self._state():
                return
            time.sleep(0.2)
        raise MachineError(f"it does not start: {self._state()}")

    def _child(self) -> int:
        """The machine's first process, by its number outside; 0: none yet."""
        assert self._first is not None
        children = Path(f"/proc/{self._first.pid}/task/{self._first.pid}/children").read_text().split()
        exe = Path(f"/proc/{children[0]}/comm") if children else None
        return int(children[0]) if exe and exe.read_text().strip() == "systemd" else 0

    def _state(self) -> str:
        done = subprocess.run(
            self._entering("systemctl", "is-system-running"), capture_output=True, text=True, check=False
        )
        return done.stdout.replace("degraded", "running")  # a unit of Debian's may fail for lack of hardware

    def _forget_groups(self) -> None:
        for _ in range(50):
            for folder in sorted(self._group.rglob("*/"), reverse=True):
                with suppress(OSError):
                    folder.rmdir()
            with suppress(OSError):
                self._group.rmdir()
                return
            time.sleep(0.1)
