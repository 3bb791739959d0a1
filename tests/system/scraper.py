"""A real Prometheus that watches one table, with the package's own rules, in a hurry."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import yaml

from controller.demo.reservations import free_port
from tests.fixtures.waiting import PATIENCE, until
from tests.prometheus.rules import CONFIG, RULES

SCRAPE = "2s"
HURRY = "200ms"
"""An answer may take as long as the interval between two."""


class Prometheus:
    """What it has found."""

    def __init__(self, port: int) -> None:
        self._port = port

    def ready(self) -> bool:
        """Whether it answers, and has seen the table."""
        try:
            return bool(self.query('up{job="tableside"} == 1'))
        except (OSError, ValueError):  # its text says that it is not ready
            return False

    def query(self, expression: str) -> list[dict[str, Any]]:
        """The current value of an expression."""
        body = f"query={_quoted(expression)}"
        found: list[dict[str, Any]] = self._asked("/api/v1/query", body)["result"]
        return found

    def firing(self) -> set[tuple[str, str]]:
        """Firing alerts, each with its device."""
        alerts = self._asked("/api/v1/alerts")["alerts"]
        return {
            (alert["labels"]["alertname"], alert["labels"].get("device", ""))
            for alert in alerts
            if alert["state"] == "firing"
        }

    def _asked(self, path: str, body: str | None = None) -> Any:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
            connection.request("POST" if body else "GET", path, body, kind)
            return json.loads(connection.getresponse().read())["data"]
        finally:
            connection.close()


@contextmanager
def prometheus(folder: Path, table: int) -> Iterator[Prometheus]:
    """Watches the table at this port of this machine inside the block; its data is below `folder`."""
    _write(folder, table)
    port = free_port()
    command = [
        "prometheus",
        "--config.file=prometheus.yml",
        "--storage.tsdb.path=data",
        f"--web.listen-address=127.0.0.1:{port}",
        "--log.level=error",
    ]
    with (folder / "log").open("wb") as log, subprocess.Popen(command, cwd=folder, stderr=log) as process:
        try:
            seen = Prometheus(port)
            until(seen.ready)
            yield seen
        finally:
            process.terminate()


def _write(folder: Path, table: int) -> None:
    """The package's files; only the address, the interval, and the delay of alerts differ."""
    config = yaml.safe_load(CONFIG.read_text("utf-8"))
    config["global"] = {"scrape_interval": SCRAPE, "evaluation_interval": HURRY}
    config["scrape_configs"][0]["static_configs"][0]["targets"] = [f"127.0.0.1:{table}"]
    (folder / CONFIG.name).write_text(yaml.safe_dump(config))
    document = yaml.safe_load(RULES.read_text("utf-8"))
    for group in document["groups"]:
        for rule in group["rules"]:
            rule["for"] = "1s" if "for" in rule else "0s"
    (folder / RULES.name).write_text(yaml.safe_dump(document))


def _quoted(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())
