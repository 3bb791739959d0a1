"""The daemon of one table: it replays the journal, opens the ports, plays, and ends its parts in order."""

import asyncio
import signal
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import structlog

from controller.access.desk import AccessDesk
from controller.access.errors import AccountsUnusable
from controller.config import Config
from controller.config.live import ConfigReload, LiveConfig
from controller.daemon.access_journal import record_access as tell_access
from controller.daemon.bulkhead import Bulkhead
from controller.daemon.core_socket import CoreSocket
from controller.daemon.devices import DeviceKeys, device_factory
from controller.daemon.disk_watches import disks, mirror_disk
from controller.daemon.first_event import started_event
from controller.daemon.floor import floor_trust
from controller.daemon.floor_contact import look_at_directory
from controller.daemon.floor_status import FloorStatus, floor_status
from controller.daemon.linked_progressives import linked_progressives
from controller.daemon.retaining import retention
from controller.daemon.seal_check import open_sealer, unsealed
from controller.daemon.secret_checks import watch_secret_checks
from controller.daemon.web_access import certificate_expiry, expiry_warning, signed_in
from controller.journal.journal import Journal
from controller.journal.key_change import key_change_path, read_key_change
from controller.journal.rollover import ThreadedRollover
from controller.journal.signing import signer
from controller.journal.trust import Trust, confirmation_path, read_confirmation, read_public
from controller.process.hangup import on_hangup
from controller.process.notify import Notifier, Watchdog
from controller.selftest.check import UNCHECKED, SelfTestResult, describe
from controller.socket.core import Cached, Core
from controller.socket.listening import socket_place
from controller.table.apply.conditions import ACCOUNTS, SEAL, SECRETS, SOCKET, notice_of_change
from controller.table.devices import TableDevices
from controller.table.inbox import Clocks, Inbox, Observation
from controller.table.keepalive import Keepalive
from controller.table.loop import Table
from controller.table.record.causes import Cause, cause
from controller.table.record.events import Input, Noticed
from controller.table.record.notes import SelfTested
from controller.table.record.views import TableView
from controller.table.recovery import recover
from controller.table.state.table_state import TableState
from controller.table.supervision import Supervision
from controller.table.upkeep.disk_space import run_checks
from controller.table.upkeep.floor_copy import FloorCopy, rows_of
from controller.table.upkeep.log_watch import LogWatch
from controller.table.upkeep.satellite_reports import SatelliteReports
from controller.table.upkeep.slow_disk import judge_writes
from controller.table.upkeep.uplink_watch import UplinkWatch
from controller.table.view.build import TableSettings, build_view, rounds_per_hour
from controller.telemetry.collector import TableCollector
from controller.telemetry.floor_metrics import FloorCollector
from controller.telemetry.host import HostStatus, journal_size
from controller.telemetry.log_stream import lost_lines
from controller.telemetry.prometheus.process import ProcessCollector
from controller.telemetry.prometheus.registry import CollectorRegistry
from controller.telemetry.statistics import MinuteStatistics, StatusFields, log_statistics, memory
from controller.telemetry.table_log import TableLog
from controller.telemetry.table_metrics import TableMetrics
from drivers.devices.device import ConnectedSerials, Device, DeviceSettings
from drivers.link.facts import Bookmark
from drivers.link.reports import LogLine
from drivers.ports.hotplug import Plug, watch_plugs
from drivers.protocol.codes import LogLevel

CERTIFICATE = cause("certificate")


class PartError(Exception):
    """A part of a playing table has failed; `__cause__` is its error."""


def open_journal(config: Config) -> Journal:
    """Open the table's journal with its mirror and its key, and log repairs.

    Raises JournalError if the journal cannot be used.
    """
    section = config.journal
    mirror = Path(section.mirror) if section.mirror else None
    public = Path(section.public)
    trust = Trust(
        read_public(public),
        read_confirmation(confirmation_path(public), time.time()),
        read_key_change(key_change_path(public)),
    )
    journal = Journal(Path(section.path), mirror, signer(Path(section.key), trust.public), trust=trust)
    if trust.public is None:
        structlog.get_logger("tableside.journal").warning(
            "signatures are not compared", needed=f"{public}: tableside device provision journal"
        )
    for sentence in journal.healed:
        structlog.get_logger("tableside.journal").warning("put right", what=sentence)
    return journal


