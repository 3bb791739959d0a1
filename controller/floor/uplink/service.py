"""The process of the uplink, from its configuration to its end: a client of the table's core, and of the
servers of the property. `serve` does the work of the command `tableside table uplink`.

The uplink does not wait for the core or the floor, and neither of them waits for it. It sends rows while a
core plays and a server answers. When either is away, the uplink starts anew from what the stream and the
floor have. It has nothing of its own on disk, and takes no lock of the journal.
"""

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from resource import RLIMIT_CORE, setrlimit
from typing import Any, Final

import structlog
from nats.aio.client import Client
from nats.errors import Error as NatsError

from controller.floor.authority.permissions import table_inbox
from controller.floor.connection import PROMPT, ConnectionEndedError, Servers, ServersError, connection
from controller.floor.credentials import CredentialsError
from controller.floor.uplink.acknowledgement_relay import AcknowledgementRelay
from controller.floor.uplink.command_relay import CommandRelay
from controller.floor.uplink.directory_relay import DirectoryRelay
from controller.floor.uplink.floor_line import FloorLine, ShippedJournal
from controller.floor.uplink.progressive_relay import ProgressiveRelay
from controller.floor.uplink.settings import UplinkSettings
from controller.floor.uplink.shipper import Shipper
from controller.floor.uplink.status_relay import StatusRelay
from controller.journal.history import History
from controller.journal.place import OtherRows
from controller.process.child_process import ChildFailed, in_child
from controller.process.faults import FAILED, USAGE, is_temporary, print_faults
from controller.process.memory_tuning import limit_memory
from controller.process.notify import Notifier
from controller.process.tasks import end_tasks, run_parts, stop_event
from controller.property.subjects import PropertySubjects
from controller.property.uplink_status import uplink_status
from controller.socket.core_line import CoreLine
from controller.socket.wire import CallRefused, CoreAway
from controller.telemetry import logs

BEAT: Final = 1.0
"""Seconds between two looks of the parts that run by the clock."""
STATUS_INTERVAL: Final = 5.0
"""Seconds between two statuses of the uplink, while it has something to say."""
PATIENCE: Final = 10.0
"""Seconds without a server after which the table has an alert."""
NO_SERVER: Final = "The uplink reaches no server of the floor: {servers}"
REFUSED: Final = "A server of the floor refuses the table's credentials: two persons must admit it there"


