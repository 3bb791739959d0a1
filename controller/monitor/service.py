"""The process of the web server, from its configuration to its end: a client of the table's core, which never
waits for it. `serve` does the work of the command `tableside table web`."""

import asyncio
import signal
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from resource import RLIMIT_CORE, setrlimit
from typing import Any

import structlog

from controller.config import Config, ConfigError, read
from controller.config.live import ConfigReload, LiveConfig
from controller.currency import using
from controller.monitor.context import WebContext
from controller.monitor.core_link import CoreLink
from controller.monitor.house import NO_HOUSE, house_of
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.outage.outage import LastAmounts
from controller.monitor.past.worker import WorkerPool
from controller.monitor.server.address import Address
from controller.monitor.server.metrics_guard import metrics_token
from controller.monitor.server.server import serve_at
from controller.monitor.server.tls import tls_context
from controller.monitor.sign_in.authentication import SessionAuthentication
from controller.monitor.web import build
from controller.monitor.web_metrics import WebMetrics
from controller.past.last_meters import last_meters
from controller.past.recorded_currency import recorded_currency
from controller.process.faults import FAILED, USAGE, is_temporary, print_faults
from controller.process.hangup import ignore_hangup, on_hangup
from controller.process.memory_tuning import limit_memory
from controller.process.notify import Notifier
from controller.process.time_zone import set_time_zone
from controller.socket.client import CallRefused, CoreAway
from controller.socket.listening import socket_place
from controller.telemetry import logs

BEAT = 1.0
"""Seconds between two looks of the parts that run by the clock."""
PAGE = "page"


class WebProcess:
    """All parts of the web server of one table."""

    def __init__(self, live: LiveConfig, address: Address) -> None:
        self._live, self._address = live, address
        config = self._config
        self._log = structlog.get_logger("tableside.web")
        # The daemon tells people about its own reload, which systemd asks for at the same time
        self._reload = ConfigReload(live, lambda _text: None, self._follow_config, self._log)
        self._house = NO_HOUSE
        self._notifier = Notifier()
        self._changes = ChangeNotifier()
        self._link = CoreLink(
            socket_place(config).path,
            self._changes,
            config.table.name,
            config.table.game,
            self._last_amounts,
        )
        self._past = WorkerPool()
        self._unreachable = ""
        self._reported: tuple[object, str] | None = None

    @property
    def _config(self) -> Config:
        return self._live.current

    def _last_amounts(self) -> LastAmounts:
        section = self._config.journal
        copies = Path(section.path), Path(section.mirror) if section.mirror else None
        return LastAmounts(last_meters(*copies), recorded_currency(*copies))

    async def serve(self) -> None:
        """Serve until a signal arrives. Raises the error of a part that failed."""
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        on_hangup(self._reload.request, stop.set)
        self._read_house()
        app = build(self._context())
        parts: tuple[Callable[[], Coroutine[Any, Any, object]], ...] = (
            self._link.run,
            self._reload.run,
            self._keep_reported,
            lambda: serve_at(self._address, app, self._changes, self._on_address),
            stop.wait,
        )
        async with self._link.client, self._past:
            tasks = [asyncio.create_task(part()) for part in parts]
            self._notifier.ready(self._status())
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            self._notifier.stopping()
            self._log.info("stopping")
            await _end(tasks)
        self._notifier.close()

    def _context(self) -> WebContext:
        config, link = self._config, self._link
        return WebContext(
            link.client,
            link.view,
            self._changes,
            Path(config.journal.path),
            SessionAuthentication(link.client),
            tls=config.web.tls,
            host_names=(config.web.host, *config.web.names),
            metrics_token=metrics_token(config),
            steady=time.monotonic,
            public=config.web.watching,
            worker=self._past,
            machine=link.machine,
            report_settings=lambda: self._config.report_settings,
            own_metrics=WebMetrics(self._changes),
            session_limits=config.access.limits(),
            house=lambda: self._house,
            outage=link.outage,
        )

    def _read_house(self) -> None:
        self._house = house_of(self._config.web)
        if self._house.fault:
            self._log.warning("no logo", why=self._house.fault)

    async def _follow_config(self) -> None:
        """Pages read the other settings whenever they are asked for."""
        await asyncio.to_thread(self._read_house)
        self._changes.notify()

    def _status(self) -> str:
        if self._unreachable:
            return self._unreachable
        return f"Page at {self._address.url}" if self._address.url else "No page yet"

    def _on_address(self, why: str) -> None:
        """`why` is the reason why the pages cannot be reached; empty if they can."""
        if why:
            self._log.warning("no page", why=why)
        else:
            self._log.info("page", address=self._address.url)
        self._unreachable = why
        self._notifier.status(self._status())

    async def _keep_reported(self) -> None:
        """Feed the watchdog, and tell each core that answers whether the pages can be reached, until
        cancelled."""
        while True:
            if self._notifier.watchdog:
                self._notifier.feed()
            hello = self._link.client.hello
            if hello and not hello.halted and self._reported != (hello, self._unreachable):
                with suppress(CallRefused, CoreAway):
                    why = self._unreachable
                    await self._link.client.report(PAGE, why)
                    self._reported = hello, why
            await asyncio.sleep(BEAT)


async def _end(tasks: list[asyncio.Task[object]]) -> None:
    """Cancel the tasks. Raises the error of the first one that failed."""
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    for task in tasks:
        if not task.cancelled() and (error := task.exception()):
            raise error


def run(config: Config, path: Path | None = None) -> None:
    """Serve the pages until SIGTERM or SIGINT. Raises ConfigError when the certificate of the pages cannot be
    used."""
    ignore_hangup()
    limit_memory()
    setrlimit(RLIMIT_CORE, (0, 0))  # a core dump would contain the tokens of sessions
    set_time_zone(config.table.time_zone)
    web, tls = config.web, tls_context(config)
    with using(config.table.money), Address(web.host, web.port, tls, kiosk_port=web.kiosk_port) as address:
        asyncio.run(WebProcess(LiveConfig(config, path), address).serve())


def serve(config: Path) -> int:
    """Serve the pages of this configuration's table until SIGTERM or SIGINT. Prints any fault to standard
    error and returns the exit status."""
    with logs.background_logging():
        try:
            run(read(config), config)
        except ConfigError as error:
            print_faults(*error.faults)
            return FAILED if is_temporary(error) else USAGE  # systemd does not restart after USAGE
        except OSError as error:
            print_faults(str(error))
            return FAILED
    return 0
