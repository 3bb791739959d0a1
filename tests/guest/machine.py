"""A guest that runs: QEMU, its monitor, and a shell in it."""

import os
import re
import shlex
import socket
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tests.fixtures.waiting import until
from tests.guest.image import Image
from tests.guest.qmp import Monitor

EMULATOR: Final = "qemu-system-x86_64"
DIES_WITH_US: Final = ("setpriv", "--pdeathsig", "KILL", "sh", "-c", 'test "$PPID" = "$0" && exec "$@"')
"""The kernel ends it with this process, even if this process ended before it knew."""
UP: Final = 600.0
"""Seconds in which the guest must have a shell; on a busy machine it takes many times the usual 10."""
LONGEST: Final = 400.0
"""Seconds that a command may take; and `until`, with its repetitions."""
NO_LIMIT: Final = 1 << 40
"""Bytes in a second."""
READY: Final = b"the shell is there"
END: Final = re.compile(rb"\nended-(\d+)-(\d+)\n$")
SETTINGS: Final = (
    *("root=/dev/vda", "console=ttyS0", "quiet", "mitigations=off", "random.trust_cpu=on"),
    *("systemd.show_status=no", "net.ifnames=0"),
)


class GuestError(Exception):
    """A command in the guest failed, or the guest does not start; the text is the output."""


@dataclass(frozen=True, slots=True)
class Hardware:
    """What a guest has besides its disk. `sockets`: a USB socket for each of these names, into which nothing
    is plugged yet. `more`: further options of QEMU."""

    sockets: tuple[str, ...] = ()
    processors: int = 2
    megabytes: int = 1024
    more: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    stays: bool = False
    """The disk keeps what is written."""
    memory: Path | None = None
    """The guest does not boot. It goes on with this memory, which `Guest.save` wrote; its disk must be as it
    was then."""