class Daemon:
    """One table with all its parts.

    The constructor replays the journal and opens no port. It raises JournalError if the journal cannot be
    replayed.

    `access` holds the accounts, or the reason why they cannot be used. `compared` is the result of the
    self-test, `restarted_after` the failure that caused this restart, empty if there was none. `live` is
    `config` with its file, None if nobody can change it.
    """

    def __init__(
        self,
        config: Config,
        keys: DeviceKeys,
        journal: Journal,
        access: AccessDesk | AccountsUnusable,
        compared: SelfTestResult = UNCHECKED,
        restarted_after: str = "",
        live: LiveConfig | None = None,
    ) -> None:
        self._live = live or LiveConfig(config)
        self._expires = certificate_expiry(config)
        self._access = None if isinstance(access, AccountsUnusable) else access
        self._accounts_fault = access if isinstance(access, AccountsUnusable) else None
        self._started = started_event(config)
        self._compared = compared
        anew = (f"The table restarted by itself: {restarted_after}",) if restarted_after else ()
        self._notices = (*journal.healed, *anew)
        self._journal, self._started_at, self._tally = journal, time.time(), MinuteStatistics()
        self._log = structlog.get_logger("tableside.daemon")
        self._notifier = Notifier()
        self._connected = ConnectedSerials()
        clocks = Clocks(time.time, time.monotonic)
        self._inbox = Inbox(clocks)
        self._keepalive = Keepalive(time.monotonic)
        self._sealer = open_sealer(config)
        state = recover(journal, self._started, self._sealer)
        devices = {name: self._device(name, key, state) for name, key in keys.items()}
        self._keepalive.devices = [*devices.values()]
        self._supervision = Supervision(devices, self._inbox.put, self._log)
        self._linked = linked_progressives(config, state, self._inbox, journal, self._changed, time.monotonic)
        self._registry = CollectorRegistry()
        self._bulkhead = Bulkhead(self._registry)
        self._table = Table(
            journal,
            state,
            TableDevices(**cast("dict[str, Any]", devices)),
            clocks,
            inbox=self._inbox,
            observers=(
                self._bulkhead.observer(
                    "metrics", TableMetrics(self._registry, config.table.game, self._started.version)
                ),
                self._bulkhead.observer("log", TableLog()),
                self._bulkhead.observer("statistics", self._tally),
            ),
            on_change=self._bulkhead.contain("changes", self._changed),
            on_batch=self._bulkhead.contain(
                "watchdog", Watchdog(self._notifier, time.monotonic).feed_when_due
            ),
            amounts=self._linked.unrecorded if self._linked else tuple,
            renew_session=self._supervision.renew,
            keepalive=self._keepalive,
            filing=ThreadedRollover,
            sealer=self._sealer,
        )
        self._disks = disks(config, state)
        self._copy = FloorCopy(rows_of(journal, Path(config.journal.path)))
        self._reports = SatelliteReports(state, self._inbox.put, time.monotonic)
        self._uplink = UplinkWatch(
            self._reports, lambda: self._socket.has("uplink"), time.monotonic, expected=bool(config.uplink)
        )
        self._log_watch = LogWatch()
        self._mirror = mirror_disk(config, state, journal)
        self._registry.register(
            TableCollector(lambda: state, self._supervision.views, self._machine, target=self._target)
        )
        self._registry.register(ProcessCollector())
        if config.uplink:
            self._registry.register(
                FloorCollector(
                    lambda: self._socket.has("uplink"), lambda: self._socket.head.row, lambda: self._copy.row
                )
            )
        self._reload = ConfigReload(
            self._live, lambda text: self._inbox.put(Noticed(text)), self._follow_config, self._log
        )
        self._floor_status = self._status_for_the_floor()
        self._socket = CoreSocket(
            socket_place(config), self._core(state), self._table, journal, partial(self._condition, SOCKET)
        )

    def _core(self, state: TableState) -> Core:
        return Core(
            self._started.version,
            self._config.table.name,
            state.game.title,
            self._table,
            self._access,
            lambda: self._accounts_fault.why if self._accounts_fault else "",
            self._view,
            self._machine,
            lambda: self._socket.head,
            Cached(self._registry.text, time.monotonic),
            self._reports.take,
            floor=self._floor_status,
            trust=floor_trust(self._config),
            copy=self._copy,
            progressive=self._linked,
        )

    def _status_for_the_floor(self) -> FloorStatus | None:
        return floor_status(
            self._config,
            self._table,
            self._journal,
            self._supervision.views,
            lambda: self._socket.head,
            self._compared.manifest,
            self._access,
            self._linked.status if self._linked else dict,
        )

    @property
    def _config(self) -> Config:
        return self._live.current

    async def serve(self) -> None:
        """Play until a signal arrives. Raises PartError when devices or the table fail."""
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        on_hangup(self._reload.request, stop.set)
        self._begin()
        with watch_plugs(self._on_plug, self._on_hotplug_lost), self._keepalive.thread():
            await self._serve(stop)
        self._notifier.close()

    def _begin(self) -> None:
        compared = self._compared
        if not compared.files:
            self._log.warning("own files are unchecked", needed="a manifest: tableside table manifest")
        for name, record in self._table.state.devices.items():
            if record.impossible:
                what = record.impossible
                self._log.warning("the journal holds an impossible number", device=name, what=what)
        tested = SelfTested(self._started.version, compared.files, compared.manifest)
        found: list[Input | Observation] = [tested, *map(Noticed, self._notices)]
        found += [event for look in self._checks() for event in look()]
        if fault := self._mirror.fault:
            self._log.warning("mirror", what=fault)
        warning = expiry_warning(self._expires, time.time())
        if warning or self._table.state.shift.alarms.is_present(CERTIFICATE):
            found.append(Noticed(warning, CERTIFICATE))
        if about := self._accounts_notice():
            found.append(about)
        if SECRETS in self._table.state.standing:
            found.append(Noticed("", SECRETS))  # the next failure raises it again
        try:
            self._table.begin(self._started, *found)
        except Exception as error:
            raise PartError("table") from error

    async def _serve(self, stop: asyncio.Event) -> None:
        keep = self._bulkhead.keep_running
        observers: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
            "disks": lambda: run_checks(self._checks(), self._inbox.put),
            "retention": retention(
                self._config, self._table.state, self._copy, self._inbox.submit, self._inbox.put
            ).run,
            "statistics": lambda: log_statistics(self._tally, self._standing, self._log),
            "reload": self._reload.run,
            "socket": self._socket.serve,
        }
        if self._linked:
            observers["linked progressives"] = self._linked.run
        if access := self._access:
            look = partial(look_at_directory, self._config.floor.offline_for, self._condition)
            observers["access"] = lambda: tell_access(access, self._table, self._on_accounts, look)
            observers["secrets"] = lambda: watch_secret_checks(
                access.hashing, partial(self._condition, SECRETS)
            )
        parts = [  # in the order in which they end
            asyncio.create_task(self._supervision.run(), name="devices"),
            asyncio.create_task(self._table.run(), name="table"),
            *(asyncio.create_task(keep(name, work), name=name) for name, work in observers.items()),
        ]
        await self._socket.wait_until_tried()
        self._ready()
        stopping = asyncio.create_task(stop.wait(), name="signal")
        await asyncio.wait({*parts, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if stopping.done():
            self._notifier.stopping()
            self._log.info("stopping")
        await _end([*parts, stopping])

    def _machine(self) -> HostStatus:
        path, head = Path(self._config.journal.path), self._journal.head
        return HostStatus(
            self._started.version,
            self._started_at,
            self._disks.free,
            head.row if head else 0,
            journal_size(path),
            sessions=signed_in(self._access),
            certificate=self._expires,
        )

    def _standing(self) -> StatusFields:
        state = self._table.state
        resends = sum(device.counters["retransmissions"] for device in self._supervision.views())
        return StatusFields(
            bool(state.suspension),
            rounds_per_hour(state),
            resends,
            len(state.shift.alarms.open),
            memory(),
            lost_lines(),
        )

    def _checks(self) -> list[Callable[[], Sequence[Input]]]:
        return [
            self._disks.check,
            self._mirror.check,
            self._latency,
            self._held_log,
            self._sealing,
            self._uplink.check,
            self._reports.check,
        ]

    def _latency(self) -> list[Noticed]:
        return [*judge_writes(self._table.state, self._journal.durations())]

    def _held_log(self) -> list[Noticed]:
        return [*self._log_watch.judge(self._table.state, self._journal.slow_readers)]

    def _sealing(self) -> list[Noticed]:
        state = self._table.state
        found = notice_of_change(state, SEAL, unsealed(self._config, self._sealer, state))
        return [found] if found else []

    def _ready(self) -> None:
        self._log.info("ready", round=self._table.state.number)
        self._notifier.ready("The table is ready")

    def _changed(self) -> None:
        if self._linked:
            self._linked.follow()
        self._socket.changed()

    def _target(self) -> int:
        return self._config.table.target

    async def _follow_config(self) -> None:
        if self._floor_status:
            await self._floor_status.follow(self._config.report_settings)
        self._changed()

    def _on_accounts(self, fault: AccountsUnusable | None) -> None:
        self._accounts_fault = fault
        if about := self._accounts_notice():
            self._inbox.put(about)

    def _accounts_notice(self) -> Noticed | None:
        """The alert to raise or to end if it has changed whether people can sign in; else None."""
        why = f"Nobody can sign in: {self._accounts_fault}" if self._accounts_fault else ""
        if why:
            self._log.error("accounts", why=why)
        return notice_of_change(self._table.state, ACCOUNTS, why)

    def _condition(self, about: Cause, why: str) -> None:
        """Raise the alert, or end it if `why` is empty."""
        if noticed := notice_of_change(self._table.state, about, why):
            self._inbox.put(noticed)

    def _on_plug(self, plug: Plug) -> None:
        self._log.info(plug.action, port=plug.node, path=plug.path, serial=plug.serial)
        if plug.action == "plugged":
            self._supervision.retry_missing()

    def _on_hotplug_lost(self, why: str) -> None:
        self._log.info("no news of plugs", why=why)

    def _device_log(self, name: str, line: LogLine) -> None:
        words = {level.value: level.name.lower() for level in LogLevel}
        log = structlog.get_logger("tableside.device")
        getattr(log, words.get(line.level, "info"))("device says", device=name, text=line.text)

    def _device(self, name: str, key: bytes, state: TableState) -> Device:
        section = self._config.devices.configured()[name]

        def bookmark() -> Bookmark:
            return state.devices[name].bookmark()

        return device_factory(self._config.devices, name)(
            name,
            DeviceSettings(section.port, section.serial, section.rate, key),
            bookmark,
            self._inbox.put,
            clock=time.monotonic,
            alive=self._keepalive.alive,
            connected=self._connected,
            on_change=self._changed,
            on_log=self._device_log,
            reconnect_timing=self._config.flapping.timing(),
        )

    def _view(self) -> TableView | None:
        """None for a table that halts: its state may contain what is not on disk."""
        if self._table.failed:
            return None
        table = self._config.table
        built = build_view(
            table.name,
            self._table.state,
            self._supervision.views(),
            TableSettings(table.target, table.chips, table.time_zone),
        )
        return replace(built, selftest=describe(self._compared))


async def _end(parts: list[asyncio.Task[Any]]) -> None:
    """Cancel the parts one after the other. Raises PartError for the first one that failed."""
    for part in parts:
        part.cancel()
        await asyncio.wait({part})
    for part in parts:
        if not part.cancelled() and (error := part.exception()):
            raise PartError(part.get_name()) from error
