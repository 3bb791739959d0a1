"""The process of the bridge, from its configuration to its end: a client of the table's core and of other
systems. `serve` does the work of the command `tableside table bridge`.

It waits for nobody, and nobody waits for it: each receiver has a delivery of its own, which reads the
journal at the receiver's pace.
"""

import asyncio
import os
import time
from collections.abc import Mapping
from pathlib import Path
from resource import RLIMIT_CORE, setrlimit
from typing import Any, Final

import structlog

from controller.bridge.delivery import Delivery
from controller.bridge.events import Content, TableName
from controller.bridge.metrics import BridgeMetrics
from controller.bridge.mqtt import MqttReceiver
from controller.bridge.place import Place
from controller.bridge.receiver import Receiver, ReceiverError
from controller.bridge.state import content_of_absence, content_of_halt, content_of_view, state_event
from controller.bridge.webhook import WebhookReceiver
from controller.config import Config, ConfigError, read
from controller.config.bridge import BridgeSection
from controller.currency import using
from controller.journal.chain import START
from controller.journal.history import History
from controller.process.faults import FAILED, USAGE, is_temporary, print_faults
from controller.process.memory_tuning import limit_memory
from controller.process.notify import Notifier
from controller.process.tasks import run_parts, stop_event
from controller.socket.client import CoreClient
from controller.socket.listening import socket_place
from controller.telemetry import logs
from drivers.key_files import credential

BEAT: Final = 1.0
METRICS_INTERVAL: Final = 10.0
"""Seconds between two looks of the parts that run by the clock."""
STATE_DIRECTORY: Final = "STATE_DIRECTORY"
"""The variable in which systemd gives a service a folder of its own."""
CREDENTIALS: Final = "bridge"
"""The name of the folder of secrets in the unit; systemd puts it before the names of the files."""
PASSWORD: Final = "mqtt.password"  # noqa: S105
NEEDED: Final = "bridge is missing; needed: a section with table, and with mqtt or webhooks"


class BridgeProcess:
    """All parts of the bridge of one table. `folder`: where it writes. Raises ReceiverError."""

    def __init__(self, config: Config, section: BridgeSection, folder: Path) -> None:
        receivers = receivers_of(
            section, TableName(section.table, config.table.name, config.table.currency or "")
        )
        self._folder, self._metrics = folder, BridgeMetrics(tuple(one.name for one in receivers))
        history = History(Path(config.journal.path))
        self._deliveries = [Delivery(one, history, folder, self._metrics) for one in receivers]
        self._core = CoreClient(
            socket_place(config).path,
            "bridge",
            ("view", "head"),
            on_change=self._on_change,
            on_push=self._on_push,
        )
        self._head: Mapping[str, Any] | None = None
        self._last = Place("", 0, START.hex())
        self._shown: Content | None = None
        self._notifier = Notifier()
        self._log = structlog.get_logger("tableside.bridge")

    async def serve(self) -> None:
        """Send events until a signal arrives. Raises the error of a part that failed."""
        stop = stop_event()
        async with self._core:
            self._notifier.ready(self._status())
            try:
                await run_parts(
                    (
                        *(delivery.run() for delivery in self._deliveries),
                        self._beat(),
                        self._write_metrics(),
                        stop.wait(),
                    )
                )
            finally:
                self._notifier.stopping()
        self._log.info("stopped")
        self._notifier.close()

    def _on_push(self, topic: str, value: Any) -> None:
        if topic == "head":
            self._head = value
            self._disclose()

    def _on_change(self) -> None:
        """The core is there or not any more, or shows something else."""
        self._metrics.core(self._core.connected)
        if not self._core.connected:
            self._head = None
        self._disclose()
        content = self._content()
        if content is None or content == self._shown:
            return
        self._shown = content
        for delivery in self._deliveries:
            delivery.show(state_event(self._last, time.time(), content))

    def _disclose(self) -> None:
        """A push may come before the greeting that names the journal."""
        hello, head = self._core.hello, self._head
        if hello and hello.epoch and head:
            self._last = Place(hello.epoch, int(head["row"]), head["hash"] or START.hex())
            for delivery in self._deliveries:
                delivery.disclose(self._last)

    def _content(self) -> Content | None:
        """None while nothing is known."""
        hello = self._core.hello
        if hello is None:
            return content_of_absence()
        if hello.halted:
            return content_of_halt(hello.halted)
        replica = self._core.replica
        return content_of_view(replica.view()) if replica.current else None

    async def _beat(self) -> None:
        """Feed the watchdog, and tell systemd how the bridge is, until cancelled."""
        while True:
            if self._notifier.watchdog:
                self._notifier.feed()
            self._notifier.status(self._status())
            await asyncio.sleep(BEAT)

    async def _write_metrics(self) -> None:
        failing = ""
        while True:
            try:
                self._metrics.write(self._folder)
                failing = ""
            except OSError as error:
                if str(error) != failing:
                    self._log.error("no metrics", why=str(error))
                failing = str(error)
            await asyncio.sleep(METRICS_INTERVAL)

    def _status(self) -> str:
        problems = [f"{one.name}: {one.problem}" for one in self._deliveries if one.problem]
        if problems:
            return "; ".join(problems)
        return "Sends events" if self._core.connected else "Waits for the table"


def receivers_of(section: BridgeSection, table: TableName) -> tuple[Receiver, ...]:
    """All receivers of a configuration. Raises ReceiverError, OSError."""
    mqtt = (MqttReceiver(section.mqtt, table, _credential(PASSWORD)),) if section.mqtt else ()
    webhooks = (
        WebhookReceiver(name, webhook, table, _credential(f"{name}.secret"))
        for name, webhook in section.webhooks.items()
    )
    return (*mqtt, *webhooks)


def _credential(name: str) -> Path | None:
    """A file of the unit's folder of secrets, which takes precedence over the configuration."""
    return credential(f"{CREDENTIALS}_{name}")


def run(config: Config) -> None:
    """Send events until SIGTERM or SIGINT. Raises ConfigError, ReceiverError, OSError."""
    if config.bridge is None:
        raise ConfigError((NEEDED,))
    folder = Path(os.environ.get(STATE_DIRECTORY, "").partition(":")[0] or config.bridge.folder)
    folder.mkdir(parents=True, exist_ok=True)
    with using(config.table.money):
        asyncio.run(_serve(config, config.bridge, folder))


async def _serve(config: Config, section: BridgeSection, folder: Path) -> None:
    await BridgeProcess(config, section, folder).serve()


def serve(config: Path) -> int:
    """Run the bridge of this configuration's table until SIGTERM or SIGINT. Prints any fault to standard
    error and returns the exit status."""
    limit_memory()
    setrlimit(RLIMIT_CORE, (0, 0))  # a core dump would contain the secrets
    with logs.background_logging():
        try:
            run(read(config))
        except (ConfigError, ReceiverError) as error:
            print_faults(*str(error).splitlines())
            return FAILED if is_temporary(error) else USAGE  # systemd does not restart after USAGE
        except OSError as error:
            print_faults(str(error))
            return FAILED
    return 0