class Guest:
    """A context: inside it the guest runs. `folder` has what it shares: `incoming` is /mnt/in of the guest,
    which it can only read, `outgoing` its /mnt/out. Unless it `stays`, its disk forgets what was written when
    it ends."""

    def __init__(self, folder: Path, image: Image, hardware: Hardware = Hardware()) -> None:
        self._folder, self._image, self._hardware = folder, image, hardware
        self.incoming, self.outgoing = folder / "in", folder / "out"
        self._process: subprocess.Popen[bytes] | None = None
        self._count = 0

    def __enter__(self) -> Self:
        for place in (self.incoming, self.outgoing):
            place.mkdir(parents=True, exist_ok=True)
        for path in self._sockets():
            path.unlink(missing_ok=True)
        log = (self._folder / "qemu.log").open("ab")
        with log:
            self._process = subprocess.Popen(
                [*DIES_WITH_US, str(os.getpid()), *self._command()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        try:
            self.monitor = Monitor(self._folder / "monitor")
            self._shell = socket.socket(socket.AF_UNIX)
            until(lambda: self._shell.connect_ex(str(self._folder / "shell")) == 0)
            if self._hardware.memory:
                self._resume()
            self._wait_until_up()
        except BaseException:
            self.cut_power()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut_power()

    @property
    def console(self) -> str:
        """What the kernel and systemd have printed."""
        return (self._folder / "console.log").read_text(errors="replace")

    def usb(self, name: str) -> Path:
        """The Unix socket behind the USB socket with this name."""
        return self._folder / f"{name}.usb"

    def run(self, command: str, *, allowed: tuple[int, ...] = (0,), limit: float = LONGEST) -> str:
        """The output of a shell command as root. Raises GuestError for another status."""
        status, output = self._ask(command, limit)
        if status not in allowed:
            raise GuestError(f"{command}\nstatus {status}\n{output}")
        return output

    def until(self, command: str, limit: float = LONGEST) -> str:
        """The output of a shell command as soon as its status is 0. Raises GuestError if that takes too
        long."""
        end = time.monotonic() + limit
        while True:
            status, output = self._ask(command, limit)
            if status == 0:
                return output
            if time.monotonic() > end:
                raise GuestError(f"{command}\nstill status {status} after {limit:g} s\n{output}")
            time.sleep(0.2)

    def save(self, path: Path) -> None:
        """Writes its memory to a file, and ends it. A disk that is not mounted now may have another content
        when a guest goes on with it."""
        self.run("sync; umount /mnt/in /mnt/out")  # QEMU saves nothing while a folder is shared
        self.monitor.run("stop")
        self.monitor.run("migrate-set-parameters", **{"max-bandwidth": NO_LIMIT})
        self.monitor.run("migrate", uri=f"exec:cat > {shlex.quote(str(path))}")
        until(self._saved)
        self.cut_power()

    def power_off(self) -> None:
        """Shuts it down in order."""
        assert self._process is not None
        self._shell.sendall(b"systemctl poweroff\n")
        self._process.wait(LONGEST)
        self.cut_power()

    def cut_power(self) -> None:
        """Ends QEMU at once."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        self._process = None
        with suppress(AttributeError):
            self.monitor.close()
            self._shell.close()

    def _ask(self, command: str, limit: float) -> tuple[int, str]:
        self._count += 1
        line = f"(set -e\n{command}\n) </dev/null 2>&1; printf '\\nended-%d-%d\\n' {self._count} $?\n"
        self._shell.settimeout(limit)
        self._shell.sendall(line.encode())
        said = b""
        try:
            while (ended := END.search(said)) is None or int(ended[1]) != self._count:
                data = self._shell.recv(65_536)
                if not data:
                    raise GuestError(f"{command}\nthe guest ended; its console:\n{self.console[-2000:]}")
                said += data
        except TimeoutError:
            raise GuestError(f"{command}\nnot after {limit:g} s:\n{said.decode(errors='replace')}") from None
        return int(ended[2]), said[: ended.start()].decode(errors="replace")

    def _saved(self) -> bool:
        """Raises GuestError if QEMU cannot save the memory."""
        found = self.monitor.run("query-migrate")
        if found["status"] == "failed":
            raise GuestError(f"the guest is not saved: {found.get('error-desc')}\n{self._said()}")
        return bool(found["status"] == "completed")

    def _resume(self) -> None:
        """Lets a guest with a saved memory go on. QEMU gives it a new generation id, and its kernel then
        draws new random numbers; without it, each that goes on with a memory would draw the same."""
        until(lambda: self.monitor.run("query-status")["status"] != "inmigrate")
        self.monitor.run("cont")

    def _wait_until_up(self) -> None:
        """The shell answers. What is sent before it reads is lost, so it is asked again."""
        assert self._process is not None
        end, said = time.monotonic() + UP, b""
        self._shell.settimeout(1)
        while READY + b"\n" not in said:
            if time.monotonic() > end or self._process.poll() is not None:
                raise GuestError(f"the guest does not start:\n{self.console[-3000:]}\n{self._said()}")
            with suppress(TimeoutError):
                self._shell.sendall(b"echo " + READY + b"\n")
                said += self._shell.recv(65_536)
        if self._hardware.memory:
            self.run(f"date --set=@{time.time()}")  # its clock stood still meanwhile
        self.run("mount -t 9p -o trans=virtio,version=9p2000.L,ro in /mnt/in")
        self.run("mount -t 9p -o trans=virtio,version=9p2000.L out /mnt/out")

    def _said(self) -> str:
        return (self._folder / "qemu.log").read_text(errors="replace")

    def _sockets(self) -> list[Path]:
        return [self._folder / "monitor", self._folder / "shell", *map(self.usb, self._hardware.sockets)]

    def _command(self) -> list[str]:
        folder, has = self._folder, self._hardware
        usb = [
            word
            for name in has.sockets
            for word in (
                *("-chardev", f"socket,id={name},path={self.usb(name)},server=on,wait=off"),
                *("-device", f"usb-redir,chardev={name},id={name}-usb,bus=xhci.0"),
            )
        ]
        shares = [
            word
            for tag, path, mode in (("in", self.incoming, ",readonly=on"), ("out", self.outgoing, ""))
            for word in ("-virtfs", f"local,path={path},mount_tag={tag},security_model=none{mode}")
        ]
        return [
            *(
                EMULATOR,
                "-accel",
                "tcg,thread=multi",
                "-cpu",
                "max",
                "-nodefaults",
                "-no-user-config",
                "-display",
                "none",
            ),
            *("-smp", str(has.processors), "-m", str(has.megabytes), "-no-reboot"),
            *("-kernel", str(self._image.kernel), "-initrd", str(self._image.initramfs)),
            *("-append", " ".join((*SETTINGS, *has.settings))),
            *("-serial", f"file:{folder / 'console.log'}"),
            *(
                "-chardev",
                f"socket,id=shell,path={folder / 'shell'},server=on,wait=off",
                "-serial",
                "chardev:shell",
            ),
            *("-qmp", f"unix:{folder / 'monitor'},server=on,wait=off"),
            *(
                "-drive",
                f"file={self._image.root},format=raw,if=virtio,snapshot={'off' if has.stays else 'on'}",
            ),
            *("-device", "virtio-rng-pci", "-device", "vmgenid,guid=auto"),
            *shares,
            *("-device", "qemu-xhci,id=xhci,p2=8,p3=8"),
            *usb,
            *(("-incoming", f"exec:cat {shlex.quote(str(has.memory))}") if has.memory else ()),
            *has.more,
        ]
