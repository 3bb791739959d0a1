"""What the table socket of a halted table serves: why the table is halted, health and metrics."""

from importlib.metadata import version

from controller.socket.core import Core
from controller.socket.results import HaltedView, Head
from controller.telemetry.host import HostStatus
from controller.telemetry.prometheus.exposition import exposition
from controller.telemetry.prometheus.family import Family, gauge, labelled


def halted_core(table: str, game: str, halted: HaltedView) -> Core:
    """A core without a table and without accounts."""
    release = version("tableside")
    return Core(
        release,
        table,
        game,
        None,
        None,
        str,
        lambda: None,
        lambda: HostStatus(release, halted.since),
        lambda: Head(0, ""),
        lambda: exposition(halted_metrics(release, game)),
        lambda _about, _why: None,
        halted,
    )


def halted_metrics(release: str, game: str) -> tuple[Family, ...]:
    labels, build = ("version", "game"), (release, game)
    return (
        gauge("tableside_halted", "1 while the table is halted", 1),
        gauge("tableside_suspended", "1 while play is suspended", 1),
        labelled("gauge", "tableside_build_info", "The running version", labels, [(build, 1)]),
    )
