"""A table of a floor: simulated devices, the daemon and the uplink as processes."""

import asyncio
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from controller.config import read
from controller.demo.staff import Member
from controller.demo.table import KINDS, DemoTable
from controller.floor.demo.level import LEVEL, SPOT
from controller.floor.demo.roster import PlannedTable
from controller.floor.uplink.credentials import join
from controller.floor.uplink.enrolment import request_of
from controller.property.enrolment import EnrolmentRequest

DEVICES = "devices"
"""The name of the process with all devices."""


@dataclass(frozen=True, slots=True)
class FloorPlace:
    """Where a table finds its floor. `key`: the public key of the floor in hex; `accounts`: a file with the
    accounts of `people`; `progressive`: the public key of the linked progressive in hex, empty if there is
    none; `guarded`: the servers admit only whom the floor has signed for."""

    property: str
    server: str
    key: str
    accounts: Path
    people: tuple[Member, ...]
    progressive: str = ""
    guarded: bool = False


class FloorTable(DemoTable):
    """The caller starts the daemon, has the journal admitted and starts the uplink."""

    names: ClassVar[Mapping[str, str]] = {**DemoTable.names, DEVICES: "simulated devices"}

    def __init__(self, folder: Path, plan: PlannedTable, floor: FloorPlace, lock: int | None = None) -> None:
        super().__init__(folder, plan.settings, lock)
        self.plan, self._floor = plan, floor
        self.uplink: asyncio.subprocess.Process | None = None

    def more_sections(self) -> tuple[str, ...]:
        floor, name = self._floor, self.plan.name
        credentials = 'credentials = "keys/uplink.creds"\n' if floor.guarded else ""
        return (
            f'[uplink]\nproperty = "{floor.property}"\ntable = "{name}"\nservers = ["{floor.server}"]\n'
            + credentials,
            f'[floor]\nkeys = ["{floor.key}"]\n',
            *self._progressive(),
        )

    @property
    def linked(self) -> bool:
        """Whether it plays for the linked progressive."""
        return bool(self._floor.progressive) and SPOT in self.settings.rules.meters

    def _progressive(self) -> tuple[str, ...]:
        levels = f'{{ "{SPOT}" = "{LEVEL}" }}'
        section = f'[progressive]\nkeys = ["{self._floor.progressive}"]\nlevels = {levels}\n'
        return (section,) if self.linked else ()

    def request(self) -> EnrolmentRequest:
        """What `tableside table uplink enroll` prints, once the daemon has made a journal. Raises
        EnrolmentError, JournalError."""
        return request_of(read(self.config))

    def join(self, signed: Path) -> None:
        """Make the credentials of the uplink from what the floor has signed. Raises CredentialsRefused."""
        join(read(self.config), signed)

    async def start_uplink(self) -> None:
        """Raises DemoError as `start_daemon` does."""
        self.uplink = await self._start_service("uplink", self._command("uplink"))

    async def stop_uplink(self) -> None:
        await self._end(self.uplink)
        self.uplink = None

    async def first_end(self) -> None:
        services = {"daemon": self.daemon, "web": self.web, "uplink": self.uplink}
        await self._first_end({**services, DEVICES: self.devices[KINDS[0]]})

    def log_tail(self, name: str) -> str:
        return super().log_tail(DEVICES if name in KINDS else name)

    async def _start_devices(self) -> None:
        lines = (json.dumps([kind, *self._device_options(kind)]) for kind in KINDS)
        listed = self.folder / DEVICES
        listed.write_text("\n".join(lines), "utf-8")
        process = await self._spawn(DEVICES, ["drivers.sim.several", str(listed)])
        self.devices = dict.fromkeys(KINDS, process)

    def _make_staff(self, accounts: Path) -> tuple[Member, ...]:
        shutil.copy(self._floor.accounts, accounts)
        return self._floor.people

    async def _end_all(self) -> None:
        await self.stop_uplink()
        await super()._end_all()
