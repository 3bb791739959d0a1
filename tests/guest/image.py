"""The disk of a guest: a small Debian 12, with the modules of the kernel that a table needs.

mmdebstrap makes the root, and mke2fs writes it into a file, so nothing is mounted. The kernel and its modules
are taken out of Debian's package: to install it would also build an initramfs, which takes longer than all
the rest. The guest boots with an initramfs of busybox and the few modules that find its disk.
"""

import fcntl
import hashlib
import shlex
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from systemd.deb.sources import ROOT
from tests.package.page import screen_packages

SOURCE: Final = Path(__file__).parent / "root"
FOLDER: Final = ROOT / "build" / "guest"
PACKAGES: Final = ("busybox-static", "dbus", "kmod", "python3", "systemd", "udev")
"""What the package of the table needs, and the guest itself."""
OFFICE: Final = (*PACKAGES, "modemmanager")
"""With the program that would write to serial ports that nobody has kept from it."""
KIOSK: Final = (*PACKAGES, *sorted({*screen_packages()} - {*PACKAGES}))
"""With a screen, as docs/install.md installs it."""
MEGABYTES: Final = 4096
"""The size of the disk. Its file is sparse."""
MODULES: Final = (
    *("virtio_pci", "virtio_blk", "ext4", "9p", "9pnet_virtio", "virtio_rng"),
    *("xhci_pci", "ftdi_sio", "cdc_acm", "usbhid", "hid_generic", "hid_multitouch"),
    *("bochs", "virtio_gpu", "virtio_input", "evdev", "i6300esb"),
)
"""Everything that the guest's hardware needs; modprobe adds what these depend on."""
FIRST: Final = ("virtio_pci", "virtio_blk", "ext4")
"""Modules that find the disk."""
MASKED: Final = (
    *("getty@.service", "serial-getty@.service", "systemd-networkd.service", "systemd-timesyncd.service"),
    *("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer"),
    *("e2scrub_reap.service", "fstrim.timer", "systemd-networkd.socket"),
)
"""Units of Debian's that a guest has no use for."""


@dataclass(frozen=True, slots=True)
class Image:
    """`root`: the disk, which nobody writes to."""

    root: Path
    kernel: Path
    initramfs: Path


def image(packages: tuple[str, ...] = PACKAGES) -> Image:
    """The image with these packages of Debian, built if it does not exist. Raises CalledProcessError after
    mmdebstrap has printed why."""
    sources = [path.read_text("utf-8") for path in sorted(SOURCE.iterdir())]
    inputs = repr((sources, packages, MODULES, FIRST, MASKED, MEGABYTES))
    folder = FOLDER / hashlib.sha256(inputs.encode()).hexdigest()[:16]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of two runs, the second one waits for what the first one builds
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=FOLDER) as place:
                _build(Path(place), packages)
                Path(place).rename(folder)
                Path(place).mkdir()  # for the context to remove
    return Image(folder / "root.ext4", folder / "vmlinuz", folder / "initramfs")


def _build(out: Path, packages: tuple[str, ...]) -> None:
    out.chmod(0o777)  # as another user, mmdebstrap runs the script in a namespace whose root is somebody else
    variables = {
        "source": str(SOURCE),
        "out": str(out),
        "modules": " ".join(MODULES),
        "first": " ".join(FIRST),
        "masked": " ".join(MASKED),
        "megabytes": str(MEGABYTES),
    }
    settings = shlex.join(f"{name}={text}" for name, text in variables.items())
    command = [
        *("mmdebstrap", "--quiet", "--variant=minbase", "--format=null", f"--include={','.join(packages)}"),
        *("--dpkgopt=force-unsafe-io", "--dpkgopt=path-exclude=/usr/share/man/*"),
        "--dpkgopt=path-exclude=/usr/share/locale/*",
        f'--customize-hook=env {settings} sh {shlex.quote(str(SOURCE / "customize"))} "$1"',
        "bookworm",
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    image()
