"""Metrics of the web server's own process."""

from collections.abc import Iterator
from dataclasses import replace

from controller.monitor.live.changes import ChangeNotifier
from controller.telemetry.prometheus.exposition import exposition
from controller.telemetry.prometheus.family import Family, gauge
from controller.telemetry.prometheus.process import ProcessCollector

PREFIX = "tableside_web_"
"""Sets the metrics of this process apart from those of the core, which have the usual names."""


class WebMetrics:
    """Makes the text that Prometheus reads."""

    def __init__(self, changes: ChangeNotifier) -> None:
        self._changes, self._process = changes, ProcessCollector()

    def __call__(self) -> str:
        return exposition(self._families())

    def _families(self) -> Iterator[Family]:
        yield gauge(f"{PREFIX}followers", "Pages that follow the table", self._changes.followers)
        for family in self._process.collect():
            yield replace(family, name=PREFIX + family.name)
