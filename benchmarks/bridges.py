"""A bridge beside a table, with a broker that takes events, or that hangs."""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.processors import give_way
from controller.demo.processes import DIES_WITH_US
from tests.fixtures.mosquitto import broker_in
from tests.fixtures.waiting import until

SECTION = """
[bridge]
table = "bench"
folder = "{folder}/bridge"
[bridge.mqtt]
server = "mqtt://127.0.0.1:{port}"
"""


@contextmanager
def bridge(config: Path, *, hangs: bool) -> Iterator[Counter[str]]:
    """The bridge of the table with this configuration sends events inside the block; `hangs`: until the
    broker answers nothing any more. Counts the rows that the broker got. It gives way to the daemon."""
    with tempfile.TemporaryDirectory(prefix="tableside-bridge-") as folder:
        broker, path = broker_in(Path(folder, "broker"), persistence=False), config.with_name("bridge.toml")
        path.write_text(SECTION.format(folder=folder, port=broker.port) + config.read_text())
        place, counts = Path(folder, "bridge", "mqtt.place"), Counter[str]()
        command = [
            *DIES_WITH_US,
            sys.executable,
            "-m",
            "controller",
            "table",
            "bridge",
            "--config",
            str(path),
        ]
        with (
            broker.running(),
            subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL) as sender,
        ):
            try:
                until(place.exists)
                give_way(sender.pid)
                begun = _row(place)
                if hangs:
                    broker.stall()
                yield counts
                if not hangs:
                    until(lambda: _row(place) > begun)  # the last round may be under way to the broker
                counts["rows"] = _row(place) - begun
            finally:
                sender.terminate()


def _row(place: Path) -> int:
    """The last row whose event the broker has."""
    found: int = json.loads(place.read_text())["row"]
    return found
