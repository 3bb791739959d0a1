"""Print the figures of one run. Latencies are ratios to a raw pty echo plus one FULL commit of this run."""

import os
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.baseline import full_commit, pty_echo
from benchmarks.table import Daemon, measure


def main() -> None:
    """Measure on one processor, which every process that is started inherits, and print."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        echo, commit = pty_echo(), full_commit(Path(folder))
    Console().print(figures(echo, commit, measure()))


def figures(echo: float, commit: float, daemon: Daemon) -> Table:
    """The figures beside their aims; seconds in."""
    table = Table("figure", "measured", "aim", title="Tableside, one run, one processor")
    yardstick = (echo + commit) * 1e3
    latency = daemon.played.card_to_lamp_ms
    p50, p99 = latency.p50 or float("nan"), latency.p99 or float("nan")
    for row in (
        ("raw pty echo, 16 bytes, median", f"{echo * 1e6:.0f} us", ""),
        ("SQLite FULL commit, median", f"{commit * 1e6:.0f} us", ""),
        (f"card to lamp, p50 of {latency.samples}", f"{p50:.2f} ms", ""),
        ("card to lamp, p99", f"{p99:.2f} ms", ""),
        ("card to lamp p50 / (echo + commit)", f"{p50 / yardstick:.1f}", "under 3"),
        ("start to ready, median", f"{daemon.start_to_ready:.2f} s", "under 1.5 s"),
        ("resident memory, highest", f"{daemon.memory_mb:.0f} MB", "under 90 MB"),
        ("idle, devices connected", f"{daemon.idle_cpu:.2%} of a core", "under 2 %"),
        ("rounds a second", f"{daemon.played.rounds / daemon.played.seconds:.1f}", ""),
    ):
        table.add_row(*row)
    return table


if __name__ == "__main__":
    main()
