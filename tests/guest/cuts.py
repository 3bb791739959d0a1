"""Losses of power in play, on disks that lose what was not flushed.

The journal and its mirror each have a disk of their own (`nbd.py`). A crew plays; at a moment of chance the
disks, the computer and the devices lose their power together. Then the computer starts again with what the
disks have kept, and once its devices run, everything must be there: the rows are whole and signed, the mirror
has the same, the cards are those that left the shoe, the meters follow from the rounds, and each round went
as the crew played it. On disks that are `deaf` to a flush the same check must fail, or it would show nothing.
"""

import asyncio
import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Final

from controller.demo.crew.crew import Crew
from controller.demo.crew.playbook import playbook
from controller.demo.settings import DemoSettings
from drivers.key_files import store_key
from drivers.sim.kinds import KINDS
from tests.fixtures.waiting import come_true
from tests.guest.image import Image, image
from tests.guest.machine import Guest, GuestError, Hardware
from tests.guest.nbd import BLOCK, LossyDisk
from tests.guest.play import FOREVER
from tests.guest.table import Scene, devices, install, prepare
from tests.system.drill.audit import wrong
from tests.system.drill.daemon import DRILL_KEY
from tests.system.gallery import Gallery

DISKS: Final = ("journal", "mirror")
MEGABYTES: Final = 2000
"""Of each disk; a table wants a gigabyte free."""
ROWS, MIRROR = "/var/lib/tableside", "/mnt/second"
DRESS: Final = f"""
mkdir -p {ROWS} {MIRROR}
echo '/dev/vdb {ROWS} ext4 defaults 0 0' >> /etc/fstab
echo '/dev/vdc {MIRROR} ext4 defaults 0 0' >> /etc/fstab
systemctl daemon-reload
mount {ROWS} && mount {MIRROR}
mkdir -p -m 777 {MIRROR}/tableside
mkdir -p /etc/systemd/system/tableside.service.d
cd /etc/systemd/system/tableside.service.d
printf '[Service]\\nReadWritePaths={MIRROR}/tableside\\n' > mirror.conf
systemctl mask tableside-web
"""
OWN: Final = f"""
systemctl stop tableside
chown tableside: {MIRROR}/tableside
chmod 755 {MIRROR}/tableside
rm -f {ROWS}/table.db* {ROWS}/journal.key {MIRROR}/tableside/table.db*
install --owner=tableside --group=tableside --mode=600 /mnt/in/journal.key {ROWS}/journal.key
systemctl start tableside
systemctl stop tableside  # which signs the first rows
sync
"""
COPY: Final = f"""
rm -rf /mnt/out/table.db* /mnt/out/mirror && mkdir /mnt/out/mirror
cp {ROWS}/table.db* /mnt/out && cp {MIRROR}/tableside/table.db* /mnt/out/mirror
"""
MOST: Final = 60
"""Notices of the devices that a loss of power waits for at most."""
LATEST: Final = 0.05
"""Seconds after the last of them."""
CHECKED: Final = 180.0
"""Seconds in which a table that has started again must be whole."""


@dataclass(slots=True)
class CutReport:
    """`cuts` that the table survived; `faults`, a sentence for each; `phases` in which the power went; blocks
    that the disks had `kept` and `lost`; `seconds` of all."""

    cuts: int = 0
    faults: list[str] = field(default_factory=list)
    phases: Counter[str] = field(default_factory=Counter)
    kept: int = 0
    lost: int = 0
    rounds: int = 0
    seconds: float = 0.0


