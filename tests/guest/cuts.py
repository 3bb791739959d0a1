"""Losses of power in play, on disks that lose what was not flushed.

The journal and its mirror each have a disk of their own (`nbd.py`). A crew plays; at a moment of chance the
disks, the computer and the devices lose their power together, every other time in the middle of a commit.
Then the computer starts again with what the disks have kept, and once its devices run, everything must be
there: the rows are whole and signed, the mirror has the same, the cards are those that left the shoe, the
meters follow from the rounds, and each round went as the crew played it. On disks that are `deaf` to a flush
the same check must fail, or it would show nothing.

An emulated computer boots slowly, so most starts are not whole ones. Its memory was saved once, when it had
booted and neither of the two disks was mounted; a start goes on from there, mounts the disks, which recovers
their file systems, and starts the service. Each `COLD`th start is a whole boot.
"""

import asyncio
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
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
from tests.guest.ext4 import formatted, journal_rows
from tests.guest.image import Image, image
from tests.guest.machine import Guest, GuestError, Hardware
from tests.guest.nbd import LossyDisk, Power
from tests.guest.play import FOREVER
from tests.guest.table import Scene, devices, install, prepare
from tests.system.drill.audit import wrong
from tests.system.drill.daemon import DRILL_KEY
from tests.system.gallery import Gallery

DISKS: Final = {"journal": "table.db", "mirror": "tableside/table.db"}
"""Each disk, and its copy of the journal."""
MEGABYTES: Final = 2000
"""Of each disk; a table wants a gigabyte free."""
ROWS, MIRROR = "/var/lib/tableside", "/mnt/second"
DRESS: Final = f"""
mkdir -p {ROWS} {MIRROR}
echo '/dev/vdb {ROWS} ext4 defaults,nofail 0 0' >> /etc/fstab
echo '/dev/vdc {MIRROR} ext4 defaults,nofail 0 0' >> /etc/fstab
systemctl daemon-reload
mount {ROWS} && mount {MIRROR}
mkdir -p -m 777 {MIRROR}/tableside
mkdir -p /etc/systemd/system/tableside.service.d
cd /etc/systemd/system/tableside.service.d
printf '[Unit]\\nRequiresMountsFor={MIRROR}\\n[Service]\\nReadWritePaths={MIRROR}/tableside\\n' > mirror.conf
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
umount {ROWS} {MIRROR}
"""
START: Final = """
systemctl start tableside
systemctl show --property=StatusText --value tableside
"""
"""Waits for the disks and for the table; fails if there is a fault of either. The output says whether the
table is halted."""
HALTED: Final = "Halted: "
WHY: Final = """
journalctl --dmesg --output cat --no-pager | grep -i 'ext4\\|vd[bc]' | tail -20
systemctl --no-pager list-units --failed
journalctl --boot --unit tableside --output cat --no-pager | tail -20
"""
"""What a report needs."""
FILES: Final = "-maxdepth 1 -type f -name 'table.db*' -exec cp --target-directory"
COPY: Final = f"""
rm -rf /mnt/out/table.db* /mnt/out/mirror && mkdir /mnt/out/mirror
find {ROWS} {FILES} /mnt/out {{}} +
find {MIRROR}/tableside {FILES} /mnt/out/mirror {{}} +
"""
ASIDE: Final = f"find {ROWS} {MIRROR} -name '*.damaged-*' -o -name '*.saved-*'"
"""Copies of the journal that were put aside, because they were damaged or changed while they were open."""
MOST: Final = 120
"""Notices of the devices that a loss of power waits for at most."""
LATEST: Final = 0.05
"""Seconds after the last of them."""
AT_FLUSH: Final = 0.5
"""The share of losses that come with a flush, before it is done. A commit is then only half on the disk."""
FLUSHES: Final = 4
"""It is one of the next so many: a commit flushes the journal, and then the mirror."""
CHECKED: Final = 90.0
"""Seconds in which something must change while a table that has started again is not whole."""
STUCK: Final = 180.0
"""Seconds in which the crew must have played so far."""
COLD: Final = 20
"""One start of so many is a whole boot, beginning with the first."""


