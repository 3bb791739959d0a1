"""The ports of the devices: whether they are there, whether the daemon may open them, and who else has them
open. No port is opened."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.config import DeviceSection
from controller.doctor.finding import AS_ROOT, Finding
from controller.doctor.subject import Subject
from drivers.ports.listing import ListedPort, find_ports
from drivers.ports.names import SCHEME

PROC: Final = Path("/proc")
PLUG_IN: Final = "Plug the device in and switch it on. If it is, compare the port with: tableside device list"
MOST_NAMES: Final = 3
SERVER: Final = "socket://"


@dataclass(frozen=True, slots=True)
class OpenFiles:
    """Who has files open. `holders`: processes by device number and by inode of the file. `hidden`: how many
    processes of others could not be looked at."""

    holders: Mapping[tuple[int, int], frozenset[int]]
    hidden: int

    def of(self, path: Path) -> frozenset[int]:
        found = path.stat()
        return self.holders.get((found.st_dev, found.st_ino), frozenset())


def open_files(proc: Path = PROC) -> OpenFiles:
    found: dict[tuple[int, int], set[int]] = {}
    hidden = 0
    for process in proc.glob("[0-9]*"):
        try:
            links = [*(process / "fd").iterdir()]
        except PermissionError:
            hidden += 1
            continue
        except OSError:  # it has ended
            continue
        for file in _files(links):
            found.setdefault(file, set()).add(int(process.name))
    return OpenFiles({file: frozenset(holders) for file, holders in found.items()}, hidden)


def _files(links: Iterable[Path]) -> Iterator[tuple[int, int]]:
    for link in links:
        try:
            found = link.stat()
        except OSError:  # it was closed
            continue
        yield found.st_dev, found.st_ino


def check_ports(subject: Subject) -> Iterator[Finding]:
    listed, files = find_ports(), open_files()
    for name, section in subject.config.devices.configured().items():
        yield _port(subject, f"port of the {name}", section, listed, files)
    if files.hidden:
        why = f"only root sees which files {files.hidden} programs of others have open"
        yield Finding("programs at the ports", "not checked", why, AS_ROOT)


def _port(
    subject: Subject, check: str, section: DeviceSection, listed: tuple[ListedPort, ...], files: OpenFiles
) -> Finding:
    port = section.port
    if port.startswith(SERVER):
        return Finding(check, "not checked", f"{port}: a device server is reached only by opening the port")
    known = next((one for one in listed if port in (one.port, *one.names)), None)
    if port.startswith(SCHEME):
        return Finding(check, "ok", port) if known else Finding(check, "fault", f"{port} is absent", PLUG_IN)
    return _serial_port(subject, check, Path(port), files, meddled=bool(known and known.meddled))


def _serial_port(subject: Subject, check: str, port: Path, files: OpenFiles, *, meddled: bool) -> Finding:
    try:
        usable, holders = subject.user.may_use(port), files.of(port)
    except OSError as error:
        return Finding(check, "fault", f"{port}: {error.strerror}", PLUG_IN)
    if not usable:
        text = f"{port}: {subject.user.name} may not read and write it ({_mode(port)})"
        todo = "Install systemd/60-tableside.rules for udev, or give the port to a group of this user."
        return Finding(check, "fault", text, todo)
    if others := holders - {subject.core, os.getpid()}:
        return Finding(check, "fault", f"{port} is also open in {_names(others)}", "End that program.")
    if meddled:
        todo = "Set ID_MM_DEVICE_IGNORE in udev, as systemd/60-tableside.rules does."
        return Finding(check, "warning", f"{port}: ModemManager may open it and write to it", todo)
    return Finding(check, "ok", f"{port}{', open in the daemon' if subject.core in holders else ''}")


def _mode(path: Path) -> str:
    found = path.stat()
    return f"mode {found.st_mode & 0o777:04o}, user {found.st_uid}, group {found.st_gid}"


def _names(processes: frozenset[int]) -> str:
    named = [f"{_name(one)} (process {one})" for one in sorted(processes)]
    more = len(named) - MOST_NAMES
    return ", ".join(named[:MOST_NAMES]) + (f" and {more} others" if more > 0 else "")


def _name(process: int) -> str:
    try:
        return (PROC / str(process) / "comm").read_text().strip()
    except OSError:
        return "a program that has ended"