class UplinkProcess:
    """All parts of the uplink of one table."""

    def __init__(self, settings: UplinkSettings) -> None:
        self._settings = settings
        self._subjects = PropertySubjects(settings.house)
        self._relay = StatusRelay(self._subjects.status(settings.table))
        self._amounts = ProgressiveRelay(self._subjects, settings.table, settings.levels)
        self._history = History(Path(settings.journal))
        self._log = structlog.get_logger("tableside.uplink")
        self._notifier = Notifier()
        self._changed = asyncio.Event()
        self._core = CoreLine(
            Path(settings.socket),
            "uplink",
            ("head", "table_status", "progressive"),
            on_change=self._notice,
            on_push=self._on_push,
        )
        self._acknowledgements = AcknowledgementRelay(self._core)
        self._directories = DirectoryRelay(self._core, self._subjects.directory(settings.table))
        self._head = 0
        self._connected = self._refused = False
        self._away_since = time.monotonic()
        self._epoch = ""
        self._alarm = ""
        self._stopped = False
        self._client: Client | None = None
        self._shipper: Shipper | None = None
        self._reported: tuple[int, dict[str, str]] | None = None
        self._status_due = 0.0

    async def serve(self) -> None:
        """Send rows until a signal arrives. Raises the error of a part that failed."""
        stop = stop_event()
        async with self._core:
            self._notifier.ready(self._state())
            try:
                await run_parts(
                    (
                        self._ship(),
                        self._beat(),
                        self._relay.run(),
                        self._acknowledgements.run(),
                        self._directories.run(),
                        self._amounts.run(self._core),
                        stop.wait(),
                    )
                )
            finally:
                self._notifier.stopping()
        self._log.info("stopped")
        self._notifier.close()

    async def _ship(self) -> None:
        """Keep a connection, pass commands of the floor on, and send rows whenever that is possible, until
        cancelled."""
        async with connection(self._servers(), self._on_connection, self._on_refused) as client:
            self._client = self._relay.client = client
            async with (
                CommandRelay(client, self._core, self._subjects, self._settings.table).open(),
                self._directories.open(client),
                self._amounts.open(client),
            ):
                while True:
                    epoch = await self._until_ready()
                    await self._ship_journal(client, epoch)

    def _servers(self) -> Servers:
        settings = self._settings
        return Servers(
            settings.servers,
            settings.table,
            table_inbox(settings.table),
            Path(settings.ca) if settings.ca else None,
            Path(settings.credentials) if settings.credentials else None,
            PROMPT,
        )

    async def _until_ready(self) -> str:
        """The epoch of the journal, once a core plays and a server answers."""
        while not (epoch := self._ready()):
            self._changed.clear()
            await self._changed.wait()
        return epoch

    def _ready(self) -> str:
        """The epoch of the journal whose rows can be sent now; empty if none can."""
        greeting = self._core.greeting
        return str(greeting["epoch"]) if greeting and self._connected and not self._stopped else ""

    async def _ship_journal(self, client: Client, epoch: str) -> None:
        """Send the rows of the journal with this epoch as long as that is possible."""
        self._epoch = epoch
        journal = ShippedJournal(self._subjects, self._settings.table, epoch)
        line = FloorLine(client, journal, self._settings.pinned(), self._acknowledgements.take)
        self._shipper = shipper = Shipper(
            self._history,
            client.jetstream(),
            journal.subject,
            line.ask,
            self._on_alarm,
            self._settings.catch_up,
        )
        shipper.disclose(self._head)
        try:
            async with line.open(shipper):
                self._log.info("sending", subject=journal.subject)
                await self._run_while_ready(shipper, epoch)
        except OtherRows as error:
            self._stopped = True
            self._on_alarm(f"The floor has other rows than this table: {error}. No row is sent")
        except NatsError as error:
            self._log.warning("connection", why=repr(error))
            await asyncio.sleep(BEAT)
        finally:
            self._shipper = None

    async def _run_while_ready(self, shipper: Shipper, epoch: str) -> None:
        """Raises OtherRows."""
        sending = asyncio.create_task(shipper.run(), name="shipper")
        changing = asyncio.create_task(self._until_not_ready(epoch), name="readiness")
        try:
            await asyncio.wait({sending, changing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end_tasks([sending, changing])

    async def _until_not_ready(self, epoch: str) -> None:
        while self._ready() == epoch:
            self._changed.clear()
            await self._changed.wait()

    def _on_push(self, topic: str, value: Any) -> None:
        if topic == "table_status":
            self._relay.take(value)
        if topic == "progressive":
            self._amounts.take(value)
        if topic == "head":
            self._head = int(value["row"])
            if self._shipper:
                self._shipper.disclose(self._head)

    def _notice(self) -> None:
        """The core is there, or is not any more."""
        if self._core.connected:
            self._acknowledgements.repeat()
            self._directories.repeat()
        else:
            self._head = 0
        self._changed.set()

    def _on_connection(self, connected: bool) -> None:
        self._connected, self._refused = connected, False
        self._away_since = time.monotonic()
        if connected:
            self._directories.arrived()
        self._changed.set()

    def _on_refused(self, _why: str) -> None:
        self._refused = True

    def _on_alarm(self, why: str) -> None:
        if why != self._alarm:
            self._alarm = why
            if why:
                self._log.error("rows are not sent", why=why)
            else:
                self._log.info("rows are sent")

    async def _beat(self) -> None:
        """Feed the watchdog, and say how the uplink is: to systemd, to the core and to the floor."""
        while True:
            if self._notifier.watchdog:
                self._notifier.feed()
            self._notifier.status(self._state())
            await self._report()
            await self._publish_status()
            await asyncio.sleep(BEAT)

    def _state(self) -> str:
        if self._alarm:
            return self._alarm
        if not self._connected:
            return self._why_away()
        return "Sends rows to the floor" if self._core.connected else "Waits for the table"

    def _why_away(self) -> str:
        return REFUSED if self._refused else NO_SERVER.format(servers=", ".join(self._settings.servers))

    async def _report(self) -> None:
        """Tell each core that answers how the uplink is."""
        greeting, core = self._core.greeting, self._core.connections
        away = not self._connected and time.monotonic() - self._away_since >= PATIENCE
        reports = {
            "uplink": self._why_away() if away else "",
            "shipping": self._alarm,
        }
        if greeting and not greeting["halted"] and self._reported != (core, reports):
            with suppress(CallRefused, CoreAway):
                for about, why in reports.items():
                    await self._core.report(about, why)
                self._reported = core, reports

    async def _publish_status(self) -> None:
        """What the core cannot say, because it is down, or does not know. Only of a journal that is known."""
        down = not self._core.connected
        if not (self._epoch and self._client and self._connected and (down or self._alarm)):
            return
        if time.monotonic() < self._status_due:
            return
        self._status_due = time.monotonic() + STATUS_INTERVAL
        status = uplink_status(self._epoch, "down" if down else "up", self._alarm, time.time())
        with suppress(NatsError):
            await self._client.publish(self._subjects.status(self._settings.table), status)


def serve(config: Path) -> int:
    """Run the uplink of this configuration's table until SIGTERM or SIGINT. Prints any fault to standard
    error and returns the exit status."""
    limit_memory()
    setrlimit(RLIMIT_CORE, (0, 0))  # a core dump would contain the credentials
    try:
        settings = _settings(config)
    except ChildFailed as failed:
        return failed.status
    with logs.background_logging():
        try:
            asyncio.run(UplinkProcess(settings).serve())
        except (ServersError, CredentialsError) as error:
            print_faults(str(error))
            return FAILED if is_temporary(error) else USAGE  # systemd does not restart after USAGE
        except (ConnectionEndedError, OSError) as error:
            print_faults(str(error))
            return FAILED  # systemd starts it again, with the credentials that are there then
    return 0


def _settings(config: Path) -> UplinkSettings:
    """Raises ChildFailed if the configuration cannot be used."""

    def read() -> bytes:
        from controller.floor.uplink.configuration import written_settings

        return written_settings(config)

    return UplinkSettings.read(in_child(read))
