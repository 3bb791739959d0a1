"""The status of a running table for the floor of its property, signed with the key of the table's journal."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from controller.access.desk import AccessDesk
from controller.calendar import ReportSettings
from controller.config import Config
from controller.daemon.floor import directory_status
from controller.daemon.shift_figures import ShiftFigures
from controller.daemon.shift_rounds import shift_rounds
from controller.journal.journal import Journal
from controller.journal.signing import Signer
from controller.property.signed import SignedMessage
from controller.property.status import StatusDirectory, StatusLevel, TableStatus, payload_of
from controller.property.subjects import PropertySubjects
from controller.socket.results import Head
from controller.table.loop import Table
from controller.table.people.floor_commands import request_nonce
from controller.table.record.views import DeviceView
from controller.table.view.status import StatusFacts, table_status

ANSWERED: Final = 8
"""Commands whose answers are in the status."""


class FloorStatus:
    """A StatusSource. `head`: the last row that may be disclosed; `clock`: seconds of Unix time; `target`:
    rounds an hour that the house wants, 0 for none; `manifest`: the digest of the daemon's own files;
    `progressive`: the last amounts of linked levels that the table accepted."""

    def __init__(
        self,
        table: Table,
        devices: Callable[[], Sequence[DeviceView]],
        head: Callable[[], Head],
        figures: ShiftFigures,
        signer: Signer,
        subject: str,
        clock: Callable[[], float],
        *,
        target: int = 0,
        zone: str = "",
        manifest: str = "",
        directory: Callable[[], StatusDirectory | None] = lambda: None,
        progressive: Callable[[], Mapping[str, StatusLevel]] = dict,
    ) -> None:
        self._table, self._devices, self._head = table, devices, head
        self._progressive, self._zone = progressive, zone
        self._figures, self._signer, self._subject, self._clock = figures, signer, subject, clock
        self._target, self._manifest, self._directory = target, manifest, directory

    async def follow(self, settings: ReportSettings) -> None:
        """Go by this target and these shifts from now on."""
        self._target = settings.target
        await self._figures.use(settings.calendar, self._clock())

    def status(self) -> TableStatus | None:
        """None for a table that halts: its state may contain what is not on disk."""
        if self._table.failed:
            return None
        state, head, now = self._table.state, self._head(), self._clock()
        facts = StatusFacts(
            head.row,
            head.hash,
            now,
            self._figures.at(state, now),
            self._devices(),
            self._target,
            self._manifest,
            nonce=state.shift.nonce,
            nonces={request.number: request_nonce(request) for request in state.shift.requests.open},
            directory=self._directory(),
            answered=[(taken.id, taken.code) for taken in islice(state.shift.commands, ANSWERED)],
            progressive=self._progressive(),
            time_zone=self._zone,
        )
        return table_status(state, facts)

    def signed(self, status: TableStatus) -> SignedMessage:
        """Raises StatusError if it is too long."""
        return SignedMessage.make(self._subject, payload_of(status), self._signer)


def floor_status(
    config: Config,
    table: Table,
    journal: Journal,
    devices: Callable[[], Sequence[DeviceView]],
    head: Callable[[], Head],
    manifest: str,
    access: AccessDesk | None,
    progressive: Callable[[], Mapping[str, StatusLevel]] = dict,
) -> FloorStatus | None:
    """None for a table that no floor watches."""
    uplink, target = config.uplink, config.table.target
    if uplink is None or journal.signer is None:
        return None
    return FloorStatus(
        table,
        devices,
        head,
        ShiftFigures(config.report_settings.calendar, partial(shift_rounds, Path(config.journal.path))),
        journal.signer,
        PropertySubjects(uplink.property).status(uplink.table),
        time.time,
        target=target,
        zone=config.table.time_zone,
        manifest=manifest,
        directory=lambda: directory_status(access),
        progressive=progressive,
    )