class CutTable:
    """A table whose computer was installed once, what its disks have kept, and the crew that plays at it."""

    def __init__(self, folder: Path, settings: DemoSettings, package: Path, seed: int) -> None:
        self.folder, self._settings = folder, settings
        self._scene, self._chance = Scene(settings), Random(seed)
        self._contents = {name: _formatted(folder / f"{name}.ext4", name) for name in DISKS}
        self._image = self._installed(package)
        self._controls = {kind: folder / "crew" / f"{kind}.control" for kind in KINDS}
        self._crew = Crew(self._controls, playbook(settings.rules), settings.seed, patience=FOREVER)
        (folder / "crew").mkdir()

    async def play(self, cuts: int, *, deaf: bool = False) -> CutReport:
        """Plays and cuts, at last until the first fault."""
        report, began = CutReport(), time.monotonic()
        async with Gallery(self._controls) as gallery:
            playing = asyncio.create_task(self._crew.run())
            try:
                while not report.faults and report.cuts <= cuts:
                    with self._powered(deaf=deaf) as (guest, disks):
                        report.faults = await self._whole(guest)
                        if report.faults or report.cuts == cuts:
                            break
                        await self._cut(guest, disks, gallery, report)
            finally:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
        report.rounds, report.seconds = len(self._crew.machine.rounds), time.monotonic() - began
        return report

    async def _whole(self, guest: Guest) -> list[str]:
        """What is wrong, once all devices have reported what they had kept for the table."""
        end, found = time.monotonic() + CHECKED, ["the service does not start"]
        while found and time.monotonic() < end:
            try:
                await asyncio.to_thread(guest.run, f"systemctl is-active tableside && {COPY}")
            except GuestError as error:
                found = [str(error)]
            else:
                found = await asyncio.to_thread(
                    lambda: [*wrong(guest.outgoing, self._settings, self._crew.machine.rounds)]
                )
            await asyncio.sleep(0.5)
        if found:
            found.append(guest.run("journalctl --boot --unit tableside --output cat --no-pager | tail -20"))
        return found

    async def _cut(
        self, guest: Guest, disks: Sequence[LossyDisk], gallery: Gallery, report: CutReport
    ) -> None:
        """Lets the crew play, and takes the power at a moment of chance."""
        target = gallery.seen.total() + self._chance.randint(1, MOST)
        for kind, control in self._controls.items():
            control.symlink_to(self.folder / f"{kind}.control")
        try:
            await come_true(lambda: gallery.seen.total() >= target, limit=CHECKED, pause=0.002)
            await asyncio.sleep(self._chance.uniform(0, LATEST))
        finally:
            for disk in disks:
                disk.cut()
            guest.cut_power()
            for control in self._controls.values():
                control.unlink()
        report.cuts += 1
        report.phases[gallery.phase] += 1
        report.kept += sum(disk.kept for disk in disks)
        report.lost += sum(disk.lost for disk in disks)
        print(
            f"loss of power {report.cuts}, {gallery.phase}: {report.lost} blocks lost until now", flush=True
        )

    @contextmanager
    def _powered(self, *, deaf: bool) -> Iterator[tuple[Guest, Sequence[LossyDisk]]]:
        """The computer and its devices."""
        with ExitStack() as stack:
            disks = [stack.enter_context(disk) for disk in self._disks(deaf=deaf)]
            guest = stack.enter_context(Guest(self.folder, self._image, self._hardware()))
            stack.enter_context(devices(self.folder, self._scene))
            (guest.outgoing / "shoe.cards").unlink(missing_ok=True)
            (guest.outgoing / "shoe.cards").symlink_to(self.folder / "shoe.cards")
            yield guest, disks

    def _disks(self, *, deaf: bool) -> list[LossyDisk]:
        return [
            LossyDisk(self.folder / f"{name}.nbd", MEGABYTES, self._contents[name], self._chance, deaf=deaf)
            for name in DISKS
        ]

    def _hardware(self) -> Hardware:
        drives = (f"file=nbd+unix:///?socket={self.folder / name}.nbd,format=raw,if=virtio" for name in DISKS)
        return Hardware(tuple(KINDS), more=tuple(word for drive in drives for word in ("-drive", drive)))

    def _installed(self, package: Path) -> Image:
        """The image with the package, the configuration and the keys. The service has never run on its
        disks."""
        fresh = replace(image(), root=self.folder / "installed.ext4")
        subprocess.run(["cp", "--sparse=always", image().root, fresh.root], check=True)
        with ExitStack() as stack:
            for disk in self._disks(deaf=False):
                stack.enter_context(disk)
            guest = stack.enter_context(Guest(self.folder, fresh, replace(self._hardware(), stays=True)))
            prepare(self.folder, guest.incoming, self._scene, package)
            store_key(DRILL_KEY, guest.incoming / "journal.key")
            text = (guest.incoming / "table.toml").read_text("utf-8")
            text = text.replace("table.journal", "table.db").replace("# mirror", "mirror")
            (guest.incoming / "table.toml").write_text(text, "utf-8")
            guest.run(DRESS)
            install(guest)
            guest.run(OWN)
            guest.power_off()
        return fresh


def _formatted(path: Path, label: str) -> dict[int, bytes]:
    """The blocks of an empty file system."""
    path.touch()
    os.truncate(path, MEGABYTES << 20)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-b", str(BLOCK), "-L", label, str(path)], check=True)
    content, empty = {}, bytes(BLOCK)
    with path.open("rb") as file:
        for number in range((MEGABYTES << 20) // BLOCK):
            if (block := file.read(BLOCK)) != empty:
                content[number] = block
    path.unlink()
    return content
