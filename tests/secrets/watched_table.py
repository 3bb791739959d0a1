"""A watched table: the real loop, journal, page, metrics, log, socket and notifications in virtual time, all
of them recorded. Only the devices are recordings of the calls they get."""

import asyncio
import io
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import FastAPI

from controller.daemon.core_socket import CoreSocket
from controller.journal.journal import Journal
from controller.journal.sealing import SealKey
from controller.journal.signing import signer
from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.web import build
from controller.process.notify import Notifier, Watchdog
from controller.socket.listening import SocketPlace
from controller.socket.peers import PeerUsers
from controller.table.devices import TableDevices
from controller.table.inbox import Clocks
from controller.table.loop import Table
from controller.table.record.events import Input, Started
from controller.table.record.notes import Note, Revealed
from controller.table.record.views import TableView
from controller.table.recovery import recover
from controller.table.sealer import Sealer
from controller.table.view.build import build_view
from controller.telemetry.collector import TableCollector
from controller.telemetry.host import HostStatus
from controller.telemetry.prometheus.registry import CollectorRegistry
from controller.telemetry.table_log import TableLog
from controller.telemetry.table_metrics import TableMetrics
from tests.controller.monitor.recall.pages import ask_here
from tests.fixtures.core_socket import Bell, core_of, linked
from tests.fixtures.loop_table import RecordingDevice, previewed
from tests.fixtures.table_views import DEVICES
from tests.fixtures.web_server import Staff
from tests.secrets.asking import Answer, followed
from tests.secrets.people import People, acting_socket
from tests.secrets.subscribers import Subscribers, subscribed

SETTLED = 0.3
"""Seconds in which all followers have received a change."""
WATCHDOG_US = 400_000
KEY = f"{7:064x}\n"
"""All tables sign with it: signatures differ by what is signed."""
SEAL = bytes(range(32))
"""The key with which all tables seal cards."""
NOW = 1_800_000_000.0


@dataclass
class Seen:
    """An observer that counts the records, and notices when the card is turned."""

    turned: bool = False
    inputs: int = 0
    notes: int = 0
    cards: int = 0
    commits: int = 0

    def on_input(self, _event: Input) -> None:
        self.inputs += 1

    def on_note(self, note: Note) -> None:
        self.notes += 1
        self.turned = self.turned or isinstance(note, Revealed)

    def on_commit(self, _seconds: float) -> None:
        self.commits += 1

    def on_outputs(self, _seconds: float) -> None:
        self.cards += 1


@dataclass
class Glass:
    """Everything to look at; lists and streams hold what came since the last look."""

    folder: Path
    table: Table
    app: FastAPI
    seen: Seen
    log: io.StringIO
    systemd: socket.socket
    calls: list[tuple[object, ...]]
    people: People
    subscribers: Subscribers
    following: Answer = field(default_factory=Answer)
    following_json: Answer = field(default_factory=Answer)
    turns: list[float] = field(default_factory=list)
    """When each batch was finished, in seconds."""
    running: asyncio.Task[None] | None = None

    async def take(self, event: Input) -> None:
        """A device reports, and all observers see it."""
        self.table.inbox.put(previewed(self.table, event))
        await self.settled()

    async def settled(self) -> None:
        """Waits until all observers are done; raises the error with which the table ended."""
        await asyncio.sleep(SETTLED)
        if self.running and self.running.done():
            self.running.result()


def journal(folder: Path) -> Path:
    """The path of a table's journal."""
    return folder / "table.db"


def socket_path(folder: Path) -> Path:
    """The path of a table's socket."""
    return folder / "table.db.sock"


@asynccontextmanager
async def behind_glass(folder: Path, started: Started, log: io.StringIO) -> AsyncIterator[Glass]:
    """A table on the existing journal, or on a new one."""
    loop = asyncio.get_running_loop()
    clocks = Clocks(lambda: NOW + loop.time(), loop.time)
    registry, changes, seen, bell = CollectorRegistry(), ChangeNotifier(), Seen(), Bell()
    calls: list[tuple[object, ...]] = []
    turns: list[float] = []
    disclosed: list[CoreSocket] = []
    sealer = Sealer(SealKey(SEAL))
    with _kept(folder) as kept, _systemd(folder) as (systemd, notifier):
        watchdog = Watchdog(notifier, loop.time)

        def turned() -> None:
            turns.append(loop.time())
            watchdog.feed_when_due()

        table = Table(
            kept,
            recover(kept, started, sealer),
            _fixtures(calls),
            clocks,
            on_batch=turned,
            on_change=lambda: _changed(bell, disclosed),
            sealer=sealer,
            observers=(TableMetrics(registry, started.game, started.version), TableLog(), seen),
        )
        registry.register(TableCollector(lambda: table.state, lambda: DEVICES))
        table.begin(started)
        notifier.ready("ready")
        core = core_of(lambda: _view(table), table, machine=lambda: HostStatus("1"), metrics=registry.text)
        place = SocketPlace(folder / "unused.sock", "", PeerUsers())
        disclosed.append(CoreSocket(place, core, table, kept, lambda _why: None))
        people = People(socket_path(folder), lambda: kept.head.row if kept.head else 0)
        async with (
            acting_socket(
                socket_path(folder), table, lambda: _view(table), lambda: disclosed[0].head
            ) as acting,
            linked(core, changes) as (server, link),
            subscribed(socket_path(folder)) as subscribers,
        ):
            bell.server = server
            bell.others.append(acting)
            parts = WebContext(
                link.client,
                link.view,
                changes,
                journal(folder),
                Staff(),
                worker=ask_here,
                machine=link.machine,
                outage=link.outage,
            )
            app = build(parts)
            glass = Glass(folder, table, app, seen, log, systemd, calls, people, subscribers, turns=turns)
            glass.running = asyncio.create_task(table.run())
            followers = (
                followed(app, "/events", glass.following),
                followed(app, "/api/v1/events", glass.following_json),
            )
            try:
                yield glass
            finally:
                await glass.people.hang_up()
                changes.close()
                notifier.stopping()
                await _ended(*followers, glass.running)


def _changed(bell: Bell, disclosed: list[CoreSocket]) -> None:
    for each in disclosed:
        each.changed()
    bell.ring()


def _kept(folder: Path) -> Journal:
    """The existing journal, or a new one, with a mirror and a key."""
    mirror = folder / "mirror"
    mirror.mkdir(exist_ok=True)
    key = folder / "journal.key"
    key.touch(0o600)
    key.write_text(KEY)
    return Journal(journal(folder), mirror / "table.db", signer(key))


async def _ended(*parts: asyncio.Task[None]) -> None:
    for part in parts:
        part.cancel()
    await asyncio.gather(*parts, return_exceptions=True)


def _view(table: Table) -> TableView:
    return build_view("Table 7", table.state, DEVICES)


@contextmanager
def _systemd(folder: Path) -> Iterator[tuple[socket.socket, Notifier]]:
    """The receiver of the notifications, and the sender."""
    path = folder / "notify"
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as listener:
        listener.bind(str(path))
        notifier = Notifier({"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": str(WATCHDOG_US)})
        try:
            yield listener, notifier
        finally:
            notifier.close()
            path.unlink()


def _fixtures(calls: list[tuple[object, ...]]) -> TableDevices:
    shoe, sensors, console, shuffler, display = (
        RecordingDevice(name, calls) for name in ("shoe", "sensors", "console", "shuffler", "display")
    )
    return TableDevices(shoe, sensors, console, shuffler, display)