@dataclass(slots=True)
class CutReport:
    """`cuts` that the table survived; `faults`, a sentence for each; `phases` in which the power went; blocks
    that the disks had `kept` and `lost`; `seconds` of all."""

    cuts: int = 0
    faults: list[str] = field(default_factory=list)
    phases: Counter[str] = field(default_factory=Counter)
    kept: int = 0
    lost: int = 0
    torn: int = 0
    """Losses of power in the middle of a commit: a disk had received rows that were not on it afterwards."""
    rows: int = 0
    """So many rows, none of which had been acknowledged."""
    uneven: int = 0
    """Losses of power after which one copy of the journal had rows that the other had to get."""
    cold: int = 0
    """Starts that were whole boots."""
    rounds: int = 0
    seconds: float = 0.0


class CutTable:
    """A table whose computer was installed once, what its disks have kept, and the crew that plays at it."""

    def __init__(self, folder: Path, settings: DemoSettings, package: Path, seed: int) -> None:
        self.folder, self._settings = folder, settings
        self._scene, self._chance = Scene(settings), Random(seed)
        self._contents = {name: formatted(name, MEGABYTES) for name in DISKS}
        self._memory = folder / "memory"
        self._image = self._installed(package)
        self._controls = {kind: folder / "crew" / f"{kind}.control" for kind in KINDS}
        self._crew = Crew(self._controls, playbook(settings.rules), settings.seed, patience=FOREVER)
        (folder / "crew").mkdir()

    async def play(self, cuts: int, *, deaf: bool = False) -> CutReport:
        """Plays and cuts, at last until the first fault. The crew belongs to the loop of the first call."""
        report, began = CutReport(), time.monotonic()
        async with Gallery(self._controls) as gallery, asyncio.TaskGroup() as group:
            playing = group.create_task(self._crew.run())  # if it fails, everything ends
            try:
                for number in range(cuts + 1):
                    await self._cycle(gallery, report, deaf=deaf, cut=number < cuts)
                    if report.faults:
                        break
            except GuestError as error:
                report.faults.append(str(error))
            playing.cancel()
        report.rounds, report.seconds = len(self._crew.machine.rounds), time.monotonic() - began
        return report

    async def _cycle(self, gallery: Gallery, report: CutReport, *, deaf: bool, cut: bool) -> None:
        """Starts the computer, checks it, and if nothing is wrong plays and takes the power."""
        began, power, cold = time.monotonic(), Power(), report.cuts % COLD == 0
        with self._powered(power, deaf=deaf, cold=cold) as guest:
            up = time.monotonic()
            report.faults = await self._faults(guest)
            checked = time.monotonic()
            if report.faults or not cut:
                return
            await self._cut(guest, power, gallery)
        report.cuts, report.cold = report.cuts + 1, report.cold + cold
        report.phases[gallery.phase] += 1
        await asyncio.to_thread(self._count, power, report)
        lost = f"{report.lost} blocks and {report.rows} rows lost until now"
        played = time.monotonic() - checked
        steps = f"{up - began:.1f} s to go on, {checked - up:.1f} to check, {played:.1f} to play"
        print(f"loss of power {report.cuts}, {gallery.phase or 'start'}: {lost}; {steps}", flush=True)

    async def _faults(self, guest: Guest) -> list[str]:
        """What is wrong, once all devices have reported what they had kept for the table."""
        try:
            status = await asyncio.to_thread(guest.run, START)
            found = [status] if status.startswith(HALTED) else await self._wrong(guest)
        except GuestError as error:
            found = [str(error)]
        return [*found, await asyncio.to_thread(guest.run, WHY)] if found else []

    async def _wrong(self, guest: Guest) -> list[str]:
        """What the books of a table that plays lack; devices that report late have their time."""
        found, end = [""], time.monotonic() + CHECKED
        while found and time.monotonic() < end:
            await asyncio.to_thread(guest.run, COPY)
            before = found
            found = await asyncio.to_thread(
                lambda: [*wrong(guest.outgoing, self._settings, self._crew.machine.rounds)]
            )
            if found != before:
                end = time.monotonic() + CHECKED
            await asyncio.sleep(0.5)
        aside = await asyncio.to_thread(guest.run, ASIDE)
        return [*found, f"the table put journals aside: {aside}"] if aside else found

    async def _cut(self, guest: Guest, power: Power, gallery: Gallery) -> None:
        """Lets the crew play, and takes the power at a moment of chance."""
        target = gallery.seen.total() + self._chance.randint(1, MOST)
        for kind, control in self._controls.items():
            control.symlink_to(self.folder / f"{kind}.control")
        try:
            await come_true(lambda: gallery.seen.total() >= target, limit=STUCK, pause=0.002)
            power.trips = self._chance.randint(1, FLUSHES) if self._chance.random() < AT_FLUSH else 0
            await asyncio.sleep(self._chance.uniform(0, LATEST))
            await come_true(lambda: not (power.trips and power.on), limit=STUCK, pause=0.002)
        except AssertionError as error:
            notices = "\n".join(map(str, gallery.last))
            raise GuestError(f"the play does not go on at {gallery.prompt!r}:\n{notices}") from error
        finally:
            power.cut()
            guest.cut_power()
            for control in self._controls.values():
                control.unlink()

    def _count(self, power: Power, report: CutReport) -> None:
        """What the disks lost, in blocks and in rows."""
        report.kept += sum(disk.kept for disk in power.disks)
        report.lost += sum(disk.lost for disk in power.disks)
        there = [journal_rows(self._contents[name], MEGABYTES, path) for name, path in DISKS.items()]
        received = [
            journal_rows({**self._contents[name], **disk.unflushed}, MEGABYTES, path)
            for (name, path), disk in zip(DISKS.items(), power.disks, strict=True)
        ]
        lost = sum(received) - sum(there)
        report.rows += lost
        report.torn += lost > 0
        report.uneven += there[0] != there[1]

    @contextmanager
    def _powered(self, power: Power, *, deaf: bool, cold: bool) -> Iterator[Guest]:
        """The computer and its devices."""
        hardware = self._hardware() if cold else replace(self._hardware(), memory=self._memory)
        with ExitStack() as stack:
            for disk in self._disks(power, deaf=deaf):
                stack.enter_context(disk)
            guest = stack.enter_context(Guest(self.folder, self._image, hardware))
            stack.enter_context(devices(self.folder, self._scene))
            (guest.outgoing / "shoe.cards").unlink(missing_ok=True)
            (guest.outgoing / "shoe.cards").symlink_to(self.folder / "shoe.cards")
            yield guest

    def _disks(self, power: Power, *, deaf: bool) -> list[LossyDisk]:
        return [
            LossyDisk(
                self.folder / f"{name}.nbd", MEGABYTES, self._contents[name], self._chance, power, deaf=deaf
            )
            for name in DISKS
        ]

    def _hardware(self) -> Hardware:
        drives = (f"file=nbd+unix:///?socket={self.folder / name}.nbd,format=raw,if=virtio" for name in DISKS)
        return Hardware(tuple(KINDS), more=tuple(word for drive in drives for word in ("-drive", drive)))

    def _installed(self, package: Path) -> Image:
        """The image with the package, the configuration and the keys, on which the memory was saved."""
        fresh = replace(image(), root=self.folder / "installed.ext4")
        subprocess.run(["cp", "--sparse=always", image().root, fresh.root], check=True)
        with ExitStack() as stack:
            for disk in self._disks(Power(), deaf=False):
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
            guest.save(self._memory)
        return fresh
